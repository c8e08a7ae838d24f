#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

std::string body(const std::string& joints) {
  return scene("<body name='b'>" + joints + "<geom size='1'/></body>");
}

TEST_CASE("limits follow from the range unless the switch says otherwise", "[joints]") {
  const Model m = compile_text(body(R"(
    <joint range="-90 45"/>
    <joint range="-90 45" limited="false" axis="1 0 0"/>
    <joint type="slide" range="1 2"/>
    <joint type="slide" axis="1 0 0"/>)"));
  CHECK(m.jnt_limited == std::vector<int>{1, 0, 1, 0});
  CHECK(m.jnt_range[0] == Approx(-M_PI / 2));
  CHECK(m.jnt_range[1] == Approx(M_PI / 4));
  CHECK(m.jnt_range[5] == 2);  // a slide's range is in metres
}

TEST_CASE("a free joint has no limits and the frame of its body", "[joints]") {
  const Model m = compile_text(
      scene(R"(<body pos="1 2 3" quat="0 2 0 0"><joint type="free" range="0 1" axis="1 0 0"
    pos="5 5 5"/><geom size="1"/></body>)"));
  CHECK(m.jnt_limited[0] == 0);
  check_close(m.jnt_axis, {0, 0, 1});
  check_close(m.jnt_pos, {0, 0, 0});
  check_close(m.qpos0, {1, 2, 3, 0, 1, 0, 0});
  check_close(m.qpos_spring, {1, 2, 3, 0, 1, 0, 0});
}

TEST_CASE("reference positions come from ref, rest positions of springs from springref",
          "[joints]") {
  const Model m = compile_text(scene(R"(<body><joint ref="90" springref="180"/>
    <joint type="slide" ref=".3" springref=".4"/><geom size="1"/></body>
    <body><joint type="ball"/><geom size="1"/></body>)"));
  check_close(m.qpos0, {M_PI / 2, 0.3, 1, 0, 0, 0});
  check_close(m.qpos_spring, {M_PI, 0.4, 1, 0, 0, 0});
}

TEST_CASE("axes are normalised", "[joints]") {
  const Model m = compile_text(body("<joint axis='0 3 4'/>"));
  check_close(m.jnt_axis, {0, 0.6, 0.8});
}

TEST_CASE("a range without its switch is an error where autolimits is off", "[joints]") {
  const std::string xml =
      "<mujoco>\n<compiler autolimits='false'/><worldbody><body>\n<joint name='j' range='0 1'/>"
      "<geom size='1'/></body></worldbody></mujoco>";
  const std::string error = compile_error(xml);
  CHECK_THAT(error, ContainsSubstring("scene.xml:3: joint 'j'"));
  CHECK_THAT(error, ContainsSubstring("limited"));
}

TEST_CASE("joints that cannot be are errors that name joint or body", "[joints]") {
  const auto error = [](const std::string& joints) { return compile_error(body(joints)); };
  CHECK_THAT(error("<joint name='j' limited='true'/>"), ContainsSubstring("joint 'j': range[0]"));
  CHECK_THAT(error("<joint name='j' type='ball' range='1 2'/>"),
             ContainsSubstring("'j': range[0]"));
  CHECK_THAT(error("<joint name='j' axis='0 0 0'/>"), ContainsSubstring("'j'"));
  CHECK_THAT(error("<joint name='j' springdamper='1 0'/>"), ContainsSubstring("springdamper"));
  CHECK_THAT(error("<freejoint/><joint/>"), ContainsSubstring("free joint"));
  CHECK_THAT(error("<joint type='ball'/><joint/>"), ContainsSubstring("ball"));
  CHECK_THAT(
      error("<joint type='ball'/><joint type='slide'/><joint type='slide'/><joint type='slide'/>"
            "<joint type='slide'/>"),
      ContainsSubstring("7 degrees of freedom"));
  CHECK_THAT(error("<joint actuatorfrclimited='true'/>"), ContainsSubstring("actuatorfrcrange"));
  CHECK_THAT(compile_error(scene("<body><body><freejoint/><geom size='1'/></body></body>")),
             ContainsSubstring("child of the world"));
}

}  // namespace
}  // namespace mjjit
