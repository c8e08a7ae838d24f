#pragma once

#include <string>

#include "mjcf/spec.h"

namespace mjjit {

/// Whether a range is in force: as the switch says, or where it says nothing, when the range is not
/// empty.
/// @param range_name, switch_name   the attributes, for the message
/// @throws Error{Exit::input} where autolimits is off and there is a range without the switch
bool is_limited(Tristate limited, const Vec2& range, bool autolimits, const Source& at,
                const std::string& element, const char* range_name, const char* switch_name);

}  // namespace mjjit
