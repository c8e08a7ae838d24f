#include <cmath>

#include "mjcf/read_helper.h"

using namespace mjjit;

namespace {

std::vector<std::string> body_names(const Spec& spec) {
  std::vector<std::string> names;
  for (const auto& body : spec.world.bodies) {
    names.push_back(body->name);
  }
  return names;
}

}  // namespace

// expected values: MuJoCo 4.0.0
TEST_CASE("nested frames move bodies and sites", "[mjcf]") {
  const Spec spec =
      read_world(R"(<frame euler="10 20 30" pos="1 0 0"><frame euler="30 20 10" pos="0 1 0">
    <body euler="5 5 5" pos="0 0 1"/><site/></frame></frame>)");
  const SpecBody& body = *spec.world.bodies[0];
  check_close(body.pos, {1.30757964, 0.4896196, 0.85204154});
  check_close(*body.own_pos, {0, 0, 1});
  CHECK(std::abs(body.quat[0]) == Approx(0.75284905));
  CHECK(spec.world.sites[0].quat[1] == Approx(0.35350703));
}

TEST_CASE("a frame moves joints and the ends of geoms, but no inertia", "[mjcf]") {
  const Spec spec = read_world(R"(<body><frame pos="1 2 3" euler="0 90 0">
    <joint type="slide" axis="0 0 1" pos="1 0 0"/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/>
    <geom type="capsule" size="1" fromto="0 0 0 0 0 1"/></frame></body>)");
  const SpecBody& body = *spec.world.bodies[0];
  check_close(body.joints[0].pos, {1, 2, 2});
  check_close(body.joints[0].axis, {1, 0, 0});
  check_close(body.inertial->ipos, {1, 0, 0});
  check_close(*body.geoms[0].fromto, {1, 2, 3, 2, 2, 3});
  check_close(body.geoms[0].fromto_frame, {std::sqrt(0.5), 0, std::sqrt(0.5), 0});
}

TEST_CASE("copies have their number behind the name, as wide as the count", "[mjcf]") {
  CHECK(body_names(read_world(R"(<replicate count="3"><body name="b"/></replicate>)")) ==
        std::vector<std::string>{"b0", "b1", "b2"});
  CHECK(body_names(read_world(
            R"(<replicate count="10" sep="_"><body name="b"/></replicate>)"))[9] == "b_09");
  CHECK(body_names(read_world(
            R"(<replicate count="2"><replicate count="2" sep="_"><body name="b"/></replicate>
    </replicate>)")) == std::vector<std::string>{"b_00", "b_10", "b_01", "b_11"});
  CHECK(body_names(read_world(R"(<replicate count="0"><body name="b"/></replicate>)")).empty());
}

TEST_CASE("names that only meet inside nested replicates do not clash", "[mjcf]") {
  // the inner copies are called a00 to a12 here, and a10 to a11 there, before their last numbers
  // come
  const Spec spec = read_world(R"(<replicate count="2">
    <replicate count="3"><replicate count="2"><body name="a"/></replicate></replicate>
    <replicate count="2"><replicate count="2"><body name="a1"/></replicate></replicate></replicate>)");
  CHECK(spec.world.bodies.size() == 2 * (6 + 4));
}

TEST_CASE("each copy turns and moves on from the one before", "[mjcf]") {
  const Spec spec = read_world(R"(<replicate count="4" offset="0 0.3 0" euler="0 0 20">
    <body name="peg" pos="0.5 0 0.2"/></replicate>)");
  check_close(spec.world.bodies[1]->pos, {0.469846310393, 0.471010071663, 0.2});
  check_close(spec.world.bodies[3]->pos, {-0.0454423259037, 1.24473382106, 0.2});
  check_close(spec.world.bodies[3]->quat, {0.866025403784, 0, 0, 0.5});
}

TEST_CASE("what refers to replicated things is replicated, and the pattern's own is gone",
          "[mjcf]") {
  const Spec spec =
      read_scene(R"(<worldbody><body name="o"><joint name="oj"/><geom name="og" size="1"/></body>
      <replicate count="2"><body name="b"><joint name="j"/><geom name="g" size="1"/></body></replicate></worldbody>
    <contact><exclude name="e" body1="b" body2="o"/><pair name="p" geom1="og" geom2="g"/></contact>
    <equality><joint name="q" joint1="j" joint2="oj"/><joint name="r" joint1="oj"/></equality>
    <actuator><motor name="m" joint="j"/><motor name="n" joint="oj"/></actuator>
    <sensor><actuatorpos actuator="m" name="am"/><jointpos joint="oj"/></sensor>)");
  REQUIRE(spec.excludes.size() == 2);
  CHECK(spec.excludes[0].name == "e0");
  CHECK(spec.excludes[0].bodyname1 == "b0");
  CHECK(spec.excludes[0].bodyname2 == "o");
  CHECK(spec.pairs.size() == 2);
  REQUIRE(spec.equalities.size() == 1);
  CHECK(spec.equalities[0].name == "r");
  REQUIRE(spec.actuators.size() == 3);
  CHECK(spec.actuators[0].name == "n");
  CHECK(spec.actuators[1].target == "j0");
  REQUIRE(spec.sensors.size() == 3);
  CHECK(spec.sensors[2].objname == "m1");
}

TEST_CASE("replicate refuses joints of its own and a negative count", "[mjcf]") {
  CHECK_THAT(world_complaint("<body><replicate count=\"2\"><joint/></replicate></body>"),
             ContainsSubstring("<joint>: unknown element in <replicate>"));
  CHECK_THAT(world_complaint("<replicate count=\"-1\"/>"),
             ContainsSubstring("must not be negative"));
}
