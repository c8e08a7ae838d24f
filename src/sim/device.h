#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "jit/plan.h"
#include "jit/program.h"

namespace mjjit {

struct DeviceInfo {
  std::string name;                               // "NVIDIA H200", or the processor's name
  std::string id;                                 // cuda:0, cpu
  std::string arch;                               // sm_90, x86-64 feature level or "native"
  std::string driver;                             // CUDA driver version; empty on the CPU
  std::size_t memory_total = 0, memory_free = 0;  // bytes
  int threads = 1;                                // CPU threads in use
};

/// Where worlds live and kernels run. Memory is addressed by pointers of the device; a Launch list
/// is made ready once and then run many times without the host taking part.
class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceInfo info() const = 0;
  virtual Backend backend() const = 0;

  /// Zeroed device memory, freed with the device. @throws Error{Exit::device} naming need and room
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void zero(void* device, std::size_t bytes) = 0;
  virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
  virtual void download(void* host, const void* device, std::size_t bytes) = 0;
  virtual std::size_t allocated_bytes() const = 0;
  /// The most that was allocated at one time.
  virtual std::size_t peak_bytes() const = 0;

  /// Forgets everything: memory, modules and prepared lists. For another run on the same device,
  /// with other sizes.
  virtual void clear() = 0;

  /// Loads the compiled modules; kernels of a later Launch list are looked up in them.
  virtual void load(const Program& program) = 0;

  /// Makes a launch list ready (on CUDA: a graph). `model` and `data` are the bytes of the kernels'
  /// Model and Data.
  /// @return a handle for run()
  virtual int prepare(const Plan& plan, const std::vector<Launch>& launches,
                      const std::vector<char>& model, const std::vector<char>& data,
                      int nworld) = 0;

  /// Runs a prepared list `times` times; returns when the device is done.
  /// @param sync_each_step  waits after each repetition, as a tool does that looks at the state
  /// between steps
  /// @return seconds by the device's own clock (CUDA events), or by the host's steady clock on the
  /// CPU
  virtual double run(int handle, int times, bool sync_each_step = false) = 0;

  /// Runs the list once with each launch timed: milliseconds a launch, in order.
  virtual std::vector<double> trace(int handle) = 0;
};

/// Opens a device: "cpu", "cuda", "cuda:N". `threads` is for the CPU; 0: all of them.
/// @throws Error{Exit::device} when there is no such device or no driver
std::unique_ptr<Device> open_device(const std::string& id, int threads);

/// True when a CUDA driver and at least one GPU are there.
bool has_cuda_device();

}  // namespace mjjit
