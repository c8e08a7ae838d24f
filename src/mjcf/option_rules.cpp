#include "mjcf/option_rules.h"

#include <fmt/format.h>

#include <iterator>

#include "mjcf/option_fields.h"

namespace mjjit {
namespace {

struct Number {
  const char* name;
  double value;
};

struct Bits {
  const char* name;
  int value;
  int count;  // of bits that mean something
};

}  // namespace

OptionProblem option_problem(const SpecOption& o) {
  for (const auto& [name, value] :
       {Number{"timestep", o.timestep}, Number{"impratio", o.impratio}}) {
    if (!(value > 0)) {
      return {name, fmt::format("{} is {}, must be positive", name, value)};
    }
  }
  for (const auto& [name, value] :
       {Number{"iterations", double(o.iterations)},
        Number{"ls_iterations", double(o.ls_iterations)},
        Number{"noslip_iterations", double(o.noslip_iterations)},
        Number{"ccd_iterations", double(o.ccd_iterations)}, Number{"density", o.density},
        Number{"viscosity", o.viscosity}}) {
    if (!(value >= 0)) {
      return {name, fmt::format("{} is {}, must not be negative", name, value)};
    }
  }
  for (const auto& [name, value, count] :
       {Bits{"disableflags", o.disableflags, std::size(mjcf::kDisableFlags)},
        Bits{"enableflags", o.enableflags, std::size(mjcf::kEnableFlags)},
        Bits{"disableactuator", o.disableactuator, 31}}) {
    if (value < 0 || (count < 31 && value >> count != 0)) {
      return {name, fmt::format("{} is {}, must have no other bits than the lowest {}", name, value,
                                count)};
    }
  }
  return {};
}

}  // namespace mjjit
