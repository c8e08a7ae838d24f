#pragma once

#include <string>

#include "report/result.h"

namespace mjjit {

/// The whole result as a JSON object, indented, ending with a newline. `schema` grows when a key
/// changes its meaning. A figure that is missing is null, and `reasons` says why.
std::string json_text(const Result& result);

}  // namespace mjjit
