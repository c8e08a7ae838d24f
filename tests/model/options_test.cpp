#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

TEST_CASE("options are copied", "[options]") {
  const Model m = compile_text(
      "<mujoco><option timestep='.01' cone='elliptic' gravity='1 2 3' integrator='RK4'/></mujoco>");
  CHECK(m.opt_timestep[0] == 0.01);
  CHECK(m.opt_cone[0] == 1);
  CHECK(m.opt_integrator[0] == 1);
  check_close(m.opt_gravity, {1, 2, 3});
}

TEST_CASE("features without kernels are errors that name them, or warnings", "[options]") {
  struct Case {
    std::string option, name;
  };
  for (const Case& c :
       {Case{"<option solver='PGS'/>", "PGS"}, Case{"<option noslip_iterations='3'/>", "noslip"},
        Case{"<option integrator='discrete'/>", "discrete"},
        Case{"<option><flag nativeccd='disable'/></option>", "nativeccd"},
        Case{"<compiler fusestatic='true'/>", "fusestatic"}}) {
    const std::string xml = "<mujoco>" + c.option + "</mujoco>";
    CHECK_THAT(compile_error(xml), ContainsSubstring(c.name));
    const Model m = compile(read_mjcf_text(xml), true);
    CHECK_FALSE(m.warnings.empty());
    CHECK(m.opt_solver[0] == 2);
    CHECK(m.opt_noslip_iterations[0] == 0);
  }
}

TEST_CASE("what the reader could not keep is an error, or a warning of the model", "[options]") {
  Spec spec;
  spec.unsupported.push_back({{"scene.xml", 7}, "<tendon>"});
  CHECK(compile_error(spec) == "scene.xml:7: <tendon> is not supported");
  const Model m = compile(spec, true);
  REQUIRE(m.warnings.size() == 1);
  CHECK(m.warnings[0] == "scene.xml:7: <tendon> is not supported: it is left out");
}

TEST_CASE("options that make no sense are errors", "[options]") {
  CHECK_THAT(compile_error("<mujoco><option timestep='0'/></mujoco>"),
             ContainsSubstring("timestep"));
  for (const char* name : {"iterations", "ls_iterations", "noslip_iterations", "ccd_iterations",
                           "density", "viscosity"}) {
    CHECK(compile_error(fmt::format("<mujoco><option {}='-1'/></mujoco>", name)) ==
          fmt::format("scene.xml:1: option: {} is -1, must not be negative", name));
  }
  CHECK_THAT(compile_error("<mujoco><compiler boundinertia='-1'/></mujoco>"),
             ContainsSubstring("compiler: boundinertia is -1, must not be negative"));
}

TEST_CASE("an empty scene has a world and nothing else", "[options]") {
  const Model m = compile_text("<mujoco/>");
  CHECK(m.nbody == 1);
  CHECK(m.nv == 0);
  CHECK(m.ngeompair == 0);
}

}  // namespace
}  // namespace mjjit
