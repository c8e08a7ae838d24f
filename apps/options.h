#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/plan.h"
#include "report/terminal.h"
#include "sim/sizing.h"

namespace mjjit {

enum class Format { human, short_, json };

/// What the command line of testspeed says.
struct Options {
  std::string scene;
  int nworld = 8192;
  std::optional<int> nstep;  // not given: 1000, or the length of the replay
  SizeRequest sizes;
  std::optional<int> keyframe;  // not given: 0; -1: the reference configuration
  double noise_std = 0.01;
  double noise_rate = 0.1;
  std::string replay;
  std::string function = "step";
  std::vector<std::string> overrides;
  bool ignore_unsupported = false;

  std::string device;  // empty: the first GPU, else the CPU
  Precision precision = Precision::single_;
  int threads = 0;  // 0: all
  bool sync_each_step = false;
  bool stop_on_overflow = true;

  int workers = 0;  // 0: one a processor
  bool clear_kernel_cache = false;
  std::string kernel_cache_dir;
  bool compile_only = false;
  std::string arch;
  bool dry_run = false;

  int verbosity = 0;
  Format format = Format::human;
  std::string output, dump;
  bool event_trace = false, measure_alloc = false, measure_solver = false, memory = false,
       info = false;
  bool profile = false;
  ColorChoice color = ColorChoice::automatic;

  std::string expect_hash;
  bool require_converged = false;
};

/// Reads the command line.
/// @param text  gets what to print to stdout when help or the version was asked for; the result is
/// nullopt then
/// @throws Error{Exit::input} for an unknown flag, a missing or malformed value, or one out of
/// range
std::optional<Options> read_options(int argc, const char* const* argv, std::string* text);

}  // namespace mjjit
