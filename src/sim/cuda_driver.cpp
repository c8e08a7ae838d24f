#include "sim/cuda_driver.h"

#include <cstdlib>
#include <memory>

#include "base/error.h"

namespace mjjit {

namespace {

/// Name of the first function that the driver lacks, null when it has all.
const char* missing_function(CudaDriver& d) {
  const auto lacks = [&](const char* name, auto*& function) {
    return !d.library.get(name, function);
  };
#define NEED(name, member)     \
  if (lacks(name, d.member)) { \
    return name;               \
  }
  NEED("cuInit", init)
  NEED("cuDriverGetVersion", driver_version)
  NEED("cuGetErrorName", error_name)
  NEED("cuGetErrorString", error_string)
  NEED("cuDeviceGetCount", device_count)
  NEED("cuDeviceGet", device_get)
  NEED("cuDeviceGetName", device_name)
  NEED("cuDeviceGetAttribute", device_attribute)
  NEED("cuDevicePrimaryCtxRetain", context_retain)
  NEED("cuDevicePrimaryCtxRelease_v2", context_release)
  NEED("cuCtxSetCurrent", context_set)
  NEED("cuMemGetInfo_v2", memory_info)
  NEED("cuMemAlloc_v2", memory_allocate)
  NEED("cuMemFree_v2", memory_free)
  NEED("cuMemsetD8_v2", memory_set)
  NEED("cuMemcpyHtoD_v2", copy_to_device)
  NEED("cuMemcpyDtoH_v2", copy_to_host)
  NEED("cuModuleLoadData", module_load)
  NEED("cuModuleUnload", module_unload)
  NEED("cuModuleGetFunction", module_function)
  NEED("cuLaunchKernel", launch)
  NEED("cuStreamCreate", stream_create)
  NEED("cuStreamDestroy_v2", stream_destroy)
  NEED("cuStreamSynchronize", stream_synchronize)
  NEED("cuStreamBeginCapture_v2", capture_begin)
  NEED("cuStreamEndCapture", capture_end)
  NEED("cuGraphInstantiateWithFlags", graph_instantiate)
  NEED("cuGraphDestroy", graph_destroy)
  NEED("cuGraphExecDestroy", graph_exec_destroy)
  NEED("cuGraphLaunch", graph_launch)
  NEED("cuEventCreate", event_create)
  NEED("cuEventDestroy_v2", event_destroy)
  NEED("cuEventRecord", event_record)
  NEED("cuEventSynchronize", event_synchronize)
  NEED("cuEventElapsedTime", event_elapsed_ms)
#undef NEED
  return nullptr;
}

std::unique_ptr<CudaDriver> open_driver() {
  auto driver = std::make_unique<CudaDriver>();
  if (!driver->library.open("libcuda.so.1")) {
    fail(Exit::device, "no CUDA driver: {}; --device cpu runs without one", driver->library.why());
  }
  if (const char* name = missing_function(*driver)) {
    fail(Exit::device, "the CUDA driver is too old: it has no {}; CUDA 12 or newer is needed",
         name);
  }
  // load all of a module when it is loaded, so that nothing is left to the first launch
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  driver->check(driver->init(0), "cuInit");
  return driver;
}

}  // namespace

void CudaDriver::check(Result result, const char* call, const char* subject) const {
  if (result == 0) {
    return;
  }
  const char* name = nullptr;
  const char* meaning = nullptr;
  error_name(result, &name);
  error_string(result, &meaning);
  fail(Exit::device, "CUDA: {}{}{}: {} ({})", call, subject[0] != '\0' ? " " : "", subject,
       name != nullptr ? name : std::to_string(result),
       meaning != nullptr ? meaning : "no description");
}

const CudaDriver& cuda_driver() {
  static const std::unique_ptr<CudaDriver> driver = open_driver();  // tried again when it throws
  return *driver;
}

}  // namespace mjjit
