#include "inspect.h"

#include "base/error.h"
#include "collect.h"
#include "describe.h"
#include "report/tables.h"

namespace mjjit {

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
    add_device(device->info(), arch, &app->result);
    arch = arch.empty() ? device->info().arch : arch;
  }
  const SizeRequest sizes = guess_sizes(model, options.sizes);
  const RunSizes room = run_sizes(model, sizes);
  app->say(data_text(sizes, room, options.nworld));
  const Plan plan = make_plan(model, room, options.precision, backend);
  launches_of(plan, options.function);  // a wrong name is an error here too
  JitOptions jit = jit_options(app, backend, arch);
  jit.on_module = [&](const CompiledModule& module) { app->show_module(module, false); };
  app->progress.begin("compiling", static_cast<int>(plan.modules.size()));
  const Program program = compile_program(plan, jit);
  app->progress.finish();
  add_program(program, &app->result);
  app->result.jit_duration = program.seconds;
  app->say(fmt::format("\n{}", compile_text(app->result.modules)));
  app->say(fmt::format("\nTotal JIT time: {:.2f} s\n{}, {} workers, compile work {:.2f} s\n",
                       program.seconds, program.compiler, jit.workers, program.compile_ms / 1e3));
  app->report();
  return static_cast<int>(Exit::good);
}

int dry_run(App* app, const Model& model, const RunSetup& setup) {
  const Options& options = app->options;
  const std::unique_ptr<Device> device = open_device(device_id(options), options.threads);
  add_device(device->info(), options.arch, &app->result);
  const SizeRequest sizes = guess_sizes(model, options.sizes);
  const RunSizes room = run_sizes(model, sizes);
  const Plan plan = make_plan(model, room, options.precision, device->backend());
  launches_of(plan, setup.function);  // a wrong name is an error here too
  const std::vector<Array> arrays = run_arrays(model, room, setup);
  add_memory(arrays, &app->result);
  app->result.total_memory = app->result.model_memory + app->result.data_memory;
  for (const Module& module : plan.modules) {
    app->result.modules.push_back({module.name, "", 0, false, 0, 0, 0, {}});
  }
  app->result.sizes = {
      *sizes.nconmax, *sizes.njmax, room.nccdmax, false, size_flags(model, sizes), 0, 0, 0};
  app->say(data_text(sizes, room, options.nworld));
  if (!options.sizes.complete()) {
    app->say("  (guessed; a run finds them by a trial)\n");
  }
  app->say(plan_text(plan) + memory_text(app->result));
  app->report();
  check_memory(device->info(), memory_need(arrays, options.nworld), options.nworld);
  return static_cast<int>(Exit::good);
}

}  // namespace mjjit
