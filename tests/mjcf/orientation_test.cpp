#include <cmath>

#include "mjcf/read_helper.h"

using namespace mjjit;

namespace {

Quat orientation(const std::string& attribute, const std::string& compiler = "") {
  return read_scene(compiler + "<worldbody><geom size=\"1\" " + attribute + "/></worldbody>")
      .world.geoms[0]
      .quat;
}

const double kHalf = std::sqrt(0.5);

}  // namespace

TEST_CASE("every form of an orientation becomes a quaternion", "[mjcf]") {
  // a quarter turn about z
  check_close(orientation("quat=\"1 0 0 1\""), {1, 0, 0, 1});
  check_close(orientation("axisangle=\"0 0 2 90\""), {kHalf, 0, 0, kHalf});
  check_close(orientation("euler=\"0 0 90\""), {kHalf, 0, 0, kHalf});
  check_close(orientation("xyaxes=\"0 1 0 -1 5 0\""), {kHalf, 0, 0, kHalf});
  // z to x: a quarter turn about y; z to -z: half a turn about x
  check_close(orientation("zaxis=\"3 0 0\""), {kHalf, 0, kHalf, 0});
  check_close(orientation("zaxis=\"0 0 -1\""), {0, 1, 0, 0});
}

TEST_CASE("half turns have the largest component on the right axis", "[mjcf]") {
  check_close(orientation("xyaxes=\"1 0 0 0 -1 0\""), {0, 1, 0, 0});
  check_close(orientation("xyaxes=\"-1 0 0 0 1 0\""), {0, 0, 1, 0});
  check_close(orientation("xyaxes=\"-1 0 0 0 -1 0\""), {0, 0, 0, 1});
}

TEST_CASE("eulerseq tells axes that turn along from fixed ones", "[mjcf]") {
  // MuJoCo 4.0.0, euler="0.3 -0.5 0.7" with eulerseq="ZyX" in radians
  check_close(
      orientation("euler=\"0.3 -0.5 0.7\"", "<compiler angle=\"radian\" eulerseq=\"ZyX\"/>"),
      {0.88727218768, 0.363237369728, -0.279443894078, 0.0521324108895});
}

TEST_CASE("compiler settings count for the whole file, the last one wins", "[mjcf]") {
  const Spec spec =
      read_scene(R"(<worldbody><body euler="0 0 1"/></worldbody><compiler angle="degree"/>
    <compiler angle="radian"/>)");
  check_close(spec.world.bodies[0]->quat, {std::cos(0.5), 0, 0, std::sin(0.5)});
}

TEST_CASE("what has no direction is refused", "[mjcf]") {
  CHECK(world_complaint("<body name=\"lost\" quat=\"0 0 0 0\"/>") ==
        "scene.xml:1: <body> 'lost': attribute 'quat' is zero, which is no orientation");
  CHECK_THAT(world_complaint("<site axisangle=\"0 0 0 1\"/>"),
             ContainsSubstring("attribute 'axisangle'"));
  CHECK_THAT(world_complaint("<site zaxis=\"0 0 0\"/>"), ContainsSubstring("attribute 'zaxis'"));
  CHECK_THAT(world_complaint("<site xyaxes=\"1 0 0 2 0 0\"/>"), ContainsSubstring("its y axis"));
  CHECK_THAT(world_complaint("<site quat=\"1 0 0 0\" euler=\"0 0 0\"/>"),
             ContainsSubstring("only one of"));
}

TEST_CASE("joint angles are in radians by the kind of joint", "[mjcf]") {
  const Spec spec =
      read_world(R"(<body><joint type="hinge" range="-90 180" ref="45" springref="30"/>
    <joint type="slide" range="-90 180" ref="45"/></body>
    <body><joint type="ball" range="0 90"/></body><body><joint range="-90 90" limited="false"/></body>)");
  const double pi = std::acos(-1);
  const auto& joints = spec.world.bodies[0]->joints;
  check_close(joints[0].range, {-pi / 2, pi});
  CHECK(joints[0].ref == Approx(pi / 4));
  CHECK(joints[0].springref == Approx(pi / 6));
  check_close(joints[1].range, {-90, 180});
  CHECK(joints[1].ref == 45);
  check_close(spec.world.bodies[1]->joints[0].range, {0, pi / 2});
  // a range without effect stays as written, as in MuJoCo
  check_close(spec.world.bodies[2]->joints[0].range, {-90, 90});
}

TEST_CASE("an axis whose length overflows is none", "[mjcf]") {
  CHECK_THAT(world_complaint("<geom size=\"1\" xyaxes=\"1 0 0 -1 1e308 0\"/>"),
             ContainsSubstring("attribute 'xyaxes'") && ContainsSubstring("is too long"));
  CHECK_THAT(world_complaint("<geom size=\"1\" zaxis=\"0 0 1e200\"/>"),
             ContainsSubstring("attribute 'zaxis'"));
}

TEST_CASE("a quaternion's length can be taken, and axes are not parallel", "[mjcf]") {
  for (const char* element : {"<geom size=\"1\"", "<frame", "<site", "<body"}) {
    const auto with = [&](const char* quat) {
      return world_complaint(fmt::format("{} quat=\"{}\"/>", element, quat));
    };
    CHECK_THAT(with("1e308 1e308 0 0"), ContainsSubstring("attribute 'quat' is too long"));
    CHECK_THAT(with("1e-300 0 0 0"), ContainsSubstring("attribute 'quat' is too short"));
    CHECK(with("2e3 0 1e-3 0").empty());
  }
  CHECK_THAT(world_complaint("<geom size=\"1\" xyaxes=\"40 40 40 40 40 40\"/>"),
             ContainsSubstring("attribute 'xyaxes'"));
}
