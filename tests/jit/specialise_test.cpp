#include "jit/specialise.h"

#include "catch.h"
#include "mjcf/read.h"

using namespace mjjit;

namespace {

Model model_of(const std::string& body, const std::string& rest = "") {
  return compile(
      read_mjcf_text("<mujoco>" + rest + "<worldbody>" + body + "</worldbody></mujoco>"));
}

RunSizes some_sizes() {
  RunSizes sizes;
  sizes.nconmax = 8;
  sizes.njmax = 32;
  sizes.nccdmax = 100;
  return sizes;
}

std::string header(const Model& m) { return sizes_header(m, complete_sizes(m, some_sizes())); }

const std::string ball_on_plane =
    "<geom type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/><geom type='sphere' size='.1' "
    "mass='1'/></body>";
const std::string two_hinges =
    "<body><joint name='a'/><geom type='box' size='.1 .1 .1' mass='1' pos='1 0 0'/><body pos='2 0 "
    "0'><joint name='b'/>"
    "<geom type='box' size='.1 .1 .1' mass='1' pos='1 0 0'/></body></body>";

}  // namespace

TEST_CASE("sizes and switches of a ball on a plane", "[jit]") {
  const std::string text = header(model_of(ball_on_plane));
  for (const char* line :
       {"constexpr int NQ = 7;", "constexpr int NV = 6;", "constexpr int NBODY = 2;",
        "constexpr int NTREE = 1;", "constexpr int NTREEROW = 1;", "constexpr int NCONMAX = 8;",
        "constexpr int NJMAX = 32;", "constexpr int NCCDMAX = 1;",
        "constexpr int NPRIMITIVEMAX = 1;", "constexpr bool HAS_FREE = true;",
        "constexpr bool HAS_HINGE = false;", "constexpr bool HAS_CONTACT = true;",
        "constexpr bool PAIR_PLANE_SPHERE = true;", "constexpr bool PAIR_MESH_MESH = false;",
        "constexpr int MAXCONDIM = 3;", "constexpr bool NEWTON = true;",
        "constexpr bool ELLIPTIC = false;", "constexpr int INTEGRATOR = 0;",
        "constexpr int NRK4 = 0;"}) {
    CHECK_THAT(text, ContainsSubstring(line));
  }
}

TEST_CASE("options choose the solver, the cone and the integrator", "[jit]") {
  const std::string text = header(model_of(
      ball_on_plane, "<option solver='CG' cone='elliptic' integrator='RK4' density='1'/>"));
  for (const char* line : {"NEWTON = false;", "ELLIPTIC = true;", "INTEGRATOR = 1;", "NRK4 = 1;",
                           "HAS_FLUID = true;"}) {
    CHECK_THAT(text, ContainsSubstring(line));
  }
}

TEST_CASE("actuators on one joint overlap, and one on a free joint is wide", "[jit]") {
  const std::string apart =
      header(model_of(two_hinges, "<actuator><motor joint='a'/><motor joint='b'/></actuator>"));
  CHECK_THAT(apart, ContainsSubstring("HAS_ACTUATOR_OVERLAP = false;"));
  CHECK_THAT(apart, ContainsSubstring("HAS_WIDE_ACTUATOR = false;"));
  const std::string twice =
      header(model_of(two_hinges, "<actuator><motor joint='a'/><motor joint='a'/></actuator>"));
  CHECK_THAT(twice, ContainsSubstring("HAS_ACTUATOR_OVERLAP = true;"));
}

TEST_CASE("a mass, a size or a gain does not change the header", "[jit]") {
  std::string other = ball_on_plane;
  other.replace(other.find("mass='1'"), 8, "mass='2'");
  CHECK(header(model_of(ball_on_plane)) == header(model_of(other)));
}

TEST_CASE("lists of geom pairs have room for the scene's pairs and no more", "[jit]") {
  const Model m = model_of(ball_on_plane);
  RunSizes sizes = complete_sizes(m, some_sizes());
  CHECK(sizes.nccdmax == 1);        // no convex pair; an empty list still has an entry
  CHECK(sizes.nprimitivemax == 1);  // one pair
  CHECK(complete_sizes(m, sizes).nprimitivemax == 1);
  CHECK(complete_sizes(m, RunSizes{}).nconmax == 0);  // none wanted is none
}

TEST_CASE("two trees can share a row", "[jit]") {
  CHECK(complete_sizes(model_of(ball_on_plane), {}).ntreerow == 1);
  CHECK(complete_sizes(model_of(ball_on_plane + "<body><joint/><geom size='.1' mass='1'/></body>"),
                       {})
            .ntreerow == 2);
}
