#include "../../kernels/enums.cuh"
#include "model/draft.h"
#include "model/limits.h"
#include "model/pose.h"

namespace mjjit {
namespace {

constexpr int dof_count(int type) { return type == JNT_FREE ? 6 : type == JNT_BALL ? 3 : 1; }
constexpr int qpos_count(int type) { return type == JNT_FREE ? 7 : type == JNT_BALL ? 4 : 1; }

template <typename T, std::size_t n>
void append(std::vector<T>& to, const std::array<T, n>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Limits of the joint's position and of what actuators may do to it.
void compile_limits(Draft& d, int id, const std::string& name) {
  Model& m = d.m;
  const SpecJoint& joint = *d.joints[id];
  const bool autolimits = compiler_of(d, m.jnt_bodyid[id]).autolimits;

  bool limited = false;
  if (joint.type != JNT_FREE) {
    limited =
        is_limited(joint.limited, joint.range, autolimits, joint.source, name, "range", "limited");
  }
  if (limited && joint.type != JNT_BALL && joint.range[0] >= joint.range[1]) {
    fail(joint.source, "{}: range[0] must be smaller than range[1]", name);
  }
  if (limited && joint.type == JNT_BALL && joint.range[0] != 0) {
    fail(joint.source, "{}: range[0] of a ball joint must be 0", name);
  }
  m.jnt_limited.push_back(limited);
  append(m.jnt_range, joint.range);

  bool force_limited = false;
  if (joint.type != JNT_FREE && joint.type != JNT_BALL) {
    force_limited = is_limited(joint.actfrclimited, joint.actfrcrange, autolimits, joint.source,
                               name, "actuatorfrcrange", "actuatorfrclimited");
  }
  if (force_limited && joint.actfrcrange[0] >= joint.actfrcrange[1]) {
    fail(joint.source, "{}: actuatorfrcrange[0] must be smaller than actuatorfrcrange[1]", name);
  }
  m.jnt_actfrclimited.push_back(force_limited);
  append(m.jnt_actfrcrange, joint.actfrcrange);
}

/// Where the joint turns or slides, in its body's frame; a free joint has the body's frame.
void compile_frame(Draft& d, const SpecJoint& joint, const std::string& name) {
  Vec3 axis = joint.axis;
  if (joint.type == JNT_FREE || joint.type == JNT_BALL) {
    axis = {0, 0, 1};
  }
  if (normalize(axis) < kTiny) {
    fail(joint.source, "{}: axis has no length", name);
  }
  append(d.m.jnt_axis, axis);
  append(d.m.jnt_pos, joint.type == JNT_FREE ? Vec3{0, 0, 0} : joint.pos);
}

void check_values(const SpecJoint& joint, const std::string& name) {
  const auto [timeconst, dampratio] = joint.springdamper;
  if ((timeconst != 0 || dampratio != 0) && (timeconst <= 0 || dampratio <= 0)) {
    fail(joint.source, "{}: both values of springdamper must be positive", name);
  }
  if (joint.armature < 0) {
    fail(joint.source, "{}: armature is {}, must not be negative", name, joint.armature);
  }
  if (joint.frictionloss < 0) {
    fail(joint.source, "{}: frictionloss is {}, must not be negative", name, joint.frictionloss);
  }
}

void append_dofs(Model& m, const SpecJoint& joint, int body, int id, int& last_dof) {
  for (int k = 0; k < dof_count(joint.type); k++) {
    m.dof_bodyid.push_back(body);
    m.dof_jntid.push_back(id);
    m.dof_parentid.push_back(last_dof);
    append(m.dof_solref, joint.solref_friction);
    append(m.dof_solimp, joint.solimp_friction);
    m.dof_frictionloss.push_back(joint.frictionloss);
    m.dof_armature.push_back(joint.armature);
    m.dof_damping.push_back(joint.damping);
    append(m.dof_dampingpoly, joint.dampingpoly);
    last_dof = m.nv++;
  }
}

void compile_joint(Draft& d, int id, int& last_dof) {
  Model& m = d.m;
  const SpecJoint& joint = *d.joints[id];
  const std::string name = label("joint", joint.name);
  check_values(joint, name);
  m.jnt_type.push_back(joint.type);
  m.jnt_qposadr.push_back(m.nq);
  m.jnt_dofadr.push_back(m.nv);
  compile_limits(d, id, name);
  compile_frame(d, joint, name);
  m.jnt_actgravcomp.push_back(joint.actgravcomp);
  append(m.jnt_solref, joint.solref_limit);
  append(m.jnt_solimp, joint.solimp_limit);
  m.jnt_stiffness.push_back(joint.stiffness);
  append(m.jnt_stiffnesspoly, joint.stiffnesspoly);
  m.jnt_margin.push_back(joint.margin);
  append_dofs(m, joint, m.jnt_bodyid[id], id, last_dof);
  m.nq += qpos_count(joint.type);
}

/// Which joints may stand together in a body.
void check_combination(Draft& d, int body) {
  const SpecBody& spec = *d.bodies[body];
  const std::string name = label("body", spec.name);
  int dofs = 0;
  bool has_ball = false;
  for (const SpecJoint& joint : spec.joints) {
    dofs += dof_count(joint.type);
    if (joint.type == JNT_FREE && spec.joints.size() > 1) {
      fail(joint.source, "{}: a free joint must be the only joint of its body", name);
    }
    if (joint.type == JNT_FREE && d.m.body_parentid[body] != 0) {
      fail(joint.source, "{}: a free joint can only be in a child of the world", name);
    }
    if (has_ball && (joint.type == JNT_BALL || joint.type == JNT_HINGE)) {
      fail(joint.source, "{}: a ball joint cannot be followed by another rotation", name);
    }
    has_ball = has_ball || joint.type == JNT_BALL;
  }
  if (dofs > 6) {
    fail(spec.source, "{}: its joints have {} degrees of freedom, there can be no more than 6",
         name, dofs);
  }
}

}  // namespace

void compile_joints(Draft& d) {
  Model& m = d.m;
  std::vector<int> last_dof(m.nbody, -1);
  for (int i = 0; i < m.nbody; i++) {
    check_combination(d, i);
    last_dof[i] = i == 0 ? -1 : last_dof[m.body_parentid[i]];
    const int first = m.nv;
    for (int k = 0; k < m.body_jntnum[i]; k++) {
      compile_joint(d, m.body_jntadr[i] + k, last_dof[i]);
    }
    m.body_dofnum.push_back(m.nv - first);
    m.body_dofadr.push_back(m.nv > first ? first : -1);
  }
}

void compile_reference(Draft& d) {
  Model& m = d.m;
  for (int i = 0; i < m.njnt; i++) {
    const SpecJoint& joint = *d.joints[i];
    if (joint.type == JNT_HINGE || joint.type == JNT_SLIDE) {
      m.qpos0.push_back(joint.ref);
      m.qpos_spring.push_back(joint.springref);
      continue;
    }
    std::vector<double> pose = {1, 0, 0, 0};
    if (joint.type == JNT_FREE) {
      const int body = m.jnt_bodyid[i];
      pose.assign(&m.body_pos[3 * body], &m.body_pos[3 * body] + 3);
      pose.insert(pose.end(), &m.body_quat[4 * body], &m.body_quat[4 * body] + 4);
    }
    m.qpos0.insert(m.qpos0.end(), pose.begin(), pose.end());
    m.qpos_spring.insert(m.qpos_spring.end(), pose.begin(), pose.end());
  }
}

}  // namespace mjjit
