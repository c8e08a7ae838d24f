#include "mjcf/read_helper.h"

using namespace mjjit;

namespace {

constexpr const char* kKid =
    R"(<mujoco model="kid"><compiler angle="radian" autolimits="false" boundmass="0.5"/>
  <option timestep="0.005" iterations="7"/>
  <default><default class="c"><joint damping="3"/></default></default>
  <asset><mesh file="foo.obj"/><material name="mat"/></asset>
  <worldbody><geom name="wg" size=".1"/><site name="ws"/>
    <body name="b" pos="1 0 0"><joint name="j" class="c" range="-1 1" limited="true"/>
      <geom name="g" type="mesh" mesh="foo" material="mat"/>
      <frame name="f" pos="0 0 1"><site name="s"/><body name="bb"><joint name="jj"/><geom size=".1"/></body></frame>
    </body>
    <frame name="wf" pos="0 1 0"><body name="b2"><joint name="j2" ref="0.5"/><geom size=".1"/></body></frame>
  </worldbody>
  <actuator><position name="a" joint="j"/><motor name="a2" joint="j2"/></actuator>
  <sensor><jointpos joint="j"/><framepos name="wss" objtype="site" objname="ws"/></sensor>
  <equality><joint joint1="j"/><joint name="eq2" joint1="jj" joint2="j2"/></equality>
  <contact><exclude body1="world" body2="b"/><exclude name="e2" body1="b2" body2="b"/></contact>
  <custom><numeric name="n" data="1 2"/></custom>
  <keyframe><key name="home" qpos=".1 .2 .3" ctrl="1 2"/><key name="go" qvel="1 2 3" time="3"/></keyframe></mujoco>)";

std::string parent(const std::string& attach, const std::string& compiler = "") {
  return "<mujoco model=\"par\">" + compiler + R"(<asset><model name="kid" file="kid.xml"/></asset>
    <worldbody><body name="p"><joint name="pj"/><geom size=".2" name="pg"/>)" +
         attach +
         R"(</body><body name="last"><joint name="lastj"/><geom size=".1"/></body></worldbody>
    <actuator><motor joint="lastj" name="lasta"/><motor joint="pj" name="pa"/></actuator></mujoco>)";
}

Spec read_parent(const std::string& attach, const std::string& compiler = "") {
  return SceneFolder({{"scene.xml", parent(attach, compiler)},
                      {"kid.xml", kKid},
                      {"foo.obj", kTetrahedron}})
      .read();
}

std::string parent_complaint(const std::string& attach, const std::string& compiler = "") {
  return SceneFolder({{"scene.xml", parent(attach, compiler)},
                      {"kid.xml", kKid},
                      {"foo.obj", kTetrahedron}})
      .complaint();
}

}  // namespace

// expected values: MuJoCo 4.0.0
TEST_CASE("a body is attached with what refers to it alone", "[mjcf]") {
  const Spec spec = read_parent(R"(<attach model="kid" body="b" prefix="x_"/>)");
  const SpecBody& b = *spec.world.bodies[0]->bodies[0];
  CHECK(b.name == "x_b");
  check_close(b.pos, {1, 0, 0});
  CHECK(b.joints[0].name == "x_j");
  CHECK(b.joints[0].damping == 3);
  check_close(b.joints[0].range, {-1, 1});
  CHECK(b.geoms[0].meshname == "x_foo");
  CHECK(b.bodies[0]->name == "x_bb");
  check_close(b.bodies[0]->pos, {0, 0, 1});
  REQUIRE(spec.actuators.size() == 3);
  CHECK(spec.actuators[2].name == "x_a");
  CHECK(spec.equalities.size() == 1);
  REQUIRE(spec.excludes.size() == 1);
  CHECK(spec.excludes[0].bodyname1 == "world");
  CHECK(spec.excludes[0].bodyname2 == "x_b");
  CHECK(spec.sensors.size() == 1);
  CHECK(spec.meshes[0].name == "x_foo");
  CHECK(spec.numerics[0].name == "x_n");
}

TEST_CASE("settings of the attached model stay with it where they belong to bodies", "[mjcf]") {
  const Spec spec = read_parent(R"(<attach model="kid" body="b" prefix="x_"/>)");
  REQUIRE(spec.world.bodies[0]->bodies[0]->compiler);
  CHECK(spec.world.bodies[0]->bodies[0]->compiler->boundmass == 0.5);
  CHECK_FALSE(spec.world.bodies[0]->compiler);
  CHECK(spec.world.bodies[0]->bodies[0]->bodies[0]->joints[0].limited == Tristate::no);
}

TEST_CASE("a whole model comes with the content of its world", "[mjcf]") {
  const Spec spec = read_parent(R"(<frame pos="0 0 1"><attach model="kid" prefix="x_"/></frame>)");
  const SpecBody& p = *spec.world.bodies[0];
  CHECK(p.geoms[1].name == "x_wg");
  check_close(p.geoms[1].pos, {0, 0, 1});
  REQUIRE(p.bodies.size() == 2);
  check_close(p.bodies[1]->pos, {0, 1, 1});
  CHECK(spec.actuators.size() == 4);
  CHECK(spec.equalities.size() == 2);
  CHECK(spec.sensors.size() == 2);
  CHECK(spec.excludes.size() == 2);
}

TEST_CASE("a frame is attached without what is around it", "[mjcf]") {
  const Spec spec = read_parent(R"(<attach model="kid" frame="f" prefix="x_"/>)");
  const SpecBody& p = *spec.world.bodies[0];
  CHECK(p.geoms.size() == 1);
  CHECK(p.sites[0].name == "x_s");
  check_close(p.sites[0].pos, {0, 0, 1});
  CHECK(p.bodies[0]->name == "x_bb");
  CHECK(spec.actuators.size() == 2);
}

TEST_CASE("keyframes of an attached model speak of its joints wherever they come to stand",
          "[mjcf]") {
  const Spec body = read_parent(R"(<attach model="kid" body="b" prefix="x_"/>)");
  REQUIRE(body.keys.size() == 2);
  CHECK(body.keys[0].name == "x_home");
  CHECK(body.keys[0].qpos == std::vector<double>{0, 0.1, 0.2, 0});
  CHECK(body.keys[0].ctrl == std::vector<double>{0, 0, 1});
  CHECK(body.keys[0].qvel.empty());
  CHECK(body.keys[1].qvel == std::vector<double>{0, 1, 2, 0});
  CHECK(body.keys[1].time == 3);

  // of two copies the first has the values, the other stays at its reference
  const Spec twice =
      read_parent(R"(<replicate count="2"><attach model="kid" prefix="x_"/></replicate>)");
  CHECK(twice.keys[0].qpos == std::vector<double>{0, 0.1, 0.2, 0.3, 0, 0, 0.5, 0});
}

TEST_CASE("a model can be attached twice under two prefixes, and replicated", "[mjcf]") {
  const Spec twice = read_parent(
      R"(<attach model="kid" body="b" prefix="x_"/><attach model="kid" body="b" prefix="y_"/>)");
  CHECK(twice.meshes.size() == 2);
  CHECK(twice.keys.size() == 4);
  CHECK(twice.keys[2].qpos == std::vector<double>{0, 0, 0, 0.1, 0.2, 0});
  const Spec copies =
      read_parent(R"(<replicate count="2"><attach model="kid" body="b" prefix="x_"/></replicate>)");
  CHECK(copies.meshes.size() == 1);
  CHECK(copies.world.bodies[0]->bodies[1]->name == "x_b1");
  CHECK(copies.world.bodies[0]->bodies[1]->geoms[0].meshname == "x_foo");
  CHECK(copies.actuators[3].name == "x_a1");
}

TEST_CASE("options of the scene win, with a warning, unless it asks for merging or an error",
          "[mjcf]") {
  const std::string attach = R"(<attach model="kid" body="b" prefix="x_"/>)";
  const Spec spec = read_parent(attach);
  CHECK(spec.option.timestep == 0.002);
  CHECK(spec.warnings.size() == 2);
  const Spec merged = read_parent(
      attach, R"(<compiler conflict="merge"/><option timestep="0.001" iterations="3"/>)");
  CHECK(merged.option.timestep == 0.001);
  CHECK(merged.option.iterations == 7);
  CHECK_THAT(
      parent_complaint(attach, R"(<compiler conflict="error"/><option timestep="0.001"/>)"),
      ContainsSubstring("timestep of attached model 'kid' is 0.005, that of the scene 0.001"));
}

TEST_CASE("what cannot be attached is named", "[mjcf]") {
  CHECK_THAT(parent_complaint(R"(<attach model="kid" body="wing" prefix="x_"/>)"),
             ContainsSubstring("<attach>: model 'kid' has no body 'wing' to attach"));
  CHECK_THAT(parent_complaint(R"(<attach model="kit" body="b" prefix="x_"/>)"),
             ContainsSubstring("<attach>: model 'kit' is not defined in <asset>"));
  CHECK_THAT(parent_complaint(R"(<attach model="kid" body="b"/>)"),
             ContainsSubstring("'prefix' is missing"));
  CHECK_THAT(
      parent_complaint(
          R"(<attach model="kid" body="b" prefix="x_"/><attach model="kid" body="b" prefix="x_"/>)"),
      ContainsSubstring("body 'x_b': repeated name"));
  CHECK_THAT(parent_complaint(R"(<attach prefix="x_"/>)"), ContainsSubstring("it needs a model"));
  const SceneFolder own(
      {{"scene.xml", R"(<mujoco><asset><model name="m" file="scene.xml"/></asset></mujoco>)"}});
  CHECK_THAT(own.complaint(), ContainsSubstring("is a model of itself"));
}

TEST_CASE("parts of the same model can be attached again", "[mjcf]") {
  const Spec spec =
      read_scene(R"(<worldbody><body name="q"><joint name="qj"/><geom size="1"/></body>
      <frame name="f" pos="0 0 1"><geom name="fg" size="1"/></frame>
      <frame pos="1 0 0"><attach body="q" prefix="n_"/><attach frame="f" prefix="m_"/></frame></worldbody>
    <actuator><motor name="qm" joint="qj"/></actuator>)");
  REQUIRE(spec.world.bodies.size() == 2);
  CHECK(spec.world.bodies[1]->joints[0].name == "n_qj");
  check_close(spec.world.bodies[1]->pos, {1, 0, 0});
  CHECK(spec.world.geoms[1].name == "m_fg");
  check_close(spec.world.geoms[1].pos, {1, 0, 1});
  REQUIRE(spec.actuators.size() == 2);
  CHECK(spec.actuators[1].name == "n_qm");
}

TEST_CASE("the world that is attached becomes a body", "[mjcf]") {
  // as MuJoCo 4.0 has it: bodies b, p_world, p_b, which is in p_world
  const Spec own = read_world(R"(<geom name="g" size="1"/>
    <body name="b" pos="1 0 0"><geom size="1"/><attach body="world" prefix="p_"/></body>)");
  REQUIRE(own.world.bodies.size() == 1);
  REQUIRE(own.world.bodies[0]->bodies.size() == 1);
  const SpecBody& copy = *own.world.bodies[0]->bodies[0];
  CHECK(copy.name == "p_world");
  CHECK(copy.geoms[0].name == "p_g");
  REQUIRE(copy.bodies.size() == 1);
  CHECK(copy.bodies[0]->name == "p_b");
  CHECK(copy.bodies[0]->bodies.empty());

  const Spec spec = read_parent(R"(<attach model="kid" body="world" prefix="p_"/>)");
  CHECK(spec.world.bodies[0]->bodies[0]->name == "p_world");
}
