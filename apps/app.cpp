#include "app.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "collect.h"
#include "mjcf/read.h"
#include "report/json.h"
#include "report/terminal.h"
#include "report/text.h"
#include "sim/overrides.h"
#include "sim/phase.h"

namespace mjjit {
namespace {

constexpr int kDefaultSteps = 1000;

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;  // a file that is not there is no other's
  return std::filesystem::equivalent(a, b, ignored) && !ignored;
}

int worker_count(const Options& options) {
  return options.workers > 0 ? options.workers
                             : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

void App::say(const std::string& text) const {
  if (options.format == Format::human) {
    fmt::print("{}", text);
    std::fflush(stdout);
  }
}

void App::warn(const std::string& text) {
  progress.line(fmt::format("{} {}", colored("warning:", "33", use_color(options.color, 2)),
                            printable(text)));
  const std::lock_guard lock(warning_mutex);
  result.warnings.push_back(text);
}

void App::show_module(const CompiledModule& module, bool is_trial) {
  if (options.verbosity >= (is_trial ? 2 : 1)) {
    progress.line(module_line(module_figures(module), result.environment.device_id));
  }
  progress.advance(module.name);
}

void App::report() const {
  if (options.format == Format::json) {
    fmt::print("{}", json_text(result));
  } else if (options.format == Format::short_) {
    fmt::print("{}", short_text(result));
  }
  std::fflush(stdout);
  if (!options.output.empty()) {
    write_file_atomic(options.output, json_text(result));
  }
}

Model load_model(const Options& options) {
  const Phase phase("parse");
  Spec spec = read_mjcf(options.scene);
  apply_overrides(options.overrides, &spec.option);
  Model model = compile(spec, options.ignore_unsupported);
  model.warnings.insert(model.warnings.begin(), spec.warnings.begin(), spec.warnings.end());
  return model;
}

void check_outputs(const Options& options) {
  for (const auto& [flag, path] :
       {std::pair("--output", options.output), std::pair("--dump", options.dump)}) {
    if (path.empty()) {
      continue;
    }
    const std::string folder = folder_of(path);
    if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) {
      fail(Exit::input, "{} {}: cannot be written: {}", flag, path, std::strerror(errno));
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      fail(Exit::input, "{} {}: is a folder", flag, path);
    }
    if (is_same_file(path, options.scene) || is_same_file(path, options.replay)) {
      fail(Exit::input, "{} {}: would overwrite an input of this run", flag, path);
    }
  }
  if (!options.output.empty() && std::filesystem::path(options.output).lexically_normal() ==
                                     std::filesystem::path(options.dump).lexically_normal()) {
    fail(Exit::input, "--output and --dump name the same file: {}", options.dump);
  }
}

RunSetup run_setup(App* app, const Model& model) {
  const Options& options = app->options;
  RunSetup setup;
  setup.nworld = options.nworld;
  setup.nstep = options.nstep.value_or(kDefaultSteps);
  setup.function = options.function;
  setup.precision = options.precision;
  setup.noise_std = options.noise_std;
  setup.noise_rate = options.noise_rate;
  setup.sync_each_step = options.sync_each_step;
  setup.with_dump = !options.dump.empty();
  if (!options.replay.empty()) {
    Replay replay = read_replay(options.replay, model);
    for (const std::string& name : replay.unused) {
      app->warn(fmt::format("{}: array '{}' is not used; a replay has ctrl, times, qpos and qvel",
                            options.replay, name));
    }
    setup.start = std::move(replay.start);
    setup.centre = std::move(replay.centre);
    setup.nstep = options.nstep.value_or(setup.centre.rows);
  } else if (const int key = options.keyframe.value_or(0);
             key >= 0 && (model.nkey > 0 || key > 0)) {
    setup.start = keyframe_state(model, key);
    setup.centre = {setup.start.ctrl, 1};
  } else {
    setup.start = reference_state(model);
  }
  return setup;
}

JitOptions jit_options(App* app, Backend backend, const std::string& arch) {
  JitOptions jit;
  jit.precision = app->options.precision;
  jit.backend = backend;
  jit.arch = arch;
  jit.workers = worker_count(app->options);
  jit.compiler_cache_off = app->options.clear_kernel_cache;
  jit.cache_dir = app->options.kernel_cache_dir.empty()
                      ? default_cache_dir()
                      : std::filesystem::path(app->options.kernel_cache_dir);
  jit.warn = [app](const std::string& text) { app->warn(text); };
  app->result.workers = jit.workers;
  if (app->options.clear_kernel_cache) {
    const int removed = clear_cache(jit.cache_dir);
    if (app->options.verbosity >= 1) {
      app->progress.line(fmt::format("Kernel cache cleared: {} entries", removed));
    }
  }
  return jit;
}

std::string device_id(const Options& options) {
  return !options.device.empty() ? options.device : has_cuda_device() ? "cuda:0" : "cpu";
}

}  // namespace mjjit
