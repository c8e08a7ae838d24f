// The CUDA device, on the driver API. A launch list becomes a graph that is recorded once: one of a
// single repetition and, for long runs, one of many, since a graph launch costs the host a few
// microseconds and the GPU a small gap. The images of Model and Data are kernel parameters and are
// frozen into the graph.
#include "sim/device_cuda.h"

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "base/error.h"
#include "sim/cuda_driver.h"

namespace mjjit {

namespace {

constexpr int repetitions_of_long_graph = 16;

/// An event that is destroyed with its scope.
class CudaEvent {
 public:
  explicit CudaEvent(const CudaDriver& driver) : driver_(driver) {
    driver_.check(driver_.event_create(&event_, CudaDriver::event_default), "cuEventCreate");
  }
  ~CudaEvent() {
    if (event_ != nullptr) {
      driver_.event_destroy(event_);
    }
  }
  CudaEvent(CudaEvent&& other) noexcept
      : driver_(other.driver_), event_(std::exchange(other.event_, nullptr)) {}
  CudaEvent& operator=(CudaEvent&&) = delete;
  void record(CudaDriver::Stream stream) {
    driver_.check(driver_.event_record(event_, stream), "cuEventRecord");
  }
  double ms_since(const CudaEvent& start) const {
    float ms = 0;
    driver_.check(driver_.event_synchronize(event_), "cuEventSynchronize");
    driver_.check(driver_.event_elapsed_ms(&ms, start.event_, event_), "cuEventElapsedTime");
    return ms;
  }

 private:
  const CudaDriver& driver_;
  CudaDriver::Event event_ = nullptr;
};

/// One launch with its grid worked out.
struct ReadyLaunch {
  std::string kernel;
  CudaDriver::Function function;
  unsigned blocks;
  unsigned block_size;
};

/// A launch list with the parameters of its kernels and its graphs.
struct Prepared {
  std::vector<ReadyLaunch> launches;
  std::vector<char> model, data;
  CudaDriver::GraphExec one = nullptr;
  CudaDriver::GraphExec many = nullptr;  // repetitions_of_long_graph times; made when first needed
};

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(int ordinal) : driver_(cuda_driver()), ordinal_(ordinal) {
    int count = 0;
    driver_.check(driver_.device_count(&count), "cuDeviceGetCount");
    if (ordinal >= count) {
      fail(Exit::device, "--device cuda:{}: this machine has {} CUDA device{}", ordinal, count,
           count == 1 ? "" : "s");
    }
    driver_.check(driver_.device_get(&device_, ordinal), "cuDeviceGet");
    driver_.check(driver_.context_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
    try {
      driver_.check(driver_.context_set(context_), "cuCtxSetCurrent");
      driver_.check(driver_.stream_create(&stream_, CudaDriver::stream_non_blocking),
                    "cuStreamCreate");
    } catch (...) {
      driver_.context_release(device_);
      throw;
    }
  }

  ~CudaDevice() override {
    driver_.context_set(context_);
    release();
    driver_.stream_destroy(stream_);
    driver_.context_release(device_);
  }

  DeviceInfo info() const override {
    make_current();
    DeviceInfo info;
    char name[256] = "";
    driver_.check(driver_.device_name(name, sizeof(name), device_), "cuDeviceGetName");
    info.name = name;
    info.id = fmt::format("cuda:{}", ordinal_);
    info.arch = fmt::format("sm_{}{}", attribute(CudaDriver::attribute_compute_major),
                            attribute(CudaDriver::attribute_compute_minor));
    int version = 0;
    driver_.check(driver_.driver_version(&version), "cuDriverGetVersion");
    info.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
    driver_.check(driver_.memory_info(&info.memory_free, &info.memory_total), "cuMemGetInfo");
    return info;
  }

  Backend backend() const override { return Backend::cuda; }

  void* allocate(std::size_t bytes) override {
    make_current();
    CudaDriver::Pointer pointer = 0;
    const CudaDriver::Result result = driver_.memory_allocate(&pointer, bytes);
    if (result == CudaDriver::out_of_memory) {
      std::size_t free_bytes = 0, total_bytes = 0;
      driver_.check(driver_.memory_info(&free_bytes, &total_bytes), "cuMemGetInfo");
      fail(Exit::device, "cuda:{}: {} bytes of memory were asked for, {} of {} are free", ordinal_,
           bytes, free_bytes, total_bytes);
    }
    driver_.check(result, "cuMemAlloc");
    allocations_.push_back(pointer);
    allocated_ += bytes;
    peak_ = std::max(peak_, allocated_);
    void* memory = reinterpret_cast<void*>(pointer);
    zero(memory, bytes);
    return memory;
  }

  // the stream does not wait for the default stream's copies, nor these for it: each call ends with
  // the work done
  void zero(void* device, std::size_t bytes) override {
    make_current();
    driver_.check(driver_.memory_set(address(device), 0, bytes), "cuMemsetD8");
    driver_.check(driver_.stream_synchronize(nullptr), "cuMemsetD8");
  }
  void upload(void* device, const void* host, std::size_t bytes) override {
    make_current();
    driver_.check(driver_.copy_to_device(address(device), host, bytes), "cuMemcpyHtoD");
    driver_.check(driver_.stream_synchronize(nullptr), "cuMemcpyHtoD");
  }
  void download(void* host, const void* device, std::size_t bytes) override {
    make_current();
    driver_.check(driver_.copy_to_host(host, address(device), bytes), "cuMemcpyDtoH");
  }
  std::size_t allocated_bytes() const override { return allocated_; }
  std::size_t peak_bytes() const override { return peak_; }

  void clear() override {
    make_current();
    release();
  }

  void load(const Program& program) override {
    make_current();
    for (const CompiledModule& module : program.modules) {
      CudaDriver::ModuleHandle handle = nullptr;
      driver_.check(driver_.module_load(&handle, module.image.data()), "load module",
                    module.name.c_str());
      if (const auto old = modules_.find(module.name); old != modules_.end()) {
        driver_.module_unload(old->second);
      }
      modules_[module.name] = handle;
    }
  }

  int prepare(const Plan& plan, const std::vector<Launch>& launches, const std::vector<char>& model,
              const std::vector<char>& data, int nworld) override {
    make_current();
    Prepared list;
    list.model = model;
    list.data = data;
    for (const Launch& launch : launches) {
      list.launches.push_back(make_ready(plan, launch, nworld));
    }
    prepared_.push_back(std::move(list));
    prepared_.back().one = record_graph(prepared_.back(), 1);
    return static_cast<int>(prepared_.size()) - 1;
  }

  double run(int handle, int times, bool sync_each_step) override {
    make_current();
    Prepared& list = prepared_.at(static_cast<std::size_t>(handle));
    if (!sync_each_step && times >= repetitions_of_long_graph && list.many == nullptr) {
      list.many = record_graph(list, repetitions_of_long_graph);
    }
    CudaEvent start(driver_), end(driver_);
    start.record(stream_);
    for (int left = times; left > 0;) {
      const bool is_long =
          list.many != nullptr && !sync_each_step && left >= repetitions_of_long_graph;
      driver_.check(driver_.graph_launch(is_long ? list.many : list.one, stream_), "cuGraphLaunch");
      left -= is_long ? repetitions_of_long_graph : 1;
      if (sync_each_step) {
        synchronize();
      }
    }
    end.record(stream_);
    synchronize();
    return end.ms_since(start) * 1e-3;
  }

  std::vector<double> trace(int handle) override {
    make_current();
    Prepared& list = prepared_.at(static_cast<std::size_t>(handle));
    std::vector<CudaEvent> marks;
    for (std::size_t i = 0; i <= list.launches.size(); ++i) {
      marks.emplace_back(driver_);
    }
    marks[0].record(stream_);
    for (std::size_t i = 0; i < list.launches.size(); ++i) {
      launch(list, list.launches[i]);
      marks[i + 1].record(stream_);
    }
    synchronize();
    std::vector<double> ms;
    for (std::size_t i = 0; i < list.launches.size(); ++i) {
      ms.push_back(marks[i + 1].ms_since(marks[i]));
    }
    return ms;
  }

 private:
  static CudaDriver::Pointer address(const void* device) {
    return reinterpret_cast<CudaDriver::Pointer>(device);
  }

  void make_current() const { driver_.check(driver_.context_set(context_), "cuCtxSetCurrent"); }

  int attribute(int which) const {
    int value = 0;
    driver_.check(driver_.device_attribute(&value, which, device_), "cuDeviceGetAttribute");
    return value;
  }

  void synchronize() const {
    driver_.check(driver_.stream_synchronize(stream_), "waiting for kernels");
  }

  ReadyLaunch make_ready(const Plan& plan, const Launch& launch, int nworld) const {
    const auto shape =
        std::find_if(plan.modules.begin(), plan.modules.end(),
                     [&](const Module& module) { return module.name == launch.module; });
    const auto loaded = modules_.find(launch.module);
    if (shape == plan.modules.end() || loaded == modules_.end()) {
      fail(Exit::device, "kernel {}: module {} is not loaded", launch.kernel, launch.module);
    }
    ReadyLaunch ready{launch.kernel, nullptr, 0, static_cast<unsigned>(shape->block_size)};
    driver_.check(driver_.module_function(&ready.function, loaded->second, launch.kernel.c_str()),
                  "find kernel", launch.kernel.c_str());
    // an item kernel: for each place of the worlds' lists, blocks that hold a thread a world
    const long long repeats = launch.items ? launch.per_world : 1;
    const long long lanes = launch.items ? 1 : launch.per_world * shape->group_size;
    const long long threads = nworld * lanes;
    const long long blocks = repeats * ((threads + shape->block_size - 1) / shape->block_size);
    if (blocks > 0x7fffffff) {
      fail(Exit::device, "kernel {}: --nworld {} gives {} blocks, CUDA takes 2147483647",
           launch.kernel, nworld, blocks);
    }
    ready.blocks = static_cast<unsigned>(blocks);
    return ready;
  }

  void launch(Prepared& list, const ReadyLaunch& ready) const {
    if (ready.blocks == 0) {
      return;
    }
    void* parameters[] = {list.model.data(), list.data.data()};
    driver_.check(driver_.launch(ready.function, ready.blocks, 1, 1, ready.block_size, 1, 1, 0,
                                 stream_, parameters, nullptr),
                  "launch", ready.kernel.c_str());
  }

  CudaDriver::GraphExec record_graph(Prepared& list, int repetitions) const {
    driver_.check(driver_.capture_begin(stream_, CudaDriver::capture_mode_thread_local),
                  "cuStreamBeginCapture");
    CudaDriver::Graph graph = nullptr;
    try {
      for (int i = 0; i < repetitions; ++i) {
        for (const ReadyLaunch& ready : list.launches) {
          launch(list, ready);
        }
      }
    } catch (...) {
      driver_.capture_end(stream_, &graph);  // leaves the stream usable
      if (graph != nullptr) {
        driver_.graph_destroy(graph);
      }
      throw;
    }
    driver_.check(driver_.capture_end(stream_, &graph), "cuStreamEndCapture");
    CudaDriver::GraphExec ready = nullptr;
    const CudaDriver::Result result = driver_.graph_instantiate(&ready, graph, 0);
    driver_.graph_destroy(graph);
    driver_.check(result, "cuGraphInstantiate");
    return ready;
  }

  /// Gives everything back; errors are of no use here.
  void release() {
    driver_.stream_synchronize(stream_);
    for (const Prepared& list : prepared_) {
      for (const CudaDriver::GraphExec graph : {list.one, list.many}) {
        if (graph != nullptr) {
          driver_.graph_exec_destroy(graph);
        }
      }
    }
    for (const auto& [name, handle] : modules_) {
      driver_.module_unload(handle);
    }
    for (const CudaDriver::Pointer pointer : allocations_) {
      driver_.memory_free(pointer);
    }
    prepared_.clear();
    modules_.clear();
    allocations_.clear();
    allocated_ = 0;
  }

  const CudaDriver& driver_;
  int ordinal_;
  CudaDriver::DeviceIndex device_ = 0;
  CudaDriver::Context context_ = nullptr;
  CudaDriver::Stream stream_ = nullptr;
  std::map<std::string, CudaDriver::ModuleHandle> modules_;
  std::vector<CudaDriver::Pointer> allocations_;
  std::size_t allocated_ = 0, peak_ = 0;
  std::vector<Prepared> prepared_;
};

}  // namespace

std::unique_ptr<Device> open_cuda_device(int ordinal) {
  return std::make_unique<CudaDevice>(ordinal);
}

}  // namespace mjjit
