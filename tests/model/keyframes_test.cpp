#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

const char* kWorld = R"(<body mocap="true" pos="1 2 3" quat="0 0 2 0"/>
  <body><freejoint/><geom size="1"/></body><body><joint name="j" ref="90"/><geom size="1"/></body>)";

std::string with(const std::string& keys) {
  return scene(kWorld,
               "<actuator><motor joint='j'/></actuator>\n<keyframe>\n" + keys + "</keyframe>");
}

TEST_CASE("what a key does not say is the reference configuration at rest", "[keyframes]") {
  const Model m = compile_text(with("<key/>"));
  CHECK(m.nkey == 1);
  check_close(m.key_qpos, m.qpos0);
  check_close(m.key_qvel, std::vector<double>(7));
  check_close(m.key_ctrl, {0});
  check_close(m.key_mpos, {1, 2, 3});
  check_close(m.key_mquat, {0, 0, 1, 0});
}

TEST_CASE("quaternions of keys are normalised", "[keyframes]") {
  const Model m = compile_text(with("<key qpos='1 2 3 2 2 2 2 .5' mquat='0 0 0 3'/>"));
  check_close(m.key_qpos, {1, 2, 3, 0.5, 0.5, 0.5, 0.5, 0.5});
  check_close(m.key_mquat, {0, 0, 0, 1});
}

TEST_CASE("a key of the wrong length is an error with both lengths", "[keyframes]") {
  CHECK(compile_error(with("<key name='long' qpos='1 2 3 4 5 6 7 8 9'/>")) ==
        "scene.xml:8: key 'long': qpos has 9 values, expected 8");
  CHECK_THAT(compile_error(with("<key name='k' qvel='1'/>")),
             ContainsSubstring("qvel has 1 values, expected 7"));
  CHECK_THAT(compile_error(with("<key name='k' act='1'/>")), ContainsSubstring("act"));
  CHECK_THAT(compile_error(with("<key name='k' ctrl='1 2'/>")), ContainsSubstring("ctrl"));
  CHECK_THAT(compile_error(with("<key name='k' mpos='1 2'/>")), ContainsSubstring("mpos"));
  CHECK_THAT(compile_error(with("<key name='k' mquat='1 2'/>")), ContainsSubstring("mquat"));
}

TEST_CASE("custom numbers are filled up with zeros to their size", "[keyframes]") {
  const Model m = compile_text(scene(
      "", "<custom><numeric name='x' data='1 2' size='4'/><numeric name='y' data='5'/></custom>"));
  CHECK(m.numeric_size == std::vector<int>{4, 1});
  CHECK(m.numeric_adr == std::vector<int>{0, 4});
  check_close(m.numeric_data, {1, 2, 0, 0, 5});
}

}  // namespace
}  // namespace mjjit
