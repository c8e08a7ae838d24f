// testspeed: parse the scene, compile every kernel it needs, roll out many worlds, report. Only
// main catches.
#include <cstdio>
#include <exception>
#include <future>
#include <new>

#include "app.h"
#include "base/error.h"
#include "collect.h"
#include "commit.h"
#include "describe.h"
#include "inspect.h"
#include "interrupt.h"
#include "report/environment.h"
#include "report/tables.h"
#include "report/text.h"
#include "sim/phase.h"

namespace mjjit {
namespace {

/// Prints the tables that were asked for.
void say_tables(const App& app) {
  const Options& options = app.options;
  app.say(options.event_trace ? trace_text(app.result) : "");
  app.say(options.measure_alloc ? alloc_text(app.result) : "");
  app.say(options.measure_solver ? solver_text(app.result) : "");
  app.say(options.memory ? memory_text(app.result) : "");
}

RolloutWatch rollout_watch(App* app) {
  RolloutWatch watch;
  watch.on_compile = [app](int modules, bool is_trial) {
    defer_interrupts(false);
    app->progress.begin(is_trial ? "compiling for the trial" : "compiling", modules);
  };
  watch.on_module = [app](const CompiledModule& module, bool is_trial) {
    app->show_module(module, is_trial);
  };
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

int roll(App* app, const Model& model, RunSetup setup, std::unique_ptr<Device> device) {
  const Options& options = app->options;
  const DeviceInfo info = device->info();
  add_device(info, options.arch, &app->result);
  RolloutOptions rolling;
  rolling.setup = std::move(setup);
  rolling.sizes = options.sizes;
  rolling.jit =
      jit_options(app, device->backend(), options.arch.empty() ? info.arch : options.arch);
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
  for (const std::string& overflow : app->result.overflows) {
    app->progress.line(fmt::format("warning: {}", overflow));
  }
  if (rollout.dump && !rollout.interrupted) {
    rollout.dump->write(options.dump);
  }
  app->say(summary_text(app->result));
  say_tables(*app);
  app->report();
  return check_result(*app);
}

/// @param is_loaded   set once the scene is there
int run(const Options& options, int argc, const char* const* argv, Progress* progress,
        bool* is_loaded) {
  const Environment environment =
      host_environment(MJJIT_COMMIT, MJJIT_VERSION, MJJIT_BUILD, argc, argv);
  App app = {options, *progress, {}};
  check_outputs(options);
  app.say(fmt::format("Loading model from: {}...\n\n", printable(options.scene)));

  // a CUDA context takes some tenths of a second; the scene is read meanwhile
  std::future<std::unique_ptr<Device>> device;
  if (!options.compile_only && !options.dry_run) {
    device = std::async(std::launch::async,
                        [&options] { return open_device(device_id(options), options.threads); });
  }
  const Model model = load_model(options);
  *is_loaded = true;
  app.result = start_result(options, model, environment);
  for (const std::string& warning : model.warnings) {
    app.warn(warning);
  }
  app.say(model_text(model, options.info));
  if (options.compile_only) {
    return compile_only(&app, model);
  }
  RunSetup setup = run_setup(&app, model);
  return options.dry_run ? dry_run(&app, model, setup)
                         : roll(&app, model, std::move(setup), device.get());
}

/// One line that begins with "error:", whatever went wrong; only a compiler's own message, of a
/// module that does not compile, takes more.
int print_error(const std::string& text, Exit code, ColorChoice color) {
  std::fflush(stdout);
  fmt::print(stderr, "{} {}\n", colored("error:", "31", use_color(color, 2)),
             printable(text, code == Exit::device));
  return static_cast<int>(code);
}

int guarded(int argc, const char* const* argv) {
  ColorChoice color = ColorChoice::automatic;
  bool is_loaded = false;
  try {
    std::string text;
    const std::optional<Options> options = read_options(argc, argv, &text);
    if (!options) {
      fmt::print("{}", text);
      return 0;
    }
    color = options->color;
    Progress progress(is_terminal(2));
    return run(*options, argc, argv, &progress, &is_loaded);
  } catch (const Error& error) {
    return print_error(error.what(), error.code(), color);
  } catch (const std::bad_alloc&) {
    return print_error(is_loaded
                           ? "the host ran out of memory; fewer worlds (--nworld) need less"
                           : "the host ran out of memory while the scene was read: it is too large",
                       Exit::device, color);
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
