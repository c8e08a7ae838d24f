#pragma once

#include <vector>

#include "sim/npz.h"
#include "sim/session.h"

namespace mjjit {

// What --dump writes, under MuJoCo's names and in its shapes: m.<field> of the model, d.<field> of
// world 0 after a forward pass at the initial state, traj.<field> of world 0 at every step.

/// Sizes, options and arrays of the compiled model: m.nq, m.opt.timestep, m.stat.meaninertia,
/// m.body_mass, ...
void dump_model(const Model& model, NpzWriter* out);

/// World 0 as it stands after Session::forward: contacts and rows cut to those that are there, the
/// mass matrix and the constraint Jacobian made dense.
void dump_world(const Model& model, const Session& session, NpzWriter* out);

/// World 0 along a run.
class Trajectory {
 public:
  /// Takes the state before the first step.
  void start(const Session& session);
  /// Takes the state after a step.
  void record(const Session& session);
  void write(const Model& model, NpzWriter* out) const;

 private:
  std::vector<double> qpos_, qvel_;
  std::vector<int> ncon_, nefc_, niter_;
};

}  // namespace mjjit
