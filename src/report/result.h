#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mjjit {

// What a run measured, as plain values. Everything that is printed or written to a file is made
// from these.

/// One kernel of a compiled module; CUDA only.
struct KernelFigures {
  std::string kernel;
  int registers = 0;
  int spill_bytes = 0;  // stores and loads together
  int stack_bytes = 0;
  int shared_bytes = 0;
};

struct ModuleFigures {
  std::string name;
  std::string hash;  // first digits of the cache key
  double ms = 0;     // to compile, or to read from the cache
  bool cached = false;
  int worker = 0;
  double start_ms = 0;    // since the start of the JIT
  std::size_t bytes = 0;  // of the compiled module
  std::vector<KernelFigures> kernels;
};

/// What must be known beside a number to compare it with another one.
struct Environment {
  std::string device_id, device_name, arch, driver;
  int threads = 0;       // CPU threads in use; 0 on a GPU
  std::string compiler;  // of the kernels
  std::string commit, version, build;
  std::string host, system, processor;
  std::vector<std::string> command;
};

struct MemoryRow {
  std::string name, type;  // real or int
  bool is_model = false;
  int rows = 0, columns = 0;
  std::size_t bytes = 0;
};

/// Time of one launch of a step, nanoseconds a world-step.
struct TraceRow {
  std::string stage, kernel;
  double ns = 0;
};

/// Totals over all worlds, one element a step.
struct StepFigures {
  std::vector<double> contacts;   // contacts of all worlds
  std::vector<double> alloc;      // the larger of contacts and near geom pairs, of all worlds
  std::vector<double> rows;       // constraint rows of all worlds
  std::vector<double> rows_max;   // of the world with the most
  std::vector<double> niter;      // solver iterations of all worlds
  std::vector<double> niter_max;  // of the world with the most
  std::vector<std::int64_t> niter_histogram;  // [iterations] world-steps; empty: not counted
};

struct SizeFigures {
  int nconmax = 0, njmax = 0, nccdmax = 0;
  bool found = false;                               // rather than given
  std::string flags;                                // to paste
  int most_ncon = 0, most_nefc = 0, most_nccd = 0;  // wanted by any world at any step
};

struct Result {
  std::string scene, function, precision;
  int nworld = 0;
  int nstep = 0;  // done
  int nstep_asked = 0;
  double timestep = 0;  // seconds
  bool interrupted = false;
  bool sync_each_step = false;

  double jit_duration = 0;    // seconds
  double trial_duration = 0;  // seconds spent on finding sizes
  double run_time = 0;        // seconds
  int converged_worlds = 0;
  std::string diverged;  // which worlds did not stay finite; empty: none
  std::size_t model_memory = 0, data_memory = 0, total_memory = 0, device_memory = 0;  // bytes
  StepFigures steps;
  std::string state_hash;

  int workers = 0;
  double compile_ms = 0;  // summed over modules
  std::vector<ModuleFigures> modules;
  SizeFigures sizes;
  std::vector<std::string> overflows;  // one line a limit
  std::vector<std::string> warnings;
  std::vector<MemoryRow> memory;
  std::vector<TraceRow> trace;
  Environment environment;

  double world_steps() const { return static_cast<double>(nworld) * nstep; }
};

}  // namespace mjjit
