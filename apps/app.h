#pragma once

#include <mutex>
#include <string>

#include "options.h"
#include "report/progress.h"
#include "report/result.h"
#include "sim/rollout.h"

namespace mjjit {

/// Everything one run of a command passes around.
struct App {
  const Options& options;
  Progress& progress;
  Result result;
  std::mutex warning_mutex = {};  // the JIT's workers warn too

  /// Prints text of the human format at once, since what comes later may take long; nothing in
  /// other formats.
  void say(const std::string& text) const;
  /// Prints a warning to stderr and keeps it for the result.
  void warn(const std::string& text);
  /// Shows a module's line and its part of the progress bar.
  void show_module(const CompiledModule& module, bool is_trial);
  /// Prints the result in the form that was asked for, and writes it to a file where one was named.
  void report() const;
};

/// Reads the scene, with the overrides of the command line, and compiles it.
Model load_model(const Options& options);

/// Refuses files for results that cannot be written, before the run that would be lost.
/// @throws Error{Exit::input} naming the flag and the reason
void check_outputs(const Options& options);

/// Where the worlds start and what control they follow: the replay's, else the keyframe's, else
/// none.
RunSetup run_setup(App* app, const Model& model);

/// How to compile; clears the kernel cache when that was asked for.
JitOptions jit_options(App* app, Backend backend, const std::string& arch);

/// The device to run on: the one asked for, else the first GPU, else the CPU.
std::string device_id(const Options& options);

}  // namespace mjjit
