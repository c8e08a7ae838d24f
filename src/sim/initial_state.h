#pragma once

#include <vector>

#include "model/model.h"

namespace mjjit {

/// Where every world begins, under MuJoCo's names.
struct InitialState {
  double time = 0;  // seconds
  std::vector<double> qpos, qvel, act, ctrl;
  std::vector<double> mocap_pos, mocap_quat;  // [nmocap × 3], [nmocap × 4]
};

/// The reference configuration at rest: qpos0, mocap bodies where the XML puts them, the rest zero.
InitialState reference_state(const Model& model);

/// Keyframe `key`. @throws Error{Exit::input} when the scene has no such keyframe, saying how many
/// it has
InitialState keyframe_state(const Model& model, int key);

}  // namespace mjjit
