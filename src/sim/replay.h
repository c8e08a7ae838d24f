#pragma once

#include <string>
#include <vector>

#include "sim/initial_state.h"

namespace mjjit {

/// The control that noise is added around.
struct ControlCentre {
  std::vector<double> ctrl;  // [rows × nu]
  int rows = 0;  // one a step; beyond the last row it holds. 0: control is left as it starts
};

/// A recorded control sequence and where it begins.
struct Replay {
  ControlCentre centre;
  InitialState start;
  std::vector<std::string> unused;  // arrays of the file that a replay has no use for
};

/// Reads an NPZ file with `ctrl` (T, nu), and optionally `times` (T,) or (T+1,) in seconds, `qpos`
/// (n, nq), `qvel` (n, nv). Each control is held from its stamp to the next one, and sampled at the
/// model's timestep; without `times` a row is a step. The start is the first row of `qpos` and
/// `qvel`, else the reference configuration at rest, with zero control.
/// @throws Error{Exit::input} naming the file, the array, and the shape or value that does not fit
Replay read_replay(const std::string& path, const Model& model);

}  // namespace mjjit
