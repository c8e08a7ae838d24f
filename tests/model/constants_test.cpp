#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

TEST_CASE("a hinge off the centre of mass adds m r² to its inertia", "[constants]") {
  const Model m = compile_text(
      scene("<body><joint axis='0 0 1'/><geom pos='2 0 0' size='1' mass='5'/></body>"));
  const double inertia = 5 * 2 * 2 + 0.4 * 5 * 1 * 1;  // parallel axis + solid sphere
  CHECK(m.dof_M0[0] == Approx(inertia));
  CHECK(m.dof_invweight0[0] == Approx(1 / inertia));
  CHECK(m.stat_meaninertia == Approx(inertia));
  // a force at the centre of mass moves it by r²/I in one direction of three; a torque turns it
  // about one axis of three
  CHECK(m.body_invweight0[2] == Approx(2 * 2 / inertia / 3));
  CHECK(m.body_invweight0[3] == Approx(1 / inertia / 3));
}

TEST_CASE("a free sphere has its inverse mass and inverse inertia", "[constants]") {
  const Model m = compile_text(scene("<body><freejoint/><geom size='1' mass='5'/></body>"));
  check_close(m.dof_invweight0, {0.2, 0.2, 0.2, 0.5, 0.5, 0.5});
  check_close(row_of(m.body_invweight0, 1, 2), {0.2, 0.5});
  check_close(m.body_subtreemass, {5, 5});
}

TEST_CASE("armature adds to the inertia of its dof", "[constants]") {
  const Model m =
      compile_text(scene("<body><joint armature='3'/><geom size='1' mass='5'/></body>"));
  CHECK(m.dof_M0[0] == Approx(0.4 * 5 + 3));
}

TEST_CASE("two links: the values of MuJoCo 4.0.0", "[constants]") {
  const Model m = compile_text(
      scene(R"(<body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/>
    <body pos="1 0 0"><joint axis="0 1 0" armature=".1"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/></body></body>)"));
  check_close(m.dof_M0, {22.5452470, 2.99504308}, 1e-7);
  check_close(m.dof_invweight0, {0.17269173, 1.29994046}, 1e-8);
}

TEST_CASE("a body that nothing moves has no inverse weight", "[constants]") {
  const Model m = compile_text(
      scene("<body><geom size='1'/></body><body mocap='true'><geom size='1'/></body>"));
  check_close(m.body_invweight0, std::vector<double>(6));
  CHECK(m.stat_meaninertia == 1);
}

TEST_CASE("springdamper sets stiffness and damping for the joint's inertia", "[constants]") {
  const Model m =
      compile_text(scene("<body><joint springdamper='2 .5'/><geom size='1' mass='5'/></body>"));
  CHECK(m.jnt_stiffness[0] == Approx(2 / (4 * 0.25)));  // I / (T² ζ²)
  CHECK(m.dof_damping[0] == Approx(2 * 2 / 2.0));       // 2 I / T
}

TEST_CASE("bodies whose joints all pass through their centre along their axes are simple",
          "[constants]") {
  const Model m = compile_text(scene(R"(
    <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size="1"/></body>
    <body><freejoint/><geom size="1"/></body>
    <body><joint/><geom size="1" pos="1 0 0"/></body>
    <body><joint/><joint type="slide"/><geom size="1"/></body>)"));
  CHECK(m.body_simple == std::vector<int>{1, 2, 1, 0, 0});
  CHECK(m.dof_simplenum == std::vector<int>{8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0});
}

TEST_CASE("joints that move the same thing the same way are an error that names the body",
          "[constants]") {
  CHECK_THAT(compile_error(scene("<body name='b'><joint/><joint/><geom size='1'/></body>")),
             ContainsSubstring("'b'"));
}

TEST_CASE("joints that move the same thing the same way are refused whatever rounding leaves",
          "[constants]") {
  // the second pivot is rounding alone: negative for some of these sizes, positive for others
  for (const char* size : {"0.1", "0.13", "0.2", "0.31", "0.7", "1"}) {
    for (const char* axis : {"1 0 0", "1 2 3", "0.3 -0.2 0.9"}) {
      const std::string joint = fmt::format("<joint axis='{}'/>", axis);
      INFO(size << " " << axis);
      CHECK_THAT(compile_error(scene(fmt::format("<body name='b'>{}{}<geom size='{}' pos='0.1 0.2 "
                                                 "0.3'/></body>",
                                                 joint, joint, size))),
                 ContainsSubstring("body 'b': the inertia of its joints is singular"));
    }
  }
  CHECK(compile_error(scene("<body><joint armature='0.1'/><joint armature='0.1'/><geom "
                            "size='0.1'/></body>"))
            .empty());
}

TEST_CASE("simple=\"false\" keeps a body from being treated as simple", "[constants]") {
  const Model m =
      compile_text(scene("<body simple='false'><freejoint/><geom size='.1'/></body>"
                         "<body><freejoint/><geom size='.1'/></body>"));
  CHECK(m.body_simple == std::vector<int>{1, 0, 1});
  CHECK(m.dof_simplenum == std::vector<int>{0, 0, 0, 0, 0, 0, 6, 5, 4, 3, 2, 1});
}

TEST_CASE("a number that overflows is told at its element", "[constants]") {
  const auto body = [](const std::string& content) {
    return compile_error(scene("<body name='b'><freejoint/>" + content + "</body>"));
  };
  CHECK_THAT(body("<geom name='g' size='1e308'/>"), ContainsSubstring("scene.xml:3: ") &&
                                                        ContainsSubstring("becomes inf") &&
                                                        ContainsSubstring("too large"));
  CHECK_THAT(body("<geom name='g' size='.1' margin='1e308'/><geom size='.1'/></body><body "
                  "name='c'><freejoint/><geom name='h' size='.1' margin='1e308'/>"),
             ContainsSubstring("scene.xml:3: geom") && ContainsSubstring("becomes inf"));
  CHECK_THAT(body("<geom name='g' type='box' size='.1 .1 .1' euler='0 0 -1e308'/>"),
             !ContainsSubstring("singular"));
  CHECK_THAT(compile_error("<mujoco><worldbody><body><joint name='j'/><geom "
                           "size='.1'/></body></worldbody>\n<actuator><position name='p' joint='j' "
                           "kp='-1' dampratio='1'/></actuator></mujoco>"),
             ContainsSubstring("scene.xml:2: actuator 'p'") &&
                 ContainsSubstring("actuator_biasprm becomes"));
}

}  // namespace
}  // namespace mjjit
