#pragma once

#include <memory>

#include "sim/device.h"

namespace mjjit {

/// The processor as a device. @param threads  0: as many as this process may use
std::unique_ptr<Device> open_cpu_device(int threads);

}  // namespace mjjit
