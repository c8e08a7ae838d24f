#include "sim/session.h"

#include <algorithm>

#include "base/clock.h"
#include "base/error.h"

namespace mjjit {
namespace {

std::vector<Launch> joined(std::vector<Launch> first, const std::vector<Launch>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

bool steps(const RunSetup& setup) { return setup.function == "step"; }

/// Steps whose totals are counted; a function that does not step has one row.
int counted_steps(const RunSetup& setup) { return steps(setup) ? setup.nstep : 1; }

}  // namespace

std::vector<Launch> launches_of(const Plan& plan, const std::string& function) {
  const std::vector<Launch> all = joined(joined(plan.control, plan.forward), plan.integrate);
  if (function == "step") {
    return all;
  }
  if (function == "forward") {
    return plan.forward;
  }
  std::vector<Launch> chosen;
  std::vector<std::string> known = {"step", "forward"};
  for (const Launch& launch : all) {
    if (launch.stage == function) {
      chosen.push_back(launch);
    }
    if (std::find(known.begin(), known.end(), launch.stage) == known.end()) {
      known.push_back(launch.stage);
    }
  }
  if (chosen.empty()) {
    fail(Exit::input, "--function {}: this scene has {}", function, fmt::join(known, ", "));
  }
  return chosen;
}

std::vector<Array> run_arrays(const Model& model, const RunSizes& sizes, const RunSetup& setup) {
  std::vector<Array> arrays =
      list_arrays(model, sizes, setup.precision, setup.nworld, setup.with_dump);
  const int steps = counted_steps(setup);
  arrays.push_back({"step_counter", true, true, steps, NCOUNTER,
                    sizeof(int) * NCOUNTER * static_cast<std::size_t>(steps)});
  const std::size_t real = setup.precision == Precision::double_ ? sizeof(double) : sizeof(float);
  arrays.push_back(
      {"replay_ctrl", true, false, setup.centre.rows, model.nu, setup.centre.ctrl.size() * real});
  return arrays;
}

Session::Session(Device& device, const Model& model, const RunSetup& setup,
                 const SizeRequest& sizes, const JitOptions& jit)
    : device_(device), setup_(setup), sizes_(sizes), room_(run_sizes(model, sizes)) {
  arrays_ = run_arrays(model, room_, setup);
  check_memory(device.info(), memory_need(arrays_, setup.nworld), setup.nworld);

  const Stopwatch compiling;
  plan_ = make_plan(model, room_, setup.precision, device.backend());
  function_ = launches_of(plan_, setup.function);
  program_ = compile_program(plan_, jit);
  device_.load(program_);
  jit_seconds_ = compiling.seconds();
  for (CompiledModule& module : program_.modules) {
    module_bytes_.push_back(module.image.size());
    module.image = {};  // the device has it
  }

  allocate(model);
  const Stopwatch preparing;
  prepare();
  jit_seconds_ += preparing.seconds();
  reset();
}

Session::~Session() { device_.clear(); }

void Session::allocate(const Model& model) {
  buffers_ = std::make_unique<Buffers>(device_, model, room_, setup_.precision, setup_.nworld,
                                       setup_.with_dump);
  buffers_->set_noise(setup_.noise_std, setup_.noise_rate);
  buffers_->set_replay(setup_.centre.ctrl, setup_.centre.rows);
  buffers_->set_counters(counted_steps(setup_));
}

void Session::prepare() {
  auto ready = [&](const std::vector<Launch>& launches) {
    return device_.prepare(plan_, launches, buffers_->model_image(), buffers_->data_image(),
                           setup_.nworld);
  };
  function_handle_ = ready(function_);
  if (!steps(setup_) || setup_.with_dump) {
    forward_handle_ = ready(joined(plan_.control, plan_.forward));
  }
  if (setup_.sync_each_step && steps(setup_)) {
    control_handle_ = ready(plan_.control);
    uncontrolled_handle_ = ready(joined(plan_.forward, plan_.integrate));
  }
}

void Session::reset() {
  buffers_->clear();
  buffers_->fill("time", {setup_.start.time});
  buffers_->fill("qpos", setup_.start.qpos);
  buffers_->fill("qvel", setup_.start.qvel);
  buffers_->fill("act", setup_.start.act);
  buffers_->fill("ctrl", setup_.start.ctrl);
  buffers_->fill("mocap_pos", setup_.start.mocap_pos);
  buffers_->fill("mocap_quat", setup_.start.mocap_quat);
  if (!steps(setup_)) {
    forward();  // a stage finds there what the stages before it leave
  }
  buffers_->clear_counters();
}

double Session::advance(int times) {
  if (uncontrolled_handle_ < 0) {
    return device_.run(function_handle_, times, setup_.sync_each_step);
  }
  double seconds = 0;
  for (int i = 0; i < times; ++i) {
    device_.run(control_handle_, 1);
    seconds += device_.run(uncontrolled_handle_, 1, true);
  }
  return seconds;
}

void Session::forward() { device_.run(forward_handle_, 1); }

}  // namespace mjjit
