#include "interrupt.h"

#include <unistd.h>

#include <csignal>
#include <ctime>

namespace mjjit {
namespace {

volatile std::sig_atomic_t is_deferred = 0;
volatile std::sig_atomic_t is_interrupted = 0;
timespec first_time = {};  // of the first interruption; written and read by the handler only

/// timeout(1) and others signal both the process and its group: one Ctrl-C can come twice.
bool is_echo() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (is_interrupted == 0) {
    first_time = now;
    return false;
  }
  const double seconds = static_cast<double>(now.tv_sec - first_time.tv_sec) +
                         1e-9 * static_cast<double>(now.tv_nsec - first_time.tv_nsec);
  return seconds < 0.2;
}

void on_interrupt(int /*signal*/) {
  if (is_echo()) {
    return;
  }
  if (is_deferred == 0 || is_interrupted != 0) {
    constexpr char text[] = "\ninterrupted\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    _exit(kInterrupted);
  }
  is_interrupted = 1;
}

}  // namespace

void watch_for_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

void defer_interrupts(bool on) { is_deferred = on ? 1 : 0; }

bool was_interrupted() { return is_interrupted != 0; }

}  // namespace mjjit
