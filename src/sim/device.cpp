#include "sim/device.h"

#include <charconv>

#include "base/error.h"
#include "sim/cuda_driver.h"
#include "sim/device_cpu.h"
#include "sim/device_cuda.h"

namespace mjjit {

std::unique_ptr<Device> open_device(const std::string& id, int threads) {
  if (id == "cpu") {
    return open_cpu_device(threads);
  }
  if (id == "cuda") {
    return open_cuda_device(0);
  }
  int ordinal = -1;
  if (id.starts_with("cuda:")) {
    const char* end = id.data() + id.size();
    const auto [at, code] = std::from_chars(id.data() + 5, end, ordinal);
    if (code == std::errc() && at == end && ordinal >= 0) {
      return open_cuda_device(ordinal);
    }
  }
  fail(Exit::input, "--device '{}': cpu, cuda or cuda:N was expected", id);
}

bool has_cuda_device() {
  try {
    const CudaDriver& driver = cuda_driver();
    int count = 0;
    return driver.device_count(&count) == 0 && count > 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace mjjit
