#include "sim/device.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "catch.h"
#include "sim/cuda_driver.h"
#include "sim/thread_pool.h"

#if defined(MJJIT_HAVE_CUDA_HEADERS)
#include <cuda.h>
#endif

using namespace mjjit;

namespace {

// kernels that are called with two arrays in place of model and data: they number, then double what
// is there
const std::vector<EmbeddedFile> files = {
    {"dialect_cpu.cuh",
     "#pragma once\n#define KERNEL(name) extern \"C\" __attribute__((visibility(\"default\"))) "
     "void name(int* const* m, "
     "int* const* d, int world)\n"},
    {"first.cu",
     "#include \"dialect.h\"\nKERNEL(number) { d[0][world] = d[0][world] + m[0][0] + world; }\n"},
    {"second.cu",
     "#include \"dialect.h\"\nKERNEL(twice) { d[0][world] *= 2; }\n"
     "KERNEL(deep) { volatile char big[20 << 20]; big[0] = 1; big[sizeof(big) - 1] = 2; "
     "d[0][world] += big[0]; }\n"},
};

Plan plan_of_two() {
  Plan plan;
  plan.modules = {{"first", "first.cu", 1, 1, 1, {"number"}},
                  {"second", "second.cu", 1, 1, 1, {"twice", "deep"}}};
  return plan;
}

const Launch number{"first", "number", "number", 1, false};
const Launch twice{"second", "twice", "twice", 1, false};
const Launch deep{"second", "deep", "deep", 1, false};

std::vector<char> pointer_bytes(void* pointer) {
  std::vector<char> bytes(sizeof(pointer));
  std::memcpy(bytes.data(), &pointer, sizeof(pointer));
  return bytes;
}

/// A CPU device with the two modules, an array with one number a world, and a one-number model.
struct Subject {
  std::unique_ptr<Device> device;
  Plan plan = plan_of_two();
  int* values;
  std::vector<char> model, data;
  int nworld;

  Subject(int worlds, int threads) : device(open_device("cpu", threads)), nworld(worlds) {
    JitOptions options;
    options.use_cache = false;
    device->load(compile_program(plan, options, files));
    values = static_cast<int*>(device->allocate(sizeof(int) * static_cast<std::size_t>(nworld)));
    const int one = 1;
    void* constant = device->allocate(sizeof(int));
    device->upload(constant, &one, sizeof(int));
    model = pointer_bytes(constant);
    data = pointer_bytes(values);
  }

  int prepare(const std::vector<Launch>& launches) {
    return device->prepare(plan, launches, model, data, nworld);
  }
  std::vector<int> read() const {
    std::vector<int> result(static_cast<std::size_t>(nworld));
    device->download(result.data(), values, sizeof(int) * result.size());
    return result;
  }
};

}  // namespace

TEST_CASE("launches run in order, for every world, as often as asked", "[sim]") {
  for (const int threads : {1, 2, 5}) {
    for (const bool sync_each_step : {false, true}) {
      Subject subject(100, threads);
      const int handle = subject.prepare({number, twice});
      subject.device->run(handle, 2, sync_each_step);
      for (int w = 0; w < 100; ++w) {
        CHECK(subject.read()[w] == ((0 + 1 + w) * 2 + 1 + w) * 2);
      }
    }
  }
}

TEST_CASE("a list can be run again, and lists do not mix", "[sim]") {
  Subject subject(3, 2);
  const int first = subject.prepare({number});
  const int second = subject.prepare({twice});
  subject.device->run(first, 1);
  subject.device->run(second, 3);
  subject.device->run(first, 0);
  CHECK(subject.read() == std::vector<int>{8, 16, 24});
}

TEST_CASE("tracing runs the list once and times each launch", "[sim]") {
  Subject subject(3, 2);
  const std::vector<double> ms = subject.device->trace(subject.prepare({number, twice}));
  CHECK(ms.size() == 2);
  CHECK(ms[0] >= 0);
  CHECK(subject.read() == std::vector<int>{2, 4, 6});
}

TEST_CASE("a kernel may keep 20 MB on its stack", "[sim]") {
  Subject subject(4, 2);
  subject.device->run(subject.prepare({deep}), 1);
  CHECK(subject.read() == std::vector<int>{1, 1, 1, 1});
}

TEST_CASE("a kernel or a module that is not loaded is named", "[sim]") {
  Subject subject(1, 1);
  CHECK_THROWS_WITH(subject.prepare({{"first", "missing", "", 1, false}}),
                    "kernel missing is not in module first");
  CHECK_THROWS_AS(subject.prepare({{"third", "number", "", 1, false}}), Error);
}

TEST_CASE("memory of the cpu device is zeroed, counted and given back", "[sim]") {
  const auto device = open_device("cpu", 1);
  std::vector<char*> all;
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{100}, std::size_t{40} << 20, std::size_t{5000}}) {
    char* memory = static_cast<char*>(device->allocate(bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0);
    CHECK(std::accumulate(memory, memory + bytes, 0) == 0);
    std::fill_n(memory, bytes, 1);
    all.push_back(memory);
  }
  CHECK(std::accumulate(all[1], all[1] + 100, 0) == 100);
  const std::size_t total = 1 + 100 + (std::size_t{40} << 20) + 5000;
  CHECK(device->allocated_bytes() == total);
  device->zero(all[1], 100);
  CHECK(std::accumulate(all[1], all[1] + 100, 0) == 0);
  device->clear();
  CHECK(device->allocated_bytes() == 0);
  CHECK(device->peak_bytes() == total);
}

TEST_CASE("the cpu device says what it is", "[sim]") {
  const DeviceInfo info = open_device("cpu", 3)->info();
  CHECK(info.id == "cpu");
  CHECK(info.threads == 3);
  CHECK_FALSE(info.name.empty());
  CHECK(info.memory_free > 0);
  CHECK(info.memory_free <= info.memory_total);
  CHECK(open_device("cpu", 0)->info().threads >= 1);
}

TEST_CASE("a device that is not one is refused", "[sim]") {
  for (const char* id : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cpu:0"}) {
    try {
      open_device(id, 1);
      FAIL("'" << id << "' was opened");
    } catch (const Error& error) {
      CHECK(error.code() == Exit::input);
    }
  }
}

TEST_CASE("a CUDA device that is not there is a device error", "[sim]") {
  try {
    open_device("cuda:1000", 1);
    FAIL("it was opened");
  } catch (const Error& error) {
    CHECK(error.code() == Exit::device);
  }
}

TEST_CASE("a pool runs each piece of a loop once, loop after loop", "[sim]") {
  ThreadPool pool(3);
  for (int loop = 0; loop < 100; ++loop) {
    std::vector<std::atomic<int>> seen(loop);
    pool.run(loop, [&](int i) { ++seen[static_cast<std::size_t>(i)]; });
    CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& n) { return n == 1; }));
  }
}

#if defined(MJJIT_HAVE_CUDA_HEADERS)
TEST_CASE("our declarations of the driver agree with cuda.h", "[sim][cuda]") {
  static_assert(CudaDriver::out_of_memory == CUDA_ERROR_OUT_OF_MEMORY);
  static_assert(CudaDriver::attribute_compute_major ==
                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  static_assert(CudaDriver::attribute_compute_minor ==
                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  static_assert(CudaDriver::stream_non_blocking == CU_STREAM_NON_BLOCKING);
  static_assert(CudaDriver::event_default == CU_EVENT_DEFAULT);
  static_assert(CudaDriver::capture_mode_thread_local == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  static_assert(sizeof(CudaDriver::Pointer) == sizeof(CUdeviceptr));
  static_assert(sizeof(CudaDriver::DeviceIndex) == sizeof(CUdevice));
  static_assert(sizeof(CudaDriver::Result) == sizeof(CUresult));
  CHECK(sizeof(CudaDriver::Stream) == sizeof(CUstream));
}
#endif
