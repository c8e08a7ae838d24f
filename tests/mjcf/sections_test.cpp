#include "mjcf/read_helper.h"

using namespace mjjit;

TEST_CASE("sections repeat and add up in document order", "[mjcf]") {
  const Spec spec =
      read_scene(R"(<worldbody><body name="a"><joint name="ja"/><geom size="1"/></body></worldbody>
    <actuator><motor name="first" joint="ja"/></actuator>
    <worldbody><body name="b"><joint name="jb"/><geom size="1"/></body></worldbody>
    <actuator><motor name="second" joint="jb"/></actuator>)");
  CHECK(spec.world.bodies.size() == 2);
  REQUIRE(spec.actuators.size() == 2);
  CHECK(spec.actuators[1].name == "second");
}

TEST_CASE("options and flags of several sections add up", "[mjcf]") {
  const Spec spec = read_scene(
      R"(<option timestep="0.1" cone="elliptic" gravity="0 0 -1"><flag gravity="disable"/></option>
    <option density="3" actuatorgroupdisable="0 3"><flag contact="disable" energy="enable" gravity="enable"/></option>)");
  CHECK(spec.option.timestep == 0.1);
  CHECK(spec.option.density == 3);
  CHECK(spec.option.cone == 1);
  check_close(spec.option.gravity, {0, 0, -1});
  CHECK(spec.option.disableflags == 16);
  CHECK(spec.option.enableflags == 2);
  CHECK(spec.option.disableactuator == 9);
}

TEST_CASE("the rows of a height field go from the back of the text to its front", "[mjcf]") {
  const Spec spec = read_scene(R"(<asset>
    <hfield name="h" nrow="2" ncol="3" size="1 1 1 1" elevation="1 2 3 4 5 6"/>
    <hfield name="flat" nrow="2" ncol="2" size="1 1 1 1"/></asset>)");
  CHECK(spec.hfields[0].userdata == std::vector<float>{4, 5, 6, 1, 2, 3});
  CHECK(spec.hfields[1].userdata.empty());
  CHECK_THAT(
      complaint(
          R"(<asset><hfield name="h" nrow="2" ncol="3" size="1 1 1 1" elevation="1"/></asset>)"),
      ContainsSubstring("attribute 'elevation' has 1 values, must have nrow x ncol = 6"));
}

TEST_CASE("equalities hold bodies, sites or joints", "[mjcf]") {
  const Spec spec = read_scene(R"(<default><equality solref="0.1 1"/></default>
    <worldbody><body name="b"><joint name="j"/><geom size="1"/><site name="s"/></body><site name="t"/></worldbody>
    <equality><connect body1="b" anchor="1 2 3"/><weld site1="s" site2="t" torquescale="0.5" active="false"/>
      <joint joint1="j" polycoef="0.07 5"/></equality>)");
  REQUIRE(spec.equalities.size() == 3);
  CHECK(spec.equalities[0].objtype == 1);
  check_close(*spec.equalities[0].anchor, {1, 2, 3});
  CHECK(spec.equalities[0].solref[0] == 0.1);
  CHECK(spec.equalities[1].objtype == 6);
  CHECK(spec.equalities[1].torquescale == 0.5);
  CHECK_FALSE(spec.equalities[1].active);
  CHECK(spec.equalities[2].objtype == 3);
  check_close(spec.equalities[2].polycoef, {0.07, 5, 0, 0, 0});
}

TEST_CASE("sensors know their object and how many values they give", "[mjcf]") {
  const Spec spec = read_scene(
      R"(<worldbody><body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/>
      </body></worldbody>
    <sensor><gyro site="s"/><jointpos joint="j" cutoff="2"/><framequat objtype="xbody" objname="b"/>
      <contact geom1="g" num="2" data="found force"/><distance geom1="g" body2="b"/><clock/><user dim="4"/></sensor>)");
  REQUIRE(spec.sensors.size() == 7);
  const int dims[] = {3, 1, 4, 8, 1, 1, 4};
  for (std::size_t i = 0; i < 7; i++) {
    INFO(i);
    CHECK(spec.sensors[i].dim == dims[i]);
  }
  CHECK(spec.sensors[2].objtype == "xbody");
  CHECK(spec.sensors[4].reftype == "body");
  CHECK_THAT(complaint(R"(<sensor><contact data="force found"/></sensor>)"),
             ContainsSubstring("in the order"));
}

TEST_CASE("pairs inherit what they are not given", "[mjcf]") {
  const Spec spec =
      read_scene(R"(<default><pair margin="0.1"/></default><worldbody><geom name="a" size="1"/>
    <body><joint/><geom name="b" size="1"/></body></worldbody>
    <contact><pair geom1="a" geom2="b" friction="0.5"/></contact>)");
  const SpecPair& pair = spec.pairs[0];
  CHECK(pair.margin == 0.1);
  check_close(pair.friction, {0.5, 1, 0.005, 0.0001, 0.0001});
}

TEST_CASE("keyframes and custom numbers are read, and nkey adds empty keyframes", "[mjcf]") {
  const Spec spec =
      read_scene(R"(<size nkey="3"/><keyframe><key name="k" qpos="1 2" time="0.5"/></keyframe>
    <custom><numeric name="n" size="3" data="1 2"/></custom>)");
  REQUIRE(spec.keys.size() == 3);
  CHECK(spec.keys[0].qpos == std::vector<double>{1, 2});
  CHECK(spec.keys[0].time == 0.5);
  CHECK(spec.numerics[0].size == 3);
  CHECK(spec.numerics[0].data == std::vector<double>{1, 2});
  CHECK_THAT(complaint(R"(<custom><numeric name="n" size="1" data="1 2"/></custom>)"),
             ContainsSubstring("attribute 'data' has 2 values, size is 1"));
}

TEST_CASE("inertia is diagonal or full", "[mjcf]") {
  const Spec spec =
      read_world(R"(<body><inertial pos="1 0 0" mass="2" fullinertia="1 2 3 0 0 0"/></body>
    <body><inertial pos="0 0 0" mass="2" diaginertia="1 2 3" quat="0 1 0 0"/></body>)");
  CHECK(spec.world.bodies[0]->inertial->fullinertia);
  CHECK_FALSE(spec.world.bodies[0]->inertial->inertia);
  check_close(spec.world.bodies[1]->inertial->iquat, {0, 1, 0, 0});
  CHECK_THAT(
      world_complaint(
          R"(<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" euler="1 0 0"/></body>)"),
      ContainsSubstring("there can be only one of these attributes"));
}

TEST_CASE("what MuJoCo refuses in passing is refused", "[mjcf]") {
  CHECK_THAT(world_complaint("<body><joint springyield=\"0 0\"/></body>"),
             ContainsSubstring("attribute 'springyield' has 2 values, must have 1 value"));
  CHECK_THAT(complaint("<equality><connect body1=\"world\" anchor=\"\"/></equality>"),
             ContainsSubstring("attribute 'anchor' has no value"));
  CHECK_THAT(complaint("<asset><hfield name=\"h\" file=\"\" nrow=\"2\" ncol=\"2\" size=\"1 1 1 "
                       "1\"/></asset>"),
             ContainsSubstring("attribute 'file' is empty"));
  CHECK_THAT(complaint("<visual><map znear=\"1e-300\"/></visual>"),
             ContainsSubstring("attribute 'znear' is 1e-300, must be positive"));
  CHECK_THAT(world_complaint("<light dir=\"0 0 0\"/>"),
             ContainsSubstring("attribute 'dir' has no length"));
  CHECK(complaint("<default><material texture=\"none\"/></default><asset><texture name=\"t\" "
                  "builtin=\"flat\" width=\"4\"/><material name=\"m\"><layer texture=\"t\" "
                  "role=\"rgb\"/></material></asset>")
            .empty());
}
