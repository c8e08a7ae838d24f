#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../../kernels/enums.cuh"
#include "model/draft.h"
#include "model/reference_state.h"

// What MuJoCo derives from the model at its reference configuration. Trees do not push on each
// other there, so all work with the inertia is done tree by tree: 549 free bodies are 549 blocks of
// six, not one matrix of 3294.

namespace mjjit {
namespace {

constexpr double kMinValue = 1e-15;  // mjMINVAL

Eigen::VectorXd solve(const ReferenceState& s, int tree, const Eigen::VectorXd& v) {
  return s.factor[tree].solve(v);
}

void sum_subtree_masses(Model& m) {
  m.body_subtreemass = m.body_mass;
  for (int i = m.nbody - 1; i > 0; i--) {
    m.body_subtreemass[m.body_parentid[i]] += m.body_subtreemass[i];
  }
}

bool near_zero(const double* v, int n) {
  constexpr double kSameFrame = 1e-6;
  return std::all_of(v, v + n, [](double x) { return std::abs(x) < kSameFrame; });
}

/// Can the body's own joints be treated as having a diagonal inertia? 0 no, 1 yes, 2 yes and they
/// only slide.
int simple_level(const Model& m, int body) {
  const double* iquat = &m.body_iquat[4 * body];
  const double off_unit = std::abs(iquat[0]) - 1;
  if (!near_zero(&m.body_ipos[3 * body], 3) || !near_zero(iquat + 1, 3) ||
      !near_zero(&off_unit, 1)) {
    return 0;
  }
  const int parent = m.body_parentid[body];
  const bool hangs_on_fixed = m.body_parentid[parent] == 0 && m.body_dofnum[parent] == 0;
  if (m.body_rootid[body] != body && !hangs_on_fixed) {
    return 0;
  }

  // the first rotation may stand anywhere in the list, but nothing after it; axes along the body's,
  // through its centre
  bool has_rotation = false, only_slides = m.body_dofnum[body] > 0;
  for (int j = m.body_jntadr[body]; j < m.body_jntadr[body] + m.body_jntnum[body]; j++) {
    const int type = m.jnt_type[j];
    const auto components = std::count_if(&m.jnt_axis[3 * j], &m.jnt_axis[3 * j] + 3,
                                          [](double x) { return std::abs(x) > kTiny; });
    const bool is_skew = (type == JNT_HINGE || type == JNT_SLIDE) && components != 1;
    if (has_rotation || is_skew || !near_zero(&m.jnt_pos[3 * j], 3)) {
      return 0;
    }
    has_rotation = type == JNT_BALL || type == JNT_HINGE;
    only_slides = only_slides && type == JNT_SLIDE;
  }
  return only_slides ? 2 : 1;
}

void find_simple(Draft& d) {
  Model& m = d.m;
  m.body_simple.resize(m.nbody);
  for (int i = 0; i < m.nbody; i++) {
    m.body_simple[i] = d.bodies[i]->may_be_simple ? simple_level(m, i) : 0;
    if (m.body_parentid[i] > 0) {
      m.body_simple[m.body_parentid[i]] = 0;
    }
  }
  m.dof_simplenum.resize(m.nv);
  int count = 0;
  for (int i = m.nv - 1; i >= 0; i--) {
    count = m.body_simple[m.dof_bodyid[i]] ? count + 1 : 0;
    m.dof_simplenum[i] = count;
  }
}

/// Which dofs of its tree move a body, as bits.
void mark_dofs(Model& m) {
  const int words = (m.nvtree + 31) >> 5;
  m.body_dofmask.assign(static_cast<std::size_t>(m.nbody) * words, 0);
  for (int body = 1; body < m.nbody; body++) {
    const int weld = m.body_weldid[body];
    for (int i = m.body_dofadr[weld] + m.body_dofnum[weld] - 1; i >= 0; i = m.dof_parentid[i]) {
      const unsigned local = static_cast<unsigned>(i - m.tree_dofadr[m.dof_treeid[i]]);
      int& word = m.body_dofmask[static_cast<std::size_t>(body) * words + local / 32];
      word = static_cast<int>(static_cast<unsigned>(word) | 1u << local % 32);
    }
  }
}

void set_inertia_diagonal(Draft& d, const ReferenceState& s) {
  Model& m = d.m;
  for (const Eigen::MatrixXd& block : s.inertia) {
    m.dof_M0.insert(m.dof_M0.end(), block.diagonal().begin(), block.diagonal().end());
  }
  m.stat_meaninertia = 1;  // MuJoCo's value for a model without dofs
  if (m.nv > 0) {
    m.stat_meaninertia = 0;
    for (const double inertia : m.dof_M0) {
      m.stat_meaninertia += inertia / m.nv;
    }
  }
  if (!std::isnan(d.spec.stat_meaninertia)) {
    m.stat_meaninertia = d.spec.stat_meaninertia;
  }
}

/// Inverse spatial inertia J inv(M) J^T of each body at its centre of mass: mean of the
/// translational and of the rotational part of the diagonal.
void set_body_invweight(Model& m, const ReferenceState& s) {
  m.body_invweight0.assign(2 * m.nbody, 0);
  for (int i = 1; i < m.nbody; i++) {
    if (m.body_dofnum[m.body_weldid[i]] == 0) {
      continue;
    }
    if (m.body_simple[i] == 2) {
      m.body_invweight0[2 * i] = 1 / std::max(kMinValue, m.body_mass[i]);
      continue;
    }
    Eigen::MatrixXd half = body_jacobian(m, s, i).transpose();
    s.factor[m.body_treeid[i]].matrixL().solveInPlace(half);
    const Eigen::VectorXd diagonal = half.colwise().squaredNorm();
    m.body_invweight0[2 * i] = diagonal.head<3>().mean();
    m.body_invweight0[2 * i + 1] = diagonal.tail<3>().mean();
  }
}

/// Mean diagonal of inv(M) over the dofs of a joint's rotation or translation.
void set_dof_invweight(Model& m, const ReferenceState& s) {
  m.dof_invweight0.resize(m.nv);
  std::vector<Eigen::VectorXd> inverse;  // diagonal of inv(M), a tree each
  for (int t = 0; t < m.ntree; t++) {
    Eigen::MatrixXd half = Eigen::MatrixXd::Identity(m.tree_dofnum[t], m.tree_dofnum[t]);
    s.factor[t].matrixL().solveInPlace(half);
    inverse.push_back(half.colwise().squaredNorm());
  }
  for (int i = 0; i < m.nv; i++) {
    const int joint = m.dof_jntid[i], body = m.dof_bodyid[i], tree = m.dof_treeid[i];
    if (m.body_simple[body] == 2) {
      m.dof_invweight0[i] = 1 / std::max(kMinValue, m.body_mass[body]);
      continue;
    }
    const bool is_scalar = m.jnt_type[joint] == JNT_HINGE || m.jnt_type[joint] == JNT_SLIDE;
    const int count = is_scalar ? 1 : 3;
    const int first = m.jnt_dofadr[joint] + (i - m.jnt_dofadr[joint]) / count * count;
    m.dof_invweight0[i] = inverse[tree].segment(first - m.tree_dofadr[tree], count).mean();
  }
}

/// Where an actuator pulls at qpos0: the row of its moment arms in its tree, and its length.
struct Transmission {
  int tree;
  Eigen::VectorXd moment;
  double length = 0;
};

Transmission transmission(const Model& m, const ReferenceState& s, int actuator) {
  const int joint = m.actuator_trnid[2 * actuator], type = m.jnt_type[joint],
            dof = m.jnt_dofadr[joint];
  const double* gear = &m.actuator_gear[6 * actuator];
  Transmission out{m.dof_treeid[dof], Eigen::VectorXd::Zero(m.tree_dofnum[m.dof_treeid[dof]])};
  auto at_joint = out.moment.segment(dof - m.tree_dofadr[out.tree], type == JNT_FREE   ? 6
                                                                    : type == JNT_BALL ? 3
                                                                                       : 1);
  std::copy(gear, gear + at_joint.size(), at_joint.begin());
  if (type == JNT_HINGE || type == JNT_SLIDE) {
    out.length = gear[0] * m.qpos0[m.jnt_qposadr[joint]];
  } else if (type == JNT_FREE && m.actuator_trntype[actuator] == TRN_JOINTINPARENT) {
    // the torque is given in the world's axes; a ball joint's parent has the body's axes at qpos0
    const Vec3 torque =
        rotate(conjugate(s.body[m.jnt_bodyid[joint]].quat), {gear[3], gear[4], gear[5]});
    std::copy(torque.begin(), torque.end(), at_joint.begin() + 3);
  }
  return out;
}

/// acc0: norm of the acceleration that a unit force makes; then damping ratios become damping.
void set_actuators(Model& m, const ReferenceState& s) {
  for (int i = 0; i < m.nactuator; i++) {
    const Transmission t = transmission(m, s, i);
    const Eigen::VectorXd acceleration = solve(s, t.tree, t.moment);
    m.actuator_length0.push_back(t.length);
    m.actuator_acc0.push_back(acceleration.norm());

    // a position servo's damping for the inertia that its transmission sees
    const double gain = m.actuator_gainprm[10 * i];
    double* bias = &m.actuator_biasprm[10 * i];
    if (gain == -bias[1] && bias[2] > 0) {
      const double reflected = 1 / std::max(kMinValue, acceleration.dot(t.moment));
      bias[2] *= -2 * std::sqrt(gain * reflected);
    }
  }
}

/// joint springdamper: stiffness and damping from time constant and damping ratio, for the joint's
/// mean inertia.
void set_spring_dampers(Draft& d) {
  Model& m = d.m;
  for (int j = 0; j < m.njnt; j++) {
    const auto [timeconst, dampratio] = d.joints[j]->springdamper;
    if (timeconst <= 0 || dampratio <= 0) {
      continue;
    }
    const int first = m.jnt_dofadr[j], count = m.jnt_type[j] == JNT_FREE   ? 6
                                               : m.jnt_type[j] == JNT_BALL ? 3
                                                                           : 1;
    double weight = 0;
    for (int i = first; i < first + count; i++) {
      weight += m.dof_invweight0[i];
    }
    const double inertia = count / std::max(kMinValue, weight);
    m.jnt_stiffness[j] =
        inertia / std::max(kMinValue, timeconst * timeconst * dampratio * dampratio);
    std::fill_n(&m.dof_damping[first], count, 2 * inertia / std::max(kMinValue, timeconst));
  }
}

void put(const Vec3& v, double* to) { std::copy(v.begin(), v.end(), to); }

/// The pose of the second body in the first one's frame, for welds that do not say it.
void finish_weld(const ReferenceState& s, int body1, int body2, double* data) {
  Quat relative = {data[6], data[7], data[8], data[9]};
  if (relative != Quat{0, 0, 0, 0}) {
    normalize(relative);
    std::copy(relative.begin(), relative.end(), data + 6);
    return;
  }
  const Pose second = {compose(s.body[body2], {{data[0], data[1], data[2]}, {1, 0, 0, 0}}).pos,
                       s.body[body2].quat};
  const Pose pose = compose(inverse(s.body[body1]), second);
  put(pose.pos, data + 3);
  std::copy(pose.quat.begin(), pose.quat.end(), data + 6);
  data[11] = 1;  // MuJoCo's mark of a pose that was found here
}

void finish_equalities(Model& m, const ReferenceState& s) {
  for (int i = 0; i < m.neq; i++) {
    if (m.eq_objtype[i] != OBJ_BODY) {
      continue;
    }
    const int body1 = m.eq_obj1id[i], body2 = m.eq_obj2id[i];
    double* data = &m.eq_data[12 * i];
    if (m.eq_type[i] == EQ_WELD) {
      finish_weld(s, body1, body2, data);
    } else {
      const Pose anchor = compose(s.body[body1], {{data[0], data[1], data[2]}, {1, 0, 0, 0}});
      put(compose(inverse(s.body[body2]), anchor).pos, data + 3);
    }
  }
}

}  // namespace

void compile_constants(Draft& d) {
  Model& m = d.m;
  sum_subtree_masses(m);
  find_simple(d);
  mark_dofs(m);
  int tree_error = -1;
  const ReferenceState s = reference_state(m, tree_error);
  if (tree_error >= 0) {
    const SpecBody& body = *d.bodies[m.tree_bodyadr[tree_error]];
    fail(body.source,
         "{}: the inertia of its joints is singular; do two of them move the same thing the same "
         "way?",
         label("body", body.name));
  }
  set_inertia_diagonal(d, s);
  set_body_invweight(m, s);
  set_dof_invweight(m, s);
  set_actuators(m, s);
  finish_equalities(m, s);
  set_spring_dampers(d);
}

/// Room for a Hessian over all dofs, for contacts that couple trees; small models keep it on chip.
void size_hessian(Draft& d) {
  Model& m = d.m;
  const bool is_large = m.nv > 99 && (m.ntree > 1 || m.nvtree > 63);
  if (m.opt_solver[0] != SOL_NEWTON || !is_large) {
    return;
  }
  const std::int64_t entries = std::int64_t{m.nv} * (m.nv + 1) / 2;
  constexpr int kMost = std::numeric_limits<int>::max();
  if (entries > kMost) {
    const SpecBody& body = *d.bodies[m.dof_bodyid.back()];
    fail(body.source,
         "{}: with it Newton's matrix of {} dofs has more than {} entries; CG has none",
         label("body", body.name), m.nv, kMost);
  }
  m.nhessian = static_cast<int>(entries);
}

}  // namespace mjjit
