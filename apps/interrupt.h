#pragma once

namespace mjjit {

// Ctrl-C. While steps are run, the first one asks for an end after the current piece; at any other
// time, and the second time (0.2 s later or more), it ends the process at once with 130. Nothing is
// left half-written: files are renamed into place.

/// Exit code after an interruption.
inline constexpr int kInterrupted = 130;

void watch_for_interrupts();
/// From now on (or no longer) an interruption waits for was_interrupted() to be asked.
void defer_interrupts(bool on);
bool was_interrupted();

}  // namespace mjjit
