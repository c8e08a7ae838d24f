#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/buffers.h"
#include "sim/initial_state.h"
#include "sim/replay.h"
#include "sim/sizing.h"

namespace mjjit {

/// What the worlds do, whatever the sizes of their buffers.
struct RunSetup {
  int nworld = 8192;
  int nstep = 1000;
  std::string function = "step";  // step, forward, or a stage of the plan
  Precision precision = Precision::single_;
  InitialState start;
  ControlCentre centre;
  double noise_std = 0.01;      // of half the control range
  double noise_rate = 0.1;      // seconds
  bool sync_each_step = false;  // wait after each step, and keep control noise outside the clock
  bool with_dump = false;
};

/// Launches that `function` stands for; for "step" control, forward and integrate.
/// @throws Error{Exit::input} listing the stages of the plan when there is no such function
std::vector<Launch> launches_of(const Plan& plan, const std::string& function);

/// All arrays that a run allocates: those of Buffers, and after them what the worlds share besides
/// the model: the counters of the steps and the controls to follow.
std::vector<Array> run_arrays(const Model& model, const RunSizes& sizes, const RunSetup& setup);

/// One scene made ready on a device with certain sizes: compiled, loaded, allocated, at its initial
/// state. The device is cleared when the session ends.
class Session {
 public:
  /// @throws Error{Exit::device} when the worlds do not fit (before anything is compiled) or a
  /// module does not compile
  Session(Device& device, const Model& model, const RunSetup& setup, const SizeRequest& sizes,
          const JitOptions& jit);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Initial state in every world, no warm start, counters at zero.
  void reset();
  /// Runs the setup's function `times` times; seconds by the device's clock.
  double advance(int times);
  /// Control of the next step, then everything from there to the acceleration; the state stays as
  /// it is.
  void forward();
  /// Milliseconds of each launch of one repetition.
  std::vector<double> trace() { return device_.trace(function_handle_); }

  /// Counters of the steps done, [rows × NCOUNTER]; for a function that does not step there is one
  /// row.
  std::vector<int> counters() const { return buffers_->counters(); }

  const Program& program() const { return program_; }
  /// Sizes of the compiled modules, whose images are not kept.
  const std::vector<std::size_t>& module_bytes() const { return module_bytes_; }
  const SizeRequest& sizes() const { return sizes_; }
  const RunSizes& room() const { return room_; }
  const RunSetup& setup() const { return setup_; }
  const Buffers& buffers() const { return *buffers_; }
  /// Launches that trace() times, in order.
  const std::vector<Launch>& launches() const { return function_; }
  /// All that is allocated, see run_arrays.
  const std::vector<Array>& arrays() const { return arrays_; }
  /// Seconds from the start of specialisation to the last module loaded and the launches ready.
  double jit_seconds() const { return jit_seconds_; }

 private:
  void allocate(const Model& model);
  void prepare();

  Device& device_;
  RunSetup setup_;
  SizeRequest sizes_;
  RunSizes room_;
  Plan plan_;
  Program program_;
  std::vector<std::size_t> module_bytes_;
  std::unique_ptr<Buffers> buffers_;
  std::vector<Array> arrays_;
  std::vector<Launch> function_;
  int function_handle_ = -1, control_handle_ = -1, forward_handle_ = -1, uncontrolled_handle_ = -1;
  double jit_seconds_ = 0;
};

}  // namespace mjjit
