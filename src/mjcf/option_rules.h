#pragma once

#include <string>

#include "mjcf/spec.h"

namespace mjjit {

/// What is wrong with an option; empty where all are good.
struct OptionProblem {
  std::string name;  // timestep
  std::string text;  // "timestep is 0, must be positive"
  explicit operator bool() const { return !name.empty(); }
};

/// The first option whose value makes no sense, for scenes and overrides alike.
OptionProblem option_problem(const SpecOption& option);

}  // namespace mjjit
