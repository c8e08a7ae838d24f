#pragma once

#include <Eigen/Dense>
#include <vector>

#include "model/model.h"
#include "model/pose.h"

namespace mjjit {

/// Motion per unit of a dof's velocity: angular, then linear at the tree's reference point; world
/// axes.
using Motion = Eigen::Matrix<double, 6, 1>;

/// The tree at qpos0, where every joint is at rest and each body stands in its parent as the scene
/// says.
struct ReferenceState {
  std::vector<Pose> body;                // [nbody] in the world
  std::vector<Vec3> inertial;            // [nbody] centres of mass in the world
  std::vector<Vec3> center;              // [ntree] centre of mass of the tree: its reference point
  std::vector<Motion> motion;            // [nv]
  std::vector<Eigen::MatrixXd> inertia;  // [ntree] joint-space inertia, symmetric
  std::vector<Eigen::LLT<Eigen::MatrixXd>> factor;  // [ntree] its Cholesky factor
};

/// Computes all of it. Needs the tree, the joints, masses, and body_subtreemass.
/// @return false in `tree_error` >= 0: that tree's inertia is not positive definite
ReferenceState reference_state(const Model& m, int& tree_error);

/// Velocity of a body's centre of mass (rows 0-2) and its angular velocity (rows 3-5) by the dofs
/// of its tree. [6 × dofs of the tree]; a body that nothing moves has no tree and must not be asked
/// for.
Eigen::MatrixXd body_jacobian(const Model& m, const ReferenceState& s, int body);

}  // namespace mjjit
