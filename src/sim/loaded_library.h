#pragma once

#include <string>
#include <vector>

#include "base/dynlib.h"

namespace mjjit {

/// Opens a shared object that is held in memory, through an anonymous file that no other process
/// can reach or change; a private temporary file stands in where the system has no such thing.
/// @throws Error{Exit::device} with the loader's reason
DynLib load_library(const std::string& name, const std::vector<char>& image);

}  // namespace mjjit
