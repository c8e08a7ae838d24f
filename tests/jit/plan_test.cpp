#include "jit/plan.h"

#include <algorithm>
#include <set>

#include "catch.h"
#include "jit/embedded.h"
#include "mjcf/read.h"

using namespace mjjit;

namespace {

Plan plan_of(const std::string& body, const std::string& rest = "") {
  RunSizes sizes;
  sizes.nconmax = 8;
  sizes.njmax = 32;
  sizes.nccdmax = 4;
  return make_plan(
      compile(read_mjcf_text("<mujoco>" + rest + "<worldbody>" + body + "</worldbody></mujoco>")),
      sizes, Precision::single_, Backend::cpu);
}

std::vector<std::string> kernels_of(const std::vector<Launch>& launches) {
  std::vector<std::string> names;
  for (const Launch& launch : launches) {
    names.push_back(launch.kernel);
  }
  return names;
}

bool has_module(const Plan& plan, const std::string& name) {
  return std::any_of(plan.modules.begin(), plan.modules.end(),
                     [&](const Module& m) { return m.name == name; });
}

/// Kernel names that a kernel file defines, with or without items.
std::set<std::string> defined_kernels(const std::string& file) {
  std::set<std::string> names;
  for (const EmbeddedFile& embedded : embedded_kernels()) {
    if (embedded.name != file) {
      continue;
    }
    const std::string text(embedded.text);
    for (std::size_t at = text.find("KERNEL("); at != std::string::npos;
         at = text.find("KERNEL(", at + 1)) {
      if (at > 0 && (text[at - 1] == '\n' || text.substr(at - 5, 5) == "ITEM_")) {
        names.insert(text.substr(at + 7, text.find(',', at) - at - 7));
      }
    }
  }
  return names;
}

const std::string pendulum = "<body><joint/><geom size='.1' mass='1' pos='1 0 0'/></body>";
const std::string ball =
    "<body pos='0 0 1'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>";
const std::string plane = "<geom type='plane' size='1 1 1'/>";

}  // namespace

TEST_CASE("a scene without contacts has no collision modules", "[jit]") {
  const Plan plan = plan_of(pendulum);
  CHECK(kernels_of(plan.forward) == std::vector<std::string>{"smooth", "constraint", "solver"});
  CHECK_FALSE(has_module(plan, "broadphase"));
  CHECK(plan.control.empty());
  CHECK(kernels_of(plan.integrate) == std::vector<std::string>{"integrate"});
}

TEST_CASE("only the narrow phases that the scene's pairs need are there", "[jit]") {
  const Plan primitive = plan_of(plane + ball);
  CHECK(has_module(primitive, "narrowphase_primitive"));
  CHECK_FALSE(has_module(primitive, "narrowphase_convex"));
  CHECK_FALSE(has_module(primitive, "narrowphase_prisms"));
  CHECK_FALSE(has_module(primitive, "narrowphase_hfield"));
  const Plan convex = plan_of(
      ball +
      "<body pos='0 0 2'><freejoint/><geom type='ellipsoid' size='.1 .1 .2' mass='1'/></body>");
  CHECK_FALSE(has_module(convex, "narrowphase_primitive"));
  CHECK(has_module(convex, "narrowphase_convex"));
}

TEST_CASE("worlds with several trees have a second solver for rows that couple them", "[jit]") {
  CHECK_FALSE(has_module(plan_of(plane + ball), "solver_coupled"));
  const Plan plan = plan_of(plane + ball + ball);
  CHECK(has_module(plan, "solver_coupled"));
  const auto solver = std::find_if(plan.forward.begin(), plan.forward.end(),
                                   [](const Launch& l) { return l.kernel == "solver"; });
  REQUIRE(solver != plan.forward.end());
  CHECK(solver->per_world == 2);
}

TEST_CASE("RK4 passes forward four times", "[jit]") {
  const Plan plan = plan_of(plane + ball, "<option integrator='RK4'/>");
  const std::vector<std::string> names = kernels_of(plan.integrate);
  CHECK(std::count(names.begin(), names.end(), "smooth") == 3);
  CHECK(std::count(names.begin(), names.end(), "solver") == 3);
  CHECK(std::count_if(names.begin(), names.end(),
                      [](const std::string& n) { return n.starts_with("rk4"); }) == 4);
}

TEST_CASE("a world in which nothing moves has no solver", "[jit]") {
  const Plan plan = plan_of(plane);
  CHECK_FALSE(has_module(plan, "solver"));
}

TEST_CASE(
    "every launch's kernel is defined in its module's file, and every defined kernel is launched",
    "[jit]") {
  const std::string everything =
      plane + ball + ball + pendulum +
      "<body pos='0 0 2'><freejoint/><geom type='ellipsoid' size='.1 .1 .2' mass='1'/></body>" +
      "<geom type='hfield' hfield='h'/>";
  const std::string rest =
      "<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='0 0 0 1'/></asset>"
      "<actuator><motor joint='j'/></actuator>";
  const std::string moving =
      everything + "<body><joint name='j'/><geom size='.1' mass='1'/></body>";
  for (const char* integrator : {"Euler", "RK4"}) {
    const Plan plan = plan_of(moving, rest + "<option integrator='" + integrator + "'/>");
    for (const Module& module : plan.modules) {
      INFO(module.name);
      CHECK(defined_kernels(module.file) ==
            std::set<std::string>(module.kernels.begin(), module.kernels.end()));
    }
  }
}
