#include "sim/initial_state.h"

#include <algorithm>

#include "base/error.h"

namespace mjjit {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Row `row` of a table with rows of `columns`.
std::vector<double> row_of(const std::vector<double>& table, int row, int columns) {
  const auto begin = table.begin() + static_cast<std::ptrdiff_t>(row) * columns;
  return std::vector<double>(begin, begin + columns);
}

}  // namespace

InitialState reference_state(const Model& model) {
  InitialState state;
  state.qpos = model.qpos0;
  state.qvel.assign(index(model.nv), 0.0);
  state.act.assign(index(model.na), 0.0);
  state.ctrl.assign(index(model.nu), 0.0);
  state.mocap_pos.assign(index(3 * model.nmocap), 0.0);
  state.mocap_quat.assign(index(4 * model.nmocap), 0.0);
  for (int body = 0; body < model.nbody; ++body) {
    const int mocap = model.body_mocapid[index(body)];
    if (mocap >= 0) {
      std::copy_n(model.body_pos.begin() + 3 * body, 3, state.mocap_pos.begin() + 3 * mocap);
      std::copy_n(model.body_quat.begin() + 4 * body, 4, state.mocap_quat.begin() + 4 * mocap);
    }
  }
  return state;
}

InitialState keyframe_state(const Model& model, int key) {
  if (key < 0 || key >= model.nkey) {
    fail(Exit::input, "keyframe {} does not exist: the scene has {}", key,
         model.nkey == 0   ? std::string("none")
         : model.nkey == 1 ? std::string("only keyframe 0")
                           : fmt::format("keyframes 0 to {}", model.nkey - 1));
  }
  InitialState state;
  state.time = model.key_time[index(key)];
  state.qpos = row_of(model.key_qpos, key, model.nq);
  state.qvel = row_of(model.key_qvel, key, model.nv);
  state.act = row_of(model.key_act, key, model.na);
  state.ctrl = row_of(model.key_ctrl, key, model.nu);
  state.mocap_pos = row_of(model.key_mpos, key, 3 * model.nmocap);
  state.mocap_quat = row_of(model.key_mquat, key, 4 * model.nmocap);
  return state;
}

}  // namespace mjjit
