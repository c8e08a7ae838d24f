#include "model/reference_state.h"

#include "../../kernels/enums.cuh"

namespace mjjit {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

Vec3 vec3_at(const std::vector<double>& array, int i) {
  return {array[3 * i], array[3 * i + 1], array[3 * i + 2]};
}

Quat quat_at(const std::vector<double>& array, int i) {
  return {array[4 * i], array[4 * i + 1], array[4 * i + 2], array[4 * i + 3]};
}

Eigen::Vector3d eigen(const Vec3& v) { return {v[0], v[1], v[2]}; }

/// The matrix of the cross product v ×.
Eigen::Matrix3d skew(const Eigen::Vector3d& v) {
  return (Eigen::Matrix3d() << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0).finished();
}

void place_bodies(const Model& m, ReferenceState& s) {
  s.body.resize(m.nbody);
  s.inertial.resize(m.nbody);
  for (int i = 0; i < m.nbody; i++) {
    const Pose local = {vec3_at(m.body_pos, i), quat_at(m.body_quat, i)};
    s.body[i] = i == 0 ? Pose{} : compose(s.body[m.body_parentid[i]], local);
    s.inertial[i] = s.body[i].pos + rotate(s.body[i].quat, vec3_at(m.body_ipos, i));
  }
}

/// Centre of mass of each tree with what hangs between the world and its first joint left out.
void find_centers(const Model& m, ReferenceState& s) {
  std::vector<double> mass(m.ntree);
  s.center.assign(m.ntree, {0, 0, 0});
  for (int i = 1; i < m.nbody; i++) {
    if (m.body_treeid[i] >= 0) {
      Vec3& sum = s.center[m.body_treeid[i]];
      sum = sum + m.body_mass[i] * s.inertial[i];
      mass[m.body_treeid[i]] += m.body_mass[i];
    }
  }
  for (int t = 0; t < m.ntree; t++) {
    s.center[t] = mass[t] > kTiny ? (1 / mass[t]) * s.center[t] : s.body[m.tree_bodyadr[t]].pos;
  }
}

Motion turn(const Vec3& axis, const Vec3& anchor, const Vec3& center) {
  const Vec3 linear = cross(axis, center - anchor);
  return (Motion() << axis[0], axis[1], axis[2], linear[0], linear[1], linear[2]).finished();
}

Motion slide(const Vec3& axis) {
  return (Motion() << 0, 0, 0, axis[0], axis[1], axis[2]).finished();
}

void find_motions(const Model& m, ReferenceState& s) {
  constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  s.motion.reserve(m.nv);
  for (int j = 0; j < m.njnt; j++) {
    const Pose& body = s.body[m.jnt_bodyid[j]];
    const Vec3 center = s.center[m.body_treeid[m.jnt_bodyid[j]]];
    const Vec3 anchor = body.pos + rotate(body.quat, vec3_at(m.jnt_pos, j));
    const Vec3 axis = rotate(body.quat, vec3_at(m.jnt_axis, j));
    switch (m.jnt_type[j]) {
      case JNT_FREE:
        for (const Vec3& direction : kAxes) {
          s.motion.push_back(slide(direction));
        }
        [[fallthrough]];
      case JNT_BALL:  // a free joint's rotation has axes fixed to the body too
        for (const Vec3& direction : kAxes) {
          s.motion.push_back(turn(rotate(body.quat, direction), anchor, center));
        }
        break;
      case JNT_SLIDE:
        s.motion.push_back(slide(axis));
        break;
      default:
        s.motion.push_back(turn(axis, anchor, center));
    }
  }
}

/// Spatial inertia of one body about its tree's reference point.
Matrix6 spatial_inertia(const Model& m, const ReferenceState& s, int body) {
  const Quat q = multiply(s.body[body].quat, quat_at(m.body_iquat, body));
  const Vec3 offset = s.inertial[body] - s.center[m.body_treeid[body]];
  const auto own = rotated_inertia(vec3_at(m.body_inertia, body), q);
  const auto moved = offset_inertia(m.body_mass[body], offset);
  const auto sum = [&](int k) { return own[k] + moved[k]; };
  const Eigen::Matrix3d coupling = m.body_mass[body] * skew(eigen(offset));
  Matrix6 out;
  out.topLeftCorner<3, 3>() << sum(0), sum(3), sum(4), sum(3), sum(1), sum(5), sum(4), sum(5),
      sum(2);
  out.topRightCorner<3, 3>() = coupling;
  out.bottomLeftCorner<3, 3>() = -coupling;
  out.bottomRightCorner<3, 3>() = m.body_mass[body] * Eigen::Matrix3d::Identity();
  return out;
}

/// Composite rigid body algorithm: what hangs on a dof moves with it, and pushes on the dofs above
/// it.
void find_inertia(const Model& m, ReferenceState& s) {
  std::vector<Matrix6> composite(m.nbody, Matrix6::Zero());
  for (int i = m.nbody - 1; i > 0; i--) {
    const int tree = m.body_treeid[i];
    if (tree < 0) {
      continue;
    }
    composite[i] += spatial_inertia(m, s, i);
    if (m.body_treeid[m.body_parentid[i]] == tree) {
      composite[m.body_parentid[i]] += composite[i];
    }
  }
  for (int t = 0; t < m.ntree; t++) {
    s.inertia.push_back(Eigen::MatrixXd::Zero(m.tree_dofnum[t], m.tree_dofnum[t]));
  }
  for (int i = 0; i < m.nv; i++) {
    const int first = m.tree_dofadr[m.dof_treeid[i]];
    Eigen::MatrixXd& inertia = s.inertia[m.dof_treeid[i]];
    const Motion momentum = composite[m.dof_bodyid[i]] * s.motion[i];
    for (int j = i; j >= 0; j = m.dof_parentid[j]) {
      inertia(i - first, j - first) = inertia(j - first, i - first) = momentum.dot(s.motion[j]);
    }
    inertia(i - first, i - first) += m.dof_armature[i];
  }
}

/// Whether a factor has digits left: where joints move the same thing the same way, a pivot is
/// nothing but rounding, of either sign. MuJoCo warns of pivots below its least value and sets them
/// to it.
bool is_definite(const Eigen::MatrixXd& inertia, const Eigen::LLT<Eigen::MatrixXd>& factor) {
  constexpr double kLeast = 1e-15, kRounding = 1e-14;
  if (factor.info() != Eigen::Success) {
    return false;
  }
  const Eigen::ArrayXd pivots = factor.matrixLLT().diagonal().array().square();
  return (pivots > (kRounding * inertia.diagonal().array()).max(kLeast)).all();
}

}  // namespace

ReferenceState reference_state(const Model& m, int& tree_error) {
  ReferenceState s;
  place_bodies(m, s);
  find_centers(m, s);
  find_motions(m, s);
  find_inertia(m, s);
  tree_error = -1;
  for (int t = 0; t < m.ntree; t++) {
    s.factor.emplace_back(s.inertia[t]);
    if (!is_definite(s.inertia[t], s.factor.back()) && tree_error < 0) {
      tree_error = t;
    }
  }
  return s;
}

Eigen::MatrixXd body_jacobian(const Model& m, const ReferenceState& s, int body) {
  const int tree = m.body_treeid[body], first = m.tree_dofadr[tree];
  const Eigen::Vector3d lever = eigen(s.inertial[body] - s.center[tree]);
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(6, m.tree_dofnum[tree]);

  // the last dof that moves the body, and those above it
  const int weld = m.body_weldid[body];
  for (int i = m.body_dofadr[weld] + m.body_dofnum[weld] - 1; i >= 0; i = m.dof_parentid[i]) {
    const Eigen::Vector3d angular = s.motion[i].head<3>(), linear = s.motion[i].tail<3>();
    jacobian.col(i - first).head<3>() = linear + angular.cross(lever);
    jacobian.col(i - first).tail<3>() = angular;
  }
  return jacobian;
}

}  // namespace mjjit
