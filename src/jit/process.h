#pragma once

#include <string>
#include <vector>

namespace mjjit {

/// How a child process ended, and what it said on stdout and stderr together.
struct ProcessResult {
  bool was_started = false;
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string output;  // or, when it was not started, why
};

/// Runs a program found through PATH and waits for it.
ProcessResult run_process(const std::vector<std::string>& command);

}  // namespace mjjit
