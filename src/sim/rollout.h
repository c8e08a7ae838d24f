#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/metrics.h"
#include "sim/npz.h"
#include "sim/session.h"

namespace mjjit {

struct RolloutOptions {
  RunSetup setup;
  SizeRequest sizes;
  JitOptions jit;
  bool stop_on_overflow = true;  // an overflow is an error; else it is counted and the run goes on
  bool trace = false;            // time each launch afterwards
  bool in_one_piece = false;     // no look at the clock between steps, for an outside profiler
};

/// What a rollout tells while it runs.
struct RolloutWatch {
  std::function<void(int modules, bool is_trial)> on_compile;  // before a program is compiled
  std::function<void(const CompiledModule&, bool is_trial)> on_module;
  std::function<void(const Session&)> on_ready;  // before the first step of the measured run
  std::function<void(int done, int of)> on_steps;
  std::function<void(const std::string&)> on_note;  // a line about what is going on
  std::function<bool()> stop;                       // asked between pieces of the run
};

struct TracedLaunch {
  std::string stage, kernel;
  double ms = 0;  // of one step of all worlds
};

/// How a run went.
struct Rollout {
  SizeRequest sizes;
  RunSizes room;
  bool sizes_found = false;  // by a trial, rather than given
  Demand demand;             // the most that any world wanted
  double trial_seconds = 0;  // spent on finding sizes
  int steps_done = 0;        // less than asked for after an interruption
  bool interrupted = false;
  double jit_seconds = 0;
  double run_seconds = 0;
  Program program;                        // without the modules' bytes
  std::vector<std::size_t> module_bytes;  // how many they were
  StepSeries series;                      // empty for a function that does not step
  std::vector<Overflow> overflow;
  int overflow_worlds = 0;    // most worlds at one step
  int converged = 0;          // worlds whose qpos and qvel are finite
  std::vector<int> diverged;  // the first few worlds of which this is not so
  std::string state_hash;
  std::vector<Array> arrays;
  std::size_t total_bytes = 0;  // the most device memory held
  std::vector<TracedLaunch> trace;
  std::optional<NpzWriter> dump;
};

/// One line about a limit that was too small: "nconmax 4 is too small: 32 wanted (...); --nconmax
/// 44 would do".
std::string describe(const Overflow& over, const Rollout& out, int nworld);

/// Finds sizes where they are left out, compiles, runs, measures.
/// A run of few worlds is its own trial: it starts with generous sizes and is run again with larger
/// ones if they do not suffice. For many worlds a trial on a few of them finds the sizes first.
/// @throws Error{Exit::overflow} with a line a limit; Error{Exit::device} when it does not fit or
/// does not compile
Rollout roll_out(Device& device, const Model& model, const RolloutOptions& options,
                 const RolloutWatch& watch);

}  // namespace mjjit
