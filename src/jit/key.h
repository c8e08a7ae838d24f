#pragma once

#include <string>
#include <vector>

#include "jit/sources.h"

namespace mjjit {

/// Everything that decides what a compiler makes of a module.
struct KeyInputs {
  std::string compiler;              // name, version and, where it decides the code, the machine
  std::vector<std::string> options;  // precision, architecture, group and block size among them
  std::vector<SourceFile> sources;   // the generated header among them
};

/// The name of a module's entry in the cache: 32 hex digits over all inputs.
std::string cache_key(const KeyInputs& inputs);

}  // namespace mjjit
