// testspeed: parse the scene, compile every kernel it needs, roll out many worlds, report. Only this file prints, and only
// main catches.
#include <cstdio>
#include <exception>
#include <new>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "collect.h"
#include "commit.h"
#include "describe.h"
#include "interrupt.h"
#include "mjcf/read.h"
#include "options.h"
#include "report/environment.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/tables.h"
#include "report/text.h"
#include "sim/overrides.h"
#include "sim/phase.h"
#include "sim/rollout.h"

namespace mjjit {
namespace {

constexpr int kDefaultSteps = 1000;

/// Everything one run passes around.
struct App {
  const Options& options;
  Progress& progress;
  Result result;

  bool is_human() const { return options.format == Format::human; }
  /// Text of the human format, at once: what comes later may take long.
  void say(const std::string& text) const {
    if (is_human()) {
      fmt::print("{}", text);
      std::fflush(stdout);
    }
  }
  void warn(const std::string& text) {
    const bool color = use_color(options.color, 2);
    progress.line(fmt::format("{} {}", colored("warning:", "33", color), text));
    result.warnings.push_back(text);
  }
};

Model load_model(const Options& options) {
  const Phase phase("parse");
  Spec spec = read_mjcf(options.scene);
  apply_overrides(options.overrides, &spec.option);
  Model model = compile(spec, options.ignore_unsupported);
  model.warnings.insert(model.warnings.begin(), spec.warnings.begin(), spec.warnings.end());
  return model;
}

/// Where the worlds start and what control they follow: the replay's, else the keyframe's, else none.
RunSetup run_setup(const Options& options, const Model& model) {
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
    setup.start = std::move(replay.start);
    setup.centre = std::move(replay.centre);
    setup.nstep = options.nstep.value_or(setup.centre.rows);
  } else if (options.keyframe >= 0 && (model.nkey > 0 || options.keyframe > 0)) {
    setup.start = keyframe_state(model, options.keyframe);
    setup.centre = {setup.start.ctrl, 1};
  } else {
    setup.start = reference_state(model);
  }
  return setup;
}

int worker_count(const Options& options) {
  return options.workers > 0 ? options.workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

JitOptions jit_options(App* app, Backend backend, const std::string& arch) {
  JitOptions jit;
  jit.precision = app->options.precision;
  jit.backend = backend;
  jit.arch = arch;
  jit.workers = worker_count(app->options);
  jit.compiler_cache_off = app->options.clear_kernel_cache;
  jit.cache_dir = app->options.kernel_cache_dir.empty() ? default_cache_dir() : std::filesystem::path(app->options.kernel_cache_dir);
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

/// A module's line, and its part of the progress bar.
void show_module(App* app, const CompiledModule& module, bool is_trial) {
  if (app->options.verbosity >= (is_trial ? 2 : 1)) {
    app->progress.line(module_line(module_figures(module), app->result.environment.device_id));
  }
  app->progress.advance(module.name);
}

/// Prints the tables that were asked for.
void say_tables(const App& app) {
  const Options& options = app.options;
  app.say(options.event_trace ? trace_text(app.result) : "");
  app.say(options.measure_alloc ? alloc_text(app.result) : "");
  app.say(options.measure_solver ? solver_text(app.result) : "");
  app.say(options.memory ? memory_text(app.result) : "");
}

/// The result in the form that was asked for, and to a file.
void report(const App& app) {
  if (app.options.format == Format::json) {
    fmt::print("{}", json_text(app.result));
  } else if (app.options.format == Format::short_) {
    fmt::print("{}", short_text(app.result));
  }
  std::fflush(stdout);
  if (!app.options.output.empty()) {
    write_file_atomic(app.options.output, json_text(app.result));
  }
}

std::string device_id(const Options& options) {
  return !options.device.empty() ? options.device : has_cuda_device() ? "cuda:0" : "cpu";
}

/// --compile_only: everything but a device. An architecture sm_NN needs no GPU.
int compile_only(App* app, const Model& model) {
  const Options& options = app->options;
  Backend backend = Backend::cpu;
  std::string arch = options.arch;
  if (arch.rfind("sm_", 0) == 0) {
    backend = Backend::cuda;
    app->result.environment.device_id = arch;
    app->result.environment.arch = arch;
  } else {
    const std::unique_ptr<Device> device = open_device(device_id(options), options.threads);
    backend = device->backend();
    add_device(device->info(), &app->result);
    arch = arch.empty() ? device->info().arch : arch;
  }
  const SizeRequest sizes = guess_sizes(model, options.sizes);
  const RunSizes room = run_sizes(model, sizes);
  app->say(data_text(sizes, room, options.nworld));
  const Plan plan = make_plan(model, room, options.precision, backend);
  JitOptions jit = jit_options(app, backend, arch);
  jit.on_module = [&](const CompiledModule& module) { show_module(app, module, false); };
  app->progress.begin("compiling", static_cast<int>(plan.modules.size()));
  const Program program = compile_program(plan, jit);
  app->progress.finish();
  add_program(program, &app->result);
  app->result.jit_duration = program.seconds;
  app->say(fmt::format("\n{}", compile_text(app->result.modules)));
  app->say(fmt::format("\nTotal JIT time: {:.2f} s\n{}, {} workers, compile work {:.2f} s\n", program.seconds, program.compiler,
                       jit.workers, program.compile_ms / 1e3));
  report(*app);
  return static_cast<int>(Exit::good);
}

/// --dry_run: sizes, modules and memory of the run; the sizes that a trial would find are guessed.
int dry_run(App* app, const Model& model, const RunSetup& setup) {
  const Options& options = app->options;
  const std::unique_ptr<Device> device = open_device(device_id(options), options.threads);
  add_device(device->info(), &app->result);
  const SizeRequest sizes = guess_sizes(model, options.sizes);
  const RunSizes room = run_sizes(model, sizes);
  const Plan plan = make_plan(model, room, options.precision, device->backend());
  add_memory(list_arrays(model, room, options.precision, options.nworld, setup.with_dump), &app->result);
  app->result.total_memory = app->result.model_memory + app->result.data_memory;
  for (const Module& module : plan.modules) {
    app->result.modules.push_back({module.name, "", 0, false, 0, 0, 0, {}});
  }
  app->result.sizes = {*sizes.nconmax, *sizes.njmax, room.nccdmax, false, size_flags(model, sizes), 0, 0, 0};
  app->say(data_text(sizes, room, options.nworld));
  if (!options.sizes.complete()) {
    app->say("  (guessed; a run finds them by a trial)\n");
  }
  app->say(plan_text(plan) + memory_text(app->result));
  report(*app);
  const MemoryNeed need = memory_need(model, room, options.precision, options.nworld, setup.with_dump);
  check_memory(device->info(), need, options.nworld);
  return static_cast<int>(Exit::good);
}

RolloutWatch rollout_watch(App* app) {
  RolloutWatch watch;
  watch.on_compile = [app](int modules, bool is_trial) {
    defer_interrupts(false);
    app->progress.begin(is_trial ? "compiling for the trial" : "compiling", modules);
  };
  watch.on_module = [app](const CompiledModule& module, bool is_trial) { show_module(app, module, is_trial); };
  watch.on_ready = [app](const Session& session) {
    defer_interrupts(true);
    app->progress.finish();
    const RunSetup& setup = session.setup();
    app->say(data_text(session.sizes(), session.room(), setup.nworld));
    app->say(rolling_text(setup.function, setup.nstep, app->result.timestep));
    app->progress.begin("rolling out", setup.nstep);
  };
  watch.on_steps = [app](int done, int) { app->progress.update(done); };
  watch.on_note = [app](const std::string& text) { app->progress.line(text); };
  watch.stop = was_interrupted;
  return watch;
}

/// What the result must fulfil; the exit code.
int check_result(const App& app) {
  const Result& result = app.result;
  if (result.interrupted) {
    return kInterrupted;
  }
  if (!app.options.expect_hash.empty() && app.options.expect_hash != result.state_hash) {
    fail(Exit::worse, "state hash is {}, expected {}", result.state_hash, app.options.expect_hash);
  }
  if (app.options.require_converged && result.converged_worlds < result.nworld) {
    fail(Exit::worse, "{}", result.diverged);
  }
  return static_cast<int>(Exit::good);
}

int roll(App* app, const Model& model, RunSetup setup) {
  const Options& options = app->options;
  const std::unique_ptr<Device> device = open_device(device_id(options), options.threads);
  const DeviceInfo info = device->info();
  add_device(info, &app->result);
  RolloutOptions rolling;
  rolling.setup = std::move(setup);
  rolling.sizes = options.sizes;
  rolling.jit = jit_options(app, device->backend(), options.arch.empty() ? info.arch : options.arch);
  rolling.stop_on_overflow = options.stop_on_overflow;
  rolling.trace = options.event_trace;
  rolling.in_one_piece = options.profile;
  if (options.profile && !Phase::is_marked()) {
    app->warn("--profile: this build has no NVTX headers, so no ranges are marked");
  }
  app->result.nstep_asked = rolling.setup.nstep;
  const Rollout rollout = roll_out(*device, model, rolling, rollout_watch(app));
  app->progress.finish();
  defer_interrupts(false);
  add_rollout(rollout, model, &app->result);
  if (rollout.interrupted && rollout.steps_done == 0) {
    app->progress.line("interrupted before the first step");
    return kInterrupted;
  }
  for (const std::string& overflow : app->result.overflows) {
    app->progress.line(fmt::format("warning: {}", overflow));
  }
  if (rollout.dump && !rollout.interrupted) {
    rollout.dump->write(options.dump);
  }
  app->say(summary_text(app->result));
  say_tables(*app);
  report(*app);
  return check_result(*app);
}

int run(const Options& options, int argc, const char* const* argv, Progress* progress) {
  const Environment environment = host_environment(MJJIT_COMMIT, MJJIT_VERSION, MJJIT_BUILD, argc, argv);
  App app = {options, *progress, {}};
  app.say(fmt::format("Loading model from: {}...\n\n", options.scene));
  const Model model = load_model(options);
  app.result = start_result(options, model, environment);
  for (const std::string& warning : model.warnings) {
    app.warn(warning);
  }
  app.say(model_text(model, options.info));
  if (options.compile_only) {
    return compile_only(&app, model);
  }
  RunSetup setup = run_setup(options, model);
  return options.dry_run ? dry_run(&app, model, setup) : roll(&app, model, std::move(setup));
}

/// One line that begins with "error:", whatever went wrong.
int print_error(const std::string& text, Exit code, ColorChoice color) {
  std::fflush(stdout);
  fmt::print(stderr, "{} {}\n", colored("error:", "31", use_color(color, 2)), text);
  return static_cast<int>(code);
}

int guarded(int argc, const char* const* argv) {
  ColorChoice color = ColorChoice::automatic;
  try {
    std::string text;
    const std::optional<Options> options = read_options(argc, argv, &text);
    if (!options) {
      fmt::print("{}", text);
      return 0;
    }
    color = options->color;
    Progress progress(is_terminal(2));
    return run(*options, argc, argv, &progress);
  } catch (const Error& error) {
    return print_error(error.what(), error.code(), color);
  } catch (const std::bad_alloc&) {
    return print_error("the host ran out of memory; fewer worlds (--nworld) need less", Exit::device, color);
  } catch (const std::exception& error) {
    return print_error(fmt::format("internal: {}", error.what()), Exit::device, color);
  }
}

}  // namespace
}  // namespace mjjit

int main(int argc, char** argv) {
  mjjit::watch_for_interrupts();
  return mjjit::guarded(argc, argv);
}
