#pragma once

#include <string>
#include <vector>

#include "mjcf/spec.h"

namespace mjjit {

/// Changes options of a scene: "opt.solver=cg", "opt.gravity=0 0 -1.6", blanks around = allowed.
/// Done before the model is compiled, so that what the compiler derives from an option (which geoms
/// may collide, which actuators act) follows. Values are numbers, or the words that the XML has for
/// solver, cone, integrator and jacobian.
/// @throws Error{Exit::input} naming the override when the option is unknown, the value no number
/// or out of range
void apply_overrides(const std::vector<std::string>& overrides, SpecOption* option);

}  // namespace mjjit
