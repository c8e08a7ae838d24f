// What an implicit integrator adds to its matrix: derivatives of the smooth forces by the
// velocities.
//
// With S_i the motion of dof i, v_b the velocity of body b and I_b its inertia, all about the
// centre of mass of the tree, the bias force on dof i has the derivative by qvel_k, where b is the
// deeper one of the two dofs' bodies,
//   S_i . (C_b w_k + G_b S_k),  C_b = sum of I_c,  G_b x = sum of I_c (x x v_c) + x x* (I_c v_c) +
//   v_c x* (I_c x)
// with the sums over the bodies c below b, and w_k = (v before the joint + v after it) x S_k. So
// the derivative costs no more than another inertia matrix: 46 reals a body are summed up the tree,
// and every pair of dofs takes a few products. The fluid's derivative adds to G_b likewise.
#pragma once

#include "actuation.cuh"
#include "fluid_derivative.cuh"
#include "linear_system.cuh"

/// True when all actuators of a joint together are at the joint's limit.
FN bool is_joint_saturated(const Model& m, const Data& d, int w, int j) {
  const real force = at_world(d.qfrc_actuator, w, NV)[m.jnt_dofadr[j]];
  const real* range = m.jnt_actfrcrange + 2 * j;
  return m.jnt_actfrclimited[j] && (force <= range[0] || force >= range[1]);
}

/// Derivative of an actuator's force by its velocity; 0 where the force is at its limit, or the
/// joint's.
FN real actuator_derivative(const Model& m, const Data& d, int w, int a, const Transmission& t,
                            real velocity) {
  const real* ctrl = at_world(d.ctrl, w, NU);
  if (m.actuator_disabled[a] || is_joint_saturated(m, d, w, m.actuator_trnid[2 * a])) {
    return 0;
  }
  if (m.actuator_forcelimited[a]) {
    const real force = actuator_force(m, d, w, a, t, velocity, control_value(m, ctrl, a, false));
    if (force <= m.actuator_forcerange[2 * a] || force >= m.actuator_forcerange[2 * a + 1]) {
      return 0;
    }
  }
  real slope = 0;
  if (m.actuator_gaintype[a] == GAIN_AFFINE) {
    slope = m.actuator_gainprm[10 * a + 2];
  } else if (HAS_MUSCLE && m.actuator_gaintype[a] == GAIN_MUSCLE) {
    slope = muscle_gain_derivative(m, a, t.length, velocity);
  }
  real derivative =
      slope == 0 ? real(0) : slope * actuator_input(m, d, w, a, control_value(m, ctrl, a, false));
  if (m.actuator_biastype[a] == BIAS_AFFINE) {
    derivative += m.actuator_biasprm[10 * a + 2];
  }
  return derivative;
}

/// Adds the actuators' part: their derivatives times the products of their moments.
FN void add_actuators(Group g, const Model& m, const Data& d, int w, const Implicit& s) {
  if (m.opt_disableflags[0] & DSBL_ACTUATION) {
    return;
  }
  const real h = m.opt_timestep[0];
  const real* qvel = at_world(d.qvel, w, NV);
  for_each_actuator(g, m, [&](int a) {
    const Transmission t = transmission(m, at_world(d.qpos, w, NQ), a);
    const real velocity = transmission_velocity(t, qvel);
    const real scale = -h * actuator_derivative(m, d, w, a, t, velocity);
    const TreeBlock at = tree_block(m, m.dof_treeid[t.dof]);
    real* block = s.A + at.madr + (t.dof - at.first) * (at.n + 1);
    for (int i = 0; i < MOMENTS; ++i) {
      for (int j = 0; j < MOMENTS; ++j) {
        if (i == j && i < t.count) {
          s.diagonal[t.dof + i] += scale * t.moment[i] * t.moment[i];
        } else if (i < t.count && j < t.count) {
          block[i * at.n + j] += scale * t.moment[i] * t.moment[j];
        }
      }
    }
  });
}

/// True for the tree of a body that floats alone: a free joint, and nothing that moves on it.
FN bool is_free_tree(const Model& m, int tree) {
  return HAS_FREE_BODY && tree >= 0 && m.tree_dofnum[tree] == 6 &&
         m.jnt_type[m.dof_jntid[m.tree_dofadr[tree]]] == JNT_FREE;
}

/// True when the bias forces of the body enter the system.
FN bool has_bias_derivative(const Model& m, int b) {
  return INTEGRATOR == INT_IMPLICIT || (HAS_BIAS_DERIVATIVE && is_free_tree(m, m.body_treeid[b]));
}

/// out = G x of one body, the bias part: what its wrench does when its velocity v turns by x.
FN void bias_derivative(real* out, const real* inertia, const real* v, const real* x) {
  real turned[6], momentum[6];
  cross_motion(turned, x, v);
  inertia_mul(out, inertia, turned);
  inertia_mul(momentum, inertia, v);
  cross_force(turned, x, momentum);
  add_to6(out, turned);
  inertia_mul(momentum, inertia, x);
  cross_force(turned, v, momentum);
  add_to6(out, turned);
}

/// Adds s y to a column of a 6x6 matrix; half of it to the row when only the symmetric part is
/// wanted.
FN void add_column(real* matrix, int column, const real* y, real s, bool symmetric) {
  for (int row = 0; row < 6; ++row) {
    const real part = symmetric ? real(0.5) * s * y[row] : s * y[row];
    matrix[6 * row + column] += part;
    if (symmetric) {
      matrix[6 * column + row] += part;
    }
  }
}

/// Each body's own G, derivative of the wrench on it with the fluid's, as a matrix [6 rows][6
/// columns], and its inertia.
FN void body_derivatives(Group g, const Model& m, const Data& d, int w, const Implicit& s) {
  const real* xipos = at_world(d.xipos, w, NBODY * 3);
  const real* ximat = at_world(d.ximat, w, NBODY * 9);
  const real* subtree_com = at_world(d.subtree_com, w, NBODY * 3);
  const real* cvel = at_world(d.cvel, w, NBODY * 6);
  const bool fluid = HAS_FLUID && (m.opt_disableflags[0] & (DSBL_SPRING | DSBL_DAMPER)) !=
                                      (DSBL_SPRING | DSBL_DAMPER);
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    real* record = s.body + RECORD * b;
    const real* com = subtree_com + 3 * m.body_rootid[b];
    for (int i = 0; i < 46; ++i) {
      record[i] = 0;
    }
    if (b == 0) {
      continue;
    }
    if (has_bias_derivative(m, b)) {
      real offset[3];
      sub3(offset, xipos + 3 * b, com);
      inertia_about(record + MOTION, m.body_inertia + 3 * b, ximat + 9 * b, offset, m.body_mass[b]);
    }
    const bool symmetric = INTEGRATOR == INT_IMPLICITFAST && !is_free_tree(m, m.body_treeid[b]);
    NO_UNROLL
    for (int column = 0; column < 6; ++column) {
      real x[6], y[6];
      zero6(x);
      x[column] = 1;
      bias_derivative(y, record + MOTION, cvel + 6 * b, x);
      add_column(record, column, y, 1, false);
      if (fluid) {
        fluid_derivative(m, d, w, b, com, x, y);
        add_column(record, column, y, -1, symmetric);
      }
    }
  }
}

/// w_k of all dofs: the velocities before and after their joints, added, crossed with their
/// motions.
FN void dof_turns(Group g, const Model& m, const Data& d, int w, const Implicit& s) {
  const real* cvel = at_world(d.cvel, w, NBODY * 6);
  const real* cdof = at_world(d.cdof, w, NV * 6);
  const real* qvel = at_world(d.qvel, w, NV);
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    real before[6];
    copy6(before, cvel + 6 * m.body_parentid[b]);
    const int end = m.body_dofadr[b] + m.body_dofnum[b];
    int i = m.body_dofadr[b];
    while (i < end) {
      // dofs that move together: three translations or rotations, or one
      const int type = m.jnt_type[m.dof_jntid[i]];
      const bool is_translation = HAS_FREE && type == JNT_FREE && i == m.jnt_dofadr[m.dof_jntid[i]];
      const int count = (HAS_FREE && type == JNT_FREE) || (HAS_BALL && type == JNT_BALL) ? 3 : 1;
      real after[6], both[6];
      copy6(after, before);
      for (int k = i; k < i + count; ++k) {
        add_scaled6(after, cdof + 6 * k, qvel[k]);
      }
      copy6(both, after);
      if (!is_translation) {
        add_to6(both, before);
      }
      for (int k = i; k < i + count; ++k) {
        cross_motion(s.w + 6 * k, both, cdof + 6 * k);
      }
      copy6(before, after);
      i += count;
    }
  }
}

/// out = G x, or G^T x.
FN void apply_record(real* out, const real* G, const real* x, bool transposed) {
  for (int i = 0; i < 6; ++i) {
    real sum = 0;
    for (int j = 0; j < 6; ++j) {
      sum += G[transposed ? 6 * j + i : 6 * i + j] * x[j];
    }
    out[i] = sum;
  }
}

/// Adds the derivatives of wrenches on bodies: h S_i . (C_b w_k + G_b S_k) for all dofs i and k of
/// which one moves the other.
FN void add_body_derivatives(Group g, const Model& m, const Data& d, int w, const Implicit& s) {
  const real h = m.opt_timestep[0];
  const real* cdof = at_world(d.cdof, w, NV * 6);
  body_derivatives(g, m, d, w, s);
  dof_turns(g, m, d, w, s);
  g.sync();
  sum_up<46, RECORD>(g, m, s.body);

  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    const TreeBlock at = tree_block(m, m.dof_treeid[i]);
    const real* record = s.body + RECORD * m.dof_bodyid[i];
    const real* own = cdof + 6 * i;
    const int row = i - at.first;
    real* block = s.A + at.madr;
    real column_side[6], row_side[6], momentum[6];
    inertia_mul(momentum, record + MOTION, s.w + 6 * i);
    apply_record(column_side, record, own, false);
    add_to6(column_side, momentum);
    apply_record(row_side, record, own, true);
    inertia_mul(momentum, record + MOTION, own);

    s.diagonal[i] += h * dot6(own, column_side);
    NO_UNROLL
    for (int j = m.dof_parentid[i]; j >= 0; j = m.dof_parentid[j]) {
      block[(j - at.first) * at.n + row] += h * dot6(cdof + 6 * j, column_side);
      block[row * at.n + j - at.first] +=
          h * (dot6(row_side, cdof + 6 * j) + dot6(momentum, s.w + 6 * j));
    }
  }
  g.sync();
}

/// Solves for the bodies that float alone, a lane a body, and leaves the identity in the place of
/// their blocks.
FN void solve_free_bodies(Group g, const Model& m, const Implicit& s) {
  NO_UNROLL
  for (int t = g.lane(); t < NTREE; t += g.size) {
    const int i = m.tree_dofadr[t];
    if (is_free_tree(m, t)) {
      solve_unsymmetric<false>(g, m, s.A, s.diagonal, s.x, t);
      for (int k = 0; k < 36; ++k) {
        s.A[m.tree_madr[t] + k] = 0;
      }
      for (int k = 0; k < 6; ++k) {
        s.diagonal[i + k] = 1;
      }
    }
  }
  g.sync();
}

/// From M + h diag(damping) to the integrator's matrix.
FN void add_velocity_derivatives(Group g, const Model& m, const Data& d, int w, const Implicit& s) {
  add_actuators(g, m, d, w, s);
  if constexpr (HAS_BODY_DERIVATIVE) {
    add_body_derivatives(g, m, d, w, s);
  }
  if constexpr (INTEGRATOR == INT_IMPLICITFAST && HAS_FREE_BODY) {
    solve_free_bodies(g, m, s);
  }
}
