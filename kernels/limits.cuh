// Rows of single joints: dry friction of dofs, and joint limits.
#pragma once

#include "quat.cuh"
#include "row.cuh"

/// Writes the friction-loss row of a dof.
FN void put_frictionloss(const Model& m, const Data& d, int w, int dof, int place) {
  real solref[2];
  const real* solimp = m.dof_solimp + 5 * dof;
  safe_solref(m, m.dof_solref + 2 * dof, real(0.02), 1, solref);
  Row row{};
  row.type = CNSTR_FRICTION_DOF;
  row.id = dof;
  row.tree0 = m.dof_treeid[dof];
  row.tree1 = -1;
  row.vel = at_world(d.qvel, w, NV)[dof];
  row.frictionloss = m.dof_frictionloss[dof];
  row.imp = impedance(solimp, 0);
  row.ref = reference(solref, clip_impedance(solimp[1]));
  row.ref.stiffness = 0;
  row.R = regulariser(row.imp, m.dof_invweight0[dof]);
  put_row(d, w, place, row);
}

/// How far a joint is from its limits.
struct LimitState {
  real dist[2];  // lower and upper limit of a slide or hinge; of a ball, the first only. Negative:
                 // beyond the limit
  real axis[3];  // ball: the unit axis of its rotation
  int count;     // rows: distances below the margin
};

FN LimitState limit_state(const Model& m, const Data& d, int w, int joint) {
  LimitState state{};
  if (!m.jnt_limited[joint]) {
    return state;
  }
  const real margin = m.jnt_margin[joint];
  const real* q = at_world(d.qpos, w, NQ) + m.jnt_qposadr[joint];
  const real* range = m.jnt_range + 2 * joint;
  if (m.jnt_type[joint] == JNT_SLIDE || m.jnt_type[joint] == JNT_HINGE) {
    state.dist[0] = q[0] - range[0];
    state.dist[1] = range[1] - q[0];
    state.count = (state.dist[0] < margin ? 1 : 0) + (state.dist[1] < margin ? 1 : 0);
  } else if (HAS_BALL && m.jnt_type[joint] == JNT_BALL) {
    real quat[4];
    copy4(quat, q);
    quat_normalize(quat);
    quat_to_rotation_vector(state.axis, quat);
    const real angle = normalize3(state.axis);
    state.dist[0] = r_max(range[0], range[1]) - angle;
    state.count = state.dist[0] < margin ? 1 : 0;
  }
  return state;
}

/// Writes the rows of a joint's limits, and their Jacobian's values into efc_mu: [dof of the
/// joint].
FN void put_limits(const Model& m, const Data& d, int w, int joint, const LimitState& state,
                   int place) {
  const bool ball = m.jnt_type[joint] == JNT_BALL;
  const int dof = m.jnt_dofadr[joint];
  const real* qvel = at_world(d.qvel, w, NV) + dof;
  const real* solimp = m.jnt_solimp + 5 * joint;
  real solref[2];
  safe_solref(m, m.jnt_solref + 2 * joint, real(0.02), 1, solref);
  Row row{};
  row.type = CNSTR_LIMIT_JOINT;
  row.id = joint;
  row.tree0 = m.dof_treeid[dof];
  row.tree1 = -1;
  row.margin = m.jnt_margin[joint];
  row.ref = reference(solref, clip_impedance(solimp[1]));
  for (int side = 0; side < (ball ? 1 : 2); ++side) {
    if (!(state.dist[side] < row.margin)) {
      continue;
    }
    real* jacobian = at_world(d.efc_mu, w, NJMAX * 6) + 6 * place;
    row.pos = state.dist[side];
    if (ball) {
      scale3(jacobian, state.axis, -1);
      row.vel = dot3(jacobian, qvel);
    } else {
      jacobian[0] = side == 0 ? real(1) : real(-1);
      row.vel = jacobian[0] * qvel[0];
    }
    row.imp = impedance(solimp, row.pos - row.margin);
    row.R = regulariser(row.imp, m.dof_invweight0[dof]);
    put_row(d, w, place, row);
    ++place;
  }
}
