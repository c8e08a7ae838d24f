#pragma once

#include <mutex>
#include <string>

#include "base/clock.h"

namespace mjjit {

/// One line on stderr that shows how far a task is, drawn over itself at most ten times a second;
/// nothing at all when stderr is not a terminal. Lines printed through it do not tear the bar. Safe
/// to call from several threads.
class Progress {
 public:
  /// @param is_shown  false: only `line` does something
  explicit Progress(bool is_shown) : is_shown_(is_shown) {}
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins a task of `total` parts: "compiling", "rolling out".
  void begin(const std::string& task, int total);
  void update(int done);
  /// One more part is done; `what` is shown behind the bar.
  void advance(const std::string& what);
  /// Takes the bar away.
  void finish();
  /// Prints a line to stderr above the bar.
  void line(const std::string& text);

 private:
  void draw();
  void erase();

  std::mutex mutex_;
  bool is_shown_;
  bool is_drawn_ = false;
  std::string task_, what_;
  int total_ = 0, done_ = 0;
  Stopwatch since_begin_, since_draw_;
};

/// The bar itself: "rolling out  [#####.....]  50 %  500/1000  1.2 s left".
std::string progress_text(const std::string& task, int done, int total, double seconds,
                          const std::string& what);

}  // namespace mjjit
