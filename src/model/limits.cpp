#include "model/limits.h"

#include "base/error.h"

namespace mjjit {

bool is_limited(Tristate limited, const Vec2& range, bool autolimits, const Source& at,
                const std::string& element, const char* range_name, const char* switch_name) {
  if (limited != Tristate::automatic) {
    return limited == Tristate::yes;
  }
  const bool has_range = range[0] != 0 || range[1] != 0;
  if (!autolimits && has_range) {
    fail(at,
         "{}: has {} but not {}; set compiler autolimits=\"true\", or {} to \"true\" or \"false\"",
         element, range_name, switch_name, switch_name);
  }
  return range[0] < range[1];
}

}  // namespace mjjit
