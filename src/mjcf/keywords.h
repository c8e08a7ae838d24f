#pragma once

#include <string_view>
#include <vector>

#include "mjcf/schema.h"

namespace mjjit::mjcf {

/// A set of keywords by its name in the table of elements, with MuJoCo's values.
const std::vector<Keyword>& keyword_set(std::string_view name);

}  // namespace mjjit::mjcf
