#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "jit/embedded.h"
#include "jit/plan.h"

namespace mjjit {

/// Figures of one compiled CUDA kernel, read from its cubin.
struct KernelUsage {
  std::string kernel;
  int registers = 0;
  int spill_store_bytes = 0, spill_load_bytes = 0, stack_bytes = 0;
  int shared_bytes = 0;
};

/// A module ready to be loaded by a device, and how it came about.
struct CompiledModule {
  std::string name;
  std::string hash;         // first 7 hex digits of the cache key
  std::vector<char> image;  // cubin, or the bytes of a shared object
  double ms = 0;            // compile, or read from the cache
  bool cached = false;
  int worker = 0;
  double start_ms = 0;             // since the start of the JIT
  std::vector<KernelUsage> usage;  // CUDA only
};

struct JitOptions {
  Precision precision = Precision::single_;
  Backend backend = Backend::cpu;
  std::string arch;  // sm_90, or the host compiler's -march
  int workers = 1;
  bool use_cache = true;  // false: neither read nor written, and the compiler's own cache is off
  bool compiler_cache_off = false;  // --clear_kernel_cache: compile with NVRTC's --no-cache
  std::filesystem::path cache_dir;  // empty: $XDG_CACHE_HOME/mjjit, else ~/.cache/mjjit
  std::function<void(const CompiledModule&)>
      on_module;  // called once a module, from the worker, one at a time
  std::function<void(const std::string&)> warn;
};

/// All modules of a plan, compiled or read from the cache.
struct Program {
  std::vector<CompiledModule> modules;  // in the plan's order
  double seconds = 0;
  double compile_ms = 0;  // summed over modules
  std::string compiler;   // "NVRTC 13.0", "c++ (Debian 12.2.0-14) 12.2.0"
};

/// Compiles every module of the plan on `options.workers` threads, the most expensive first.
/// @throws Error{Exit::device} with the first compiler error and its source line; the full log is
/// in a file it names
Program compile_program(const Plan& plan, const JitOptions& options);

/// The same with other kernel files than those of this build; for tests.
Program compile_program(const Plan& plan, const JitOptions& options,
                        const std::vector<EmbeddedFile>& files);

/// Removes every entry of the kernel cache, and nothing else that may be in its folder. Returns how
/// many there were.
int clear_cache(const std::filesystem::path& cache_dir);

/// The folder that is used when none is given on the command line.
std::filesystem::path default_cache_dir();

}  // namespace mjjit
