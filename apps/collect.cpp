#include "collect.h"

#include <fmt/format.h>

namespace mjjit {
namespace {

StepFigures step_figures(const StepSeries& series) {
  return {series.contacts, series.alloc,     series.rows,           series.rows_max,
          series.niter,    series.niter_max, series.niter_histogram};
}

SizeFigures size_figures(const Rollout& rollout, const Model& model) {
  SizeFigures sizes;
  sizes.nconmax = *rollout.sizes.nconmax;
  sizes.njmax = *rollout.sizes.njmax;
  sizes.nccdmax = rollout.sizes.nccdmax.value_or(rollout.room.nccdmax);
  sizes.found = rollout.sizes_found;
  // generous sizes of a small run are not worth passing on: the flags come from what was wanted
  sizes.flags = size_flags(model, sizes_from_demand(model, SizeRequest{}, rollout.demand));
  sizes.most_ncon = rollout.demand.ncon;
  sizes.most_nefc = rollout.demand.nefc;
  sizes.most_nccd = rollout.demand.nccd;
  return sizes;
}

std::string divergence(const Rollout& rollout, int nworld) {
  const int count = nworld - rollout.converged;
  return fmt::format("{} world{} did not stay finite: {}{}", count, count == 1 ? "" : "s",
                     fmt::join(rollout.diverged, ", "),
                     count > static_cast<int>(rollout.diverged.size()) ? ", ..." : "");
}

}  // namespace

ModuleFigures module_figures(const CompiledModule& module) {
  ModuleFigures figures = {module.name,   module.hash,     module.ms,           module.cached,
                           module.worker, module.start_ms, module.image.size(), {}};
  for (const KernelUsage& usage : module.usage) {
    figures.kernels.push_back({usage.kernel, usage.registers,
                               usage.spill_store_bytes + usage.spill_load_bytes, usage.stack_bytes,
                               usage.shared_bytes});
  }
  return figures;
}

std::vector<ModuleFigures> module_figures(const std::vector<CompiledModule>& modules) {
  std::vector<ModuleFigures> figures;
  for (const CompiledModule& module : modules) {
    figures.push_back(module_figures(module));
  }
  return figures;
}

Result start_result(const Options& options, const Model& model, const Environment& environment) {
  Result result;
  result.scene = options.scene;
  result.function = options.function;
  result.precision = options.precision == Precision::double_ ? "double" : "float";
  result.nworld = options.nworld;
  result.timestep = model.opt_timestep[0];
  result.sync_each_step = options.sync_each_step;
  result.environment = environment;
  return result;
}

void add_device(const DeviceInfo& device, const std::string& arch, Result* result) {
  result->environment.device_id = device.id;
  result->environment.device_name = device.name;
  result->environment.arch = arch.empty() ? device.arch : arch;
  result->environment.driver = device.driver;
  result->environment.threads = device.id == "cpu" ? device.threads : 0;
  result->device_memory = device.memory_total;
}

void add_memory(const std::vector<Array>& arrays, Result* result) {
  for (const Array& array : arrays) {
    result->memory.push_back({array.name, array.is_int ? "int" : "real", array.is_model, array.rows,
                              array.columns, array.bytes});
    (array.is_model ? result->model_memory : result->data_memory) += array.bytes;
  }
}

void add_program(const Program& program, Result* result) {
  result->modules = module_figures(program.modules);
  result->compile_ms = program.compile_ms;
  result->environment.compiler = program.compiler;
}

void add_rollout(const Rollout& rollout, const Model& model, Result* result) {
  add_program(rollout.program, result);
  for (std::size_t i = 0; i < rollout.module_bytes.size(); ++i) {
    result->modules[i].bytes = rollout.module_bytes[i];
  }
  add_memory(rollout.arrays, result);
  result->total_memory = rollout.total_bytes;
  result->jit_duration = rollout.jit_seconds;
  result->trial_duration = rollout.trial_seconds;
  result->run_time = rollout.run_seconds;
  result->nstep = rollout.steps_done;
  result->interrupted = rollout.interrupted;
  result->converged_worlds = rollout.converged;
  result->steps = step_figures(rollout.series);
  result->state_hash = rollout.state_hash;
  result->sizes = size_figures(rollout, model);
  for (const Overflow& over : rollout.overflow) {
    result->overflows.push_back(describe(over, rollout, result->nworld));
  }
  for (const TracedLaunch& launch : rollout.trace) {
    result->trace.push_back({launch.stage, launch.kernel, 1e6 * launch.ms / result->nworld});
  }
  if (rollout.converged < result->nworld) {
    result->diverged = divergence(rollout, result->nworld);
  }
}

}  // namespace mjjit
