#include <algorithm>
#include <iterator>

#include "../../kernels/enums.cuh"
#include "mjcf/option_rules.h"
#include "model/draft.h"

namespace mjjit {
namespace {

/// Where to look for an option: its element, or the scene's first line where the reader has no
/// element to name.
Source place(const Draft& d, const Source& source) {
  return source.line > 0 ? source : Source{d.spec.file, 1};
}

/// Solver and integrator kinds that have no kernel.
void check_methods(Draft& d, const Source& at) {
  if (d.m.opt_solver[0] == SOL_PGS) {
    refuse(d, at, "option solver 'PGS'", "Newton is used");
    d.m.opt_solver[0] = SOL_NEWTON;
  }
  if (d.m.opt_noslip_iterations[0] > 0) {
    refuse(d, at, "option noslip_iterations > 0", "there is no noslip pass");
    d.m.opt_noslip_iterations[0] = 0;
  }
  if (d.m.opt_integrator[0] > INT_IMPLICITFAST) {
    refuse(d, at, "option integrator 'discrete'", "implicitfast is used");
    d.m.opt_integrator[0] = INT_IMPLICITFAST;
  }
}

/// Flags that ask for something that has no kernel. Flags not named here are honoured, or change
/// only what is shown.
void check_flags(Draft& d, const Source& at) {
  struct Flag {
    int bit;
    const char* name;
  };
  int& enabled = d.m.opt_enableflags[0];
  constexpr int kIpc = 1 << 6, kSpeculative = 1 << 7;
  for (const Flag& flag : {Flag{ENBL_SLEEP, "sleep"}, Flag{ENBL_DIAGEXACT, "diagexact"},
                           Flag{kIpc, "ipc"}, Flag{kSpeculative, "speculative"}}) {
    if (enabled & flag.bit) {
      refuse(d, at, fmt::format("flag '{}'", flag.name), "it is disabled");
      enabled &= ~flag.bit;
    }
  }
  if (d.m.opt_disableflags[0] & DSBL_NATIVECCD) {
    refuse(d, at, "flag nativeccd=\"disable\"", "native convex collision is used");
    d.m.opt_disableflags[0] &= ~DSBL_NATIVECCD;
  }
}

void check_compiler(Draft& d) {
  const SpecCompiler& c = d.spec.compiler;
  const Source at = place(d, c.source);
  if (c.fusestatic) {
    refuse(d, at, "compiler fusestatic", "static bodies are kept");
  }
  if (c.discardvisual) {
    refuse(d, at, "compiler discardvisual", "visual geoms are kept");
  }
  for (const auto& [attribute, value] :
       {std::pair("boundmass", c.boundmass), std::pair("boundinertia", c.boundinertia)}) {
    if (value < 0) {
      fail(at, "compiler: {} is {}, must not be negative", attribute, value);
    }
  }
}

}  // namespace

void compile_options(Draft& d) {
  const SpecOption& from = d.spec.option;
  Model& m = d.m;
  const auto set = [](auto& to, const auto& value) {
    if constexpr (requires { std::begin(value); }) {
      std::copy(std::begin(value), std::end(value), std::begin(to));
    } else {
      to[0] = value;
    }
  };
#define OPT(type, name, columns) set(m.opt_##name, from.name);
#include "../../kernels/model_fields.def"

  const Source at = place(d, from.source);
  if (const OptionProblem problem = option_problem(from)) {
    fail(at, "option: {}", problem.text);
  }
  check_methods(d, at);
  check_flags(d, at);
  check_compiler(d);
}

}  // namespace mjjit
