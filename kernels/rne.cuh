// Velocities of the bodies and the forces that their motion needs (recursive Newton-Euler, without
// joint accelerations).
#pragma once

#include "crb.cuh"

/// Velocity of each body, into s.cvel and d.cvel.
FN void body_velocities(Group g, const Model& m, const Data& d, int w, const Work& s) {
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    real v[6];
    zero6(v);
    const int first = m.body_dofadr[b];
    NO_UNROLL
    for (int i = first; i < first + m.body_dofnum[b]; ++i) {
      add_scaled6(v, s.cdof + 6 * i, s.qvel[i]);
    }
    copy6(s.cvel + 6 * b, v);
  }
  g.sync();
  sum_down(g, m, s, s.cvel);

  real* cvel = at_world(d.cvel, w, NBODY * 6);
  NO_UNROLL
  for (int i = g.lane(); i < NBODY * 6; i += g.size) {
    cvel[i] = s.cvel[i];
  }
}

/// Goes through `count` dofs that begin at dof i and turn with the velocity v that the body has
/// before them. Adds v x (their motion) to `acceleration`, then their motion to v, and notes the
/// rates of change of their cdof.
FN void pass_dofs(const Work& s, int i, int count, real* v, real* acceleration, real* cdof_dot) {
  real own[6], rate[6];
  zero6(own);
  for (int k = i; k < i + count; ++k) {
    add_scaled6(own, s.cdof + 6 * k, s.qvel[k]);
    if (cdof_dot != nullptr) {
      cross_motion(cdof_dot + 6 * k, v, s.cdof + 6 * k);
    }
  }
  cross_motion(rate, v, own);
  add_to6(acceleration, rate);
  add_to6(v, own);
}

/// Acceleration of each body when no joint accelerates, gravity as the world's acceleration
/// upwards, into s.cacc.
FN void bias_accelerations(Group g, const Model& m, const Data& d, int w, const Work& s) {
  real* cdof_dot = d.cdof_dot == nullptr ? nullptr : at_world(d.cdof_dot, w, NV * 6);
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    real acceleration[6], v[6];
    zero6(acceleration);
    if (b == 0 && !(m.opt_disableflags[0] & DSBL_GRAVITY)) {
      scale3(acceleration + 3, m.opt_gravity, -1);
    }
    copy6(v, s.cvel + 6 * m.body_parentid[b]);
    const int first = m.body_jntadr[b];
    NO_UNROLL
    for (int j = first; j < first + m.body_jntnum[b]; ++j) {
      const int type = m.jnt_type[j];
      int i = m.jnt_dofadr[j];
      if (HAS_FREE && type == JNT_FREE) {
        // the translations of a free joint do not turn with the body
        for (int k = i; k < i + 3; ++k) {
          v[3 + k - i] += s.qvel[k];
          if (cdof_dot != nullptr) {
            zero6(cdof_dot + 6 * k);
          }
        }
        i += 3;
      }
      const bool turns_freely = (HAS_FREE && type == JNT_FREE) || (HAS_BALL && type == JNT_BALL);
      pass_dofs(s, i, turns_freely ? 3 : 1, v, acceleration, cdof_dot);
    }
    copy6(s.cacc + 6 * b, acceleration);
  }
  g.sync();
  sum_down(g, m, s, s.cacc);
}

/// Wrench that each body's motion needs, into its record.
FN void body_wrenches(Group g, const Model& m, const Work& s) {
  NO_UNROLL
  for (int b = 1 + g.lane(); b < NBODY; b += g.size) {
    real* record = s.body + BODY * b;
    const real* v = s.cvel + 6 * b;
    real momentum[6], turning[6];
    inertia_mul(momentum, record, v);
    cross_force(turning, v, momentum);
    inertia_mul(momentum, record, s.cacc + 6 * b);
    add3(record + WRENCH, momentum, turning);
    add3(record + WRENCH + 3, momentum + 3, turning + 3);
  }
  g.sync();
}
