#include <atomic>
#include <charconv>
#include <cstring>
#include <mutex>
#include <sstream>

#include "base/clock.h"
#include "base/error.h"
#include "jit/cache.h"
#include "jit/compiler.h"
#include "jit/key.h"
#include "jit/program.h"
#include "jit/schedule.h"
#include "jit/sources.h"

namespace mjjit {

namespace {

/// What a cache entry holds: a text with a line a kernel, its length before it, the image behind
/// it.
std::vector<char> pack(const CompilerOutput& output) {
  std::string text;
  for (const KernelUsage& u : output.usage) {
    text += fmt::format("{} {} {} {} {} {}\n", u.kernel, u.registers, u.spill_store_bytes,
                        u.spill_load_bytes, u.stack_bytes, u.shared_bytes);
  }
  const std::string head = fmt::format("{:08}\n{}", text.size(), text);
  std::vector<char> payload(head.begin(), head.end());
  payload.insert(payload.end(), output.image.begin(), output.image.end());
  return payload;
}

/// @return false when it is not what pack() makes
bool unpack(const std::vector<char>& payload, CompilerOutput& output) {
  constexpr std::size_t length_bytes = 9;
  std::size_t length = 0;
  if (payload.size() < length_bytes ||
      std::from_chars(payload.data(), payload.data() + length_bytes - 1, length).ec !=
          std::errc() ||
      length > payload.size() - length_bytes) {
    return false;
  }
  const char* text = payload.data() + length_bytes;
  std::istringstream in(std::string(text, length));
  KernelUsage u;
  while (in >> u.kernel >> u.registers >> u.spill_store_bytes >> u.spill_load_bytes >>
         u.stack_bytes >> u.shared_bytes) {
    output.usage.push_back(u);
  }
  output.image.assign(text + length, payload.data() + payload.size());
  return !output.image.empty();
}

std::filesystem::path cache_folder(const JitOptions& options) {
  if (!options.use_cache) {
    return {};
  }
  const std::filesystem::path folder =
      options.cache_dir.empty() ? default_cache_dir() : options.cache_dir;
  if (folder.empty() && options.warn) {
    options.warn(
        "no kernel cache: neither XDG_CACHE_HOME nor HOME is set; --kernel_cache_dir names a "
        "folder");
  }
  return folder;
}

/// One module from the cache or the compiler.
CompiledModule load_module(const Module& module, const Compiler& compiler,
                           const std::vector<SourceFile>& sources, KernelCache& cache) {
  const std::string key = cache_key({compiler.identity(), compiler.options(module), sources});
  CompiledModule result;
  result.name = module.name;
  result.hash = key.substr(0, 7);
  CompilerOutput output;
  const std::optional<std::vector<char>> entry = cache.read(module.name, key);
  if (entry && unpack(*entry, output)) {
    result.cached = true;
  } else {
    output = compiler.compile(module, sources);
    cache.write(module.name, key, pack(output));
  }
  result.image = std::move(output.image);
  result.usage = std::move(output.usage);
  return result;
}

}  // namespace

Program compile_program(const Plan& plan, const JitOptions& options,
                        const std::vector<EmbeddedFile>& files) {
  const Stopwatch clock;
  const std::unique_ptr<Compiler> compiler =
      options.backend == Backend::cuda ? make_nvrtc(options) : make_host_compiler(options);
  KernelCache cache(cache_folder(options), options.warn);
  Program program;
  program.compiler = compiler->name();
  program.modules.resize(plan.modules.size());
  std::vector<double> cost;
  for (const Module& module : plan.modules) {
    cost.push_back(module.cost);
  }

  std::mutex report;
  run_tasks(cost, options.workers, [&](int task, int worker) {
    const Module& module = plan.modules[task];
    const double start_ms = clock.ms();
    CompiledModule result =
        load_module(module, *compiler,
                    module_sources(module.file, options.backend, plan.sizes_h, files), cache);
    result.worker = worker;
    result.start_ms = start_ms;
    result.ms = clock.ms() - start_ms;
    program.modules[task] = std::move(result);
    const std::lock_guard lock(report);
    program.compile_ms += program.modules[task].ms;
    if (options.on_module) {
      options.on_module(program.modules[task]);
    }
  });
  program.seconds = clock.seconds();
  return program;
}

Program compile_program(const Plan& plan, const JitOptions& options) {
  return compile_program(plan, options, embedded_kernels());
}

}  // namespace mjjit
