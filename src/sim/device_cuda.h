#pragma once

#include <memory>

#include "sim/device.h"

namespace mjjit {

/// A CUDA device. @throws Error{Exit::device} when there is no driver or no such device
std::unique_ptr<Device> open_cuda_device(int ordinal);

}  // namespace mjjit
