#include "sim/initial_state.h"

#include "base/error.h"
#include "catch.h"

using namespace mjjit;

namespace {

/// A slide joint, a mocap body at (1, 2, 3), and two keyframes.
Model model_with_keys() {
  Model model;
  model.nq = model.nv = model.nu = 1;
  model.nbody = 2;
  model.nmocap = 1;
  model.nkey = 2;
  model.qpos0 = {0.5};
  model.body_mocapid = {-1, 0};
  model.body_pos = {0, 0, 0, 1, 2, 3};
  model.body_quat = {1, 0, 0, 0, 0, 1, 0, 0};
  model.key_time = {0, 4};
  model.key_qpos = {1, 2};
  model.key_qvel = {3, 4};
  model.key_ctrl = {5, 6};
  model.key_mpos = {0, 0, 0, 7, 8, 9};
  model.key_mquat = {1, 0, 0, 0, 0, 0, 1, 0};
  return model;
}

}  // namespace

TEST_CASE("the reference state has mocap bodies where the scene puts them", "[sim]") {
  const InitialState state = reference_state(model_with_keys());
  CHECK(state.qpos == std::vector<double>{0.5});
  CHECK(state.qvel == std::vector<double>{0});
  CHECK(state.mocap_pos == std::vector<double>{1, 2, 3});
  CHECK(state.mocap_quat == std::vector<double>{0, 1, 0, 0});
}

TEST_CASE("a keyframe sets time, positions, velocities, controls and mocap poses", "[sim]") {
  const InitialState state = keyframe_state(model_with_keys(), 1);
  CHECK(state.time == 4);
  CHECK(state.qpos == std::vector<double>{2});
  CHECK(state.qvel == std::vector<double>{4});
  CHECK(state.ctrl == std::vector<double>{6});
  CHECK(state.mocap_pos == std::vector<double>{7, 8, 9});
  CHECK(state.mocap_quat == std::vector<double>{0, 0, 1, 0});
}

TEST_CASE("a keyframe that is not there is an error that says how many there are", "[sim]") {
  CHECK_THROWS_WITH(keyframe_state(model_with_keys(), 2),
                    ContainsSubstring("keyframe 2 does not exist: the scene has keyframes 0 to 1"));
  CHECK_THROWS_WITH(keyframe_state(Model(), 5), ContainsSubstring("the scene has none"));
}
