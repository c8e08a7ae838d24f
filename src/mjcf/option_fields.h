#pragma once

#include "mjcf/spec.h"

namespace mjjit::mjcf {

/// How two models' values of an option become one when the scene says conflict="merge"; `none`
/// cannot be joined.
enum class Merge { smaller, larger, none };

/// Calls f(name, pointer to member, merge) for each option that holds numbers or a keyword.
template <typename F>
void for_each_option(F f) {
  f("timestep", &SpecOption::timestep, Merge::smaller);
  f("tolerance", &SpecOption::tolerance, Merge::smaller);
  f("ls_tolerance", &SpecOption::ls_tolerance, Merge::smaller);
  f("noslip_tolerance", &SpecOption::noslip_tolerance, Merge::smaller);
  f("ccd_tolerance", &SpecOption::ccd_tolerance, Merge::smaller);
  f("sleep_tolerance", &SpecOption::sleep_tolerance, Merge::smaller);
  f("iterations", &SpecOption::iterations, Merge::larger);
  f("ls_iterations", &SpecOption::ls_iterations, Merge::larger);
  f("noslip_iterations", &SpecOption::noslip_iterations, Merge::larger);
  f("ccd_iterations", &SpecOption::ccd_iterations, Merge::larger);
  f("sdf_iterations", &SpecOption::sdf_iterations, Merge::larger);
  f("sdf_initpoints", &SpecOption::sdf_initpoints, Merge::larger);
  f("impratio", &SpecOption::impratio, Merge::none);
  f("density", &SpecOption::density, Merge::none);
  f("viscosity", &SpecOption::viscosity, Merge::none);
  f("o_margin", &SpecOption::o_margin, Merge::none);
  f("integrator", &SpecOption::integrator, Merge::none);
  f("cone", &SpecOption::cone, Merge::none);
  f("jacobian", &SpecOption::jacobian, Merge::none);
  f("solver", &SpecOption::solver, Merge::none);
  f("gravity", &SpecOption::gravity, Merge::none);
  f("wind", &SpecOption::wind, Merge::none);
  f("magnetic", &SpecOption::magnetic, Merge::none);
  f("o_solref", &SpecOption::o_solref, Merge::none);
  f("o_solimp", &SpecOption::o_solimp, Merge::none);
  f("o_friction", &SpecOption::o_friction, Merge::none);
}

/// Names of the flags by bit: the first list disables a part when it is off, the second enables one
/// when it is on.
inline constexpr const char* kDisableFlags[] = {
    "constraint", "equality",  "frictionloss", "limit",        "contact",   "spring",  "damper",
    "gravity",    "clampctrl", "warmstart",    "filterparent", "actuation", "refsafe", "sensor",
    "midphase",   "eulerdamp", "autoreset",    "nativeccd",    "island",    "multiccd"};
inline constexpr const char* kEnableFlags[] = {"override", "energy",    "fwdinv", "invdiscrete",
                                               "sleep",    "diagexact", "ipc",    "speculative"};

}  // namespace mjjit::mjcf
