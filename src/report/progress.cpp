#include "report/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace mjjit {
namespace {

constexpr int kWidth = 30;
constexpr double kRedrawSeconds = 0.1;

}  // namespace

std::string progress_text(const std::string& task, int done, int total, double seconds,
                          const std::string& what) {
  const double share = total > 0 ? static_cast<double>(done) / total : 0;
  const auto full = static_cast<std::size_t>(share * kWidth);
  std::string text = fmt::format("{}  [{}{}]  {:.0f} %  {}/{}", task, std::string(full, '#'),
                                 std::string(kWidth - full, '.'), 100 * share, done, total);
  if (done > 0 && done < total && seconds > 1) {
    text += fmt::format("  {:.0f} s left", seconds * (1 - share) / share);
  }
  return what.empty() ? text : text + "  " + what;
}

void Progress::begin(const std::string& task, int total) {
  const std::lock_guard lock(mutex_);
  erase();
  task_ = task;
  what_.clear();
  total_ = total;
  done_ = 0;
  since_begin_ = Stopwatch();
  draw();
}

void Progress::update(int done) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  if (since_draw_.seconds() > kRedrawSeconds) {
    draw();
  }
}

void Progress::advance(const std::string& what) {
  const std::lock_guard lock(mutex_);
  done_ = std::min(done_ + 1, total_);
  what_ = what;
  draw();
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  erase();
  total_ = 0;
}

void Progress::line(const std::string& text) {
  const std::lock_guard lock(mutex_);
  erase();
  fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
  draw();
}

void Progress::draw() {
  if (!is_shown_ || total_ == 0) {
    return;
  }
  fmt::print(stderr, "\r\x1b[K{}",
             progress_text(task_, done_, total_, since_begin_.seconds(), what_));
  std::fflush(stderr);
  is_drawn_ = true;
  since_draw_ = Stopwatch();
}

void Progress::erase() {
  if (is_drawn_) {
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    is_drawn_ = false;
  }
}

}  // namespace mjjit
