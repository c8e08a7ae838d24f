#include "interrupt.h"

#include <unistd.h>

#include <csignal>

namespace mjjit {
namespace {

volatile std::sig_atomic_t is_deferred = 0;
volatile std::sig_atomic_t is_interrupted = 0;

void on_interrupt(int /*signal*/) {
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
