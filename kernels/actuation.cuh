// Actuators: transmission, activation dynamics, force, and the forces on the dofs.
#pragma once

#include "muscle.cuh"
#include "quat.cuh"
#include "spatial.cuh"
#include "workspace.cuh"

constexpr int MOMENTS = HAS_WIDE_ACTUATOR ? 6 : 1;  // most dofs that one actuator drives

/// How an actuator acts: on dofs from `dof` on, `moment` force each; `period` is that of a setpoint
/// on a circle, or 0.
struct Transmission {
  int dof;
  int count;  // 1, 3 or 6 dofs
  real moment[MOMENTS];
  real length;
  real period;
};

/// Transmission through a ball joint, or the rotations of a free joint: `gear` about the child's
/// axes, or the parent's.
FN void ball_transmission(const real* q, const real* gear, bool in_parent, real* moment,
                          real* length) {
  real quat[4], turned[3];
  copy4(quat, q);
  quat_normalize(quat);
  quat_to_rotation_vector(turned, quat);
  copy3(moment, gear);
  if (in_parent) {
    quat_conjugate(quat, quat);
    quat_rotate(moment, quat, gear);
  }
  *length = dot3(turned, moment);
}

/// True for an actuator that pulls towards a setpoint: gain and bias stiffness are opposite.
FN bool is_servo(const Model& m, int a) {
  const int dyn = m.actuator_dyntype[a];
  return m.actuator_gaintype[a] == GAIN_FIXED && m.actuator_biastype[a] == BIAS_AFFINE &&
         m.actuator_gainprm[10 * a] == -m.actuator_biasprm[10 * a + 1] &&
         (dyn == DYN_NONE || dyn == DYN_INTEGRATOR);
}

FN Transmission transmission(const Model& m, const real* qpos, int a) {
  const int j = m.actuator_trnid[2 * a];
  const int type = m.jnt_type[j];
  const real* gear = m.actuator_gear + 6 * a;
  const real* q = qpos + m.jnt_qposadr[j];
  Transmission t;
  t.dof = m.jnt_dofadr[j];
  t.count = 1;
  t.moment[0] = gear[0];
  t.length = q[0] * gear[0];
  t.period = 0;
  if constexpr (HAS_WIDE_ACTUATOR) {
    const bool in_parent = m.actuator_trntype[a] == TRN_JOINTINPARENT;
    if (type == JNT_BALL) {
      t.count = 3;
      ball_transmission(q, gear, in_parent, t.moment, &t.length);
      t.period = is_servo(m, a) ? 2 * PI * norm3(gear) : real(0);
    } else if (type == JNT_FREE) {
      t.count = 6;
      copy3(t.moment, gear);
      ball_transmission(q + 3, gear + 3, in_parent, t.moment + 3, &t.length);
      t.length = 0;
    }
  }
  return t;
}

/// Activation after one time step, clamped to its range.
FN real next_activation(const Model& m, int a, real act, real act_dot) {
  const real h = m.opt_timestep[0];
  if (m.actuator_dyntype[a] == DYN_FILTEREXACT) {
    const real tau = r_max(MINVAL, m.actuator_dynprm[10 * a]);
    act += act_dot * tau * (1 - r_exp(-h / tau));
  } else {
    act += act_dot * h;
  }
  if (m.actuator_actlimited[a]) {
    act = r_min(r_max(act, m.actuator_actrange[2 * a]), m.actuator_actrange[2 * a + 1]);
  }
  return act;
}

/// Rate of change of an activation.
FN real activation_rate(const Model& m, int a, real ctrl, real act) {
  const real* prm = m.actuator_dynprm + 10 * a;
  switch (m.actuator_dyntype[a]) {
    case DYN_INTEGRATOR:
      return ctrl;
    case DYN_FILTER:
    case DYN_FILTEREXACT:
      return (ctrl - act) / r_max(MINVAL, prm[0]);
    default:
      return HAS_MUSCLE ? muscle_rate(prm, ctrl, act) : real(0);
  }
}

/// The setpoint that is the same point of the circle and nearest to the length.
FN real wrap_setpoint(real setpoint, real length, real period) {
  if (period > 0) {
    const real turns = (setpoint - length) / period;
    setpoint -= period * (turns < 0 ? -r_floor(real(0.5) - turns) : r_floor(turns + real(0.5)));
  }
  return setpoint;
}

/// Control, clamped to its range; MuJoCo takes all controls as 0 when one is not a number or is
/// huge (`bad`).
FN real control_value(const Model& m, const real* ctrl, int u, bool bad) {
  real value = ctrl[u];
  if (m.actuator_ctrllimited[u] && !(m.opt_disableflags[0] & DSBL_CLAMPCTRL)) {
    value = value < m.actuator_ctrlrange[2 * u] ? m.actuator_ctrlrange[2 * u] : value;
    value = value > m.actuator_ctrlrange[2 * u + 1] ? m.actuator_ctrlrange[2 * u + 1] : value;
  }
  return bad ? real(0) : value;
}

/// Affine function of length and velocity.
FN real affine(const real* prm, real length, real velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

/// Gain of an actuator, which its input is multiplied with.
FN real actuator_gain(const Model& m, int a, real length, real velocity) {
  const real* prm = m.actuator_gainprm + 10 * a;
  const int type = m.actuator_gaintype[a];
  if (HAS_MUSCLE && type == GAIN_MUSCLE) {
    return muscle_gain(m, a, length, velocity);
  }
  return type == GAIN_AFFINE ? affine(prm, length, velocity) : prm[0];
}

/// Force of an actuator that does not depend on its input.
FN real actuator_bias(const Model& m, int a, real length, real velocity) {
  const int type = m.actuator_biastype[a];
  if (HAS_MUSCLE && type == BIAS_MUSCLE) {
    return muscle_bias(m, a, length);
  }
  return type == BIAS_AFFINE ? affine(m.actuator_biasprm + 10 * a, length, velocity) : real(0);
}

/// What the gain is multiplied with: the control, or the activation, which may be that after the
/// step.
FN real actuator_input(const Model& m, const Data& d, int w, int a, real ctrl) {
  if (NA == 0 || m.actuator_dyntype[a] == DYN_NONE) {
    return ctrl;
  }
  const int at = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
  const real act = at_world(d.act, w, NA)[at];
  return m.actuator_actearly[a] ? next_activation(m, a, act, at_world(d.act_dot, w, NA)[at]) : act;
}

/// Force of one actuator along its transmission, clamped to its range; notes the rate of its
/// activation.
FN real actuator_force(const Model& m, const Data& d, int w, int a, const Transmission& t,
                       real velocity, real ctrl) {
  if (NA > 0 && m.actuator_dyntype[a] != DYN_NONE) {
    const int at = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
    at_world(d.act_dot, w, NA)[at] = activation_rate(m, a, ctrl, at_world(d.act, w, NA)[at]);
  }
  real force = 0;
  if (!m.actuator_disabled[a]) {
    const real input = wrap_setpoint(actuator_input(m, d, w, a, ctrl), t.length, t.period);
    force =
        actuator_gain(m, a, t.length, velocity) * input + actuator_bias(m, a, t.length, velocity);
  }
  if (m.actuator_forcelimited[a]) {
    force = r_min(r_max(force, m.actuator_forcerange[2 * a]), m.actuator_forcerange[2 * a + 1]);
  }
  return force;
}

/// True when one of the controls is not a number, or beyond MuJoCo's 1e10. All lanes call it.
FN bool has_bad_control(Group g, const Model& m, const real* ctrl) {
  bool bad = false;
  NO_UNROLL
  for (int u = g.lane(); u < NU; u += g.size) {
    bad = bad || !(r_abs(control_value(m, ctrl, u, false)) <= real(1e10));
  }
  return g.any(bad);
}

/// Calls apply(a) for every actuator, on one lane each. Where two can drive the same joint, all of
/// a joint's are the same lane's, in order, so that they can add to its dofs.
template <typename Apply>
FN void for_each_actuator(Group g, const Model& m, Apply apply) {
  if constexpr (HAS_ACTUATOR_OVERLAP && Group::size > 1) {
    NO_UNROLL
    for (int j = g.lane(); j < NJNT; j += g.size) {
      NO_UNROLL
      for (int a = 0; a < NACTUATOR; ++a) {
        if (m.actuator_trnid[2 * a] == j) {
          apply(a);
        }
      }
    }
  } else {
    NO_UNROLL
    for (int a = g.lane(); a < NACTUATOR; a += g.size) {
      apply(a);
    }
  }
  g.sync();
}

/// Rate of length of a transmission.
FN real transmission_velocity(const Transmission& t, const real* qvel) {
  real velocity = 0;
  for (int i = 0; i < MOMENTS; ++i) {
    velocity += i < t.count ? t.moment[i] * qvel[t.dof + i] : real(0);
  }
  return velocity;
}

/// Forces of all actuators on the dofs, added to s.actuated and then clamped to the joints' limits.
FN void actuator_forces(Group g, const Model& m, const Data& d, int w, const Work& s) {
  const bool enabled = !(m.opt_disableflags[0] & DSBL_ACTUATION);
  const real* qpos = at_world(d.qpos, w, NQ);
  const real* ctrl = at_world(d.ctrl, w, NU);
  const bool bad = has_bad_control(g, m, ctrl);
  for_each_actuator(g, m, [&](int a) {
    const Transmission t = transmission(m, qpos, a);
    const real velocity = enabled ? transmission_velocity(t, s.qvel) : real(0);
    const real force =
        enabled ? actuator_force(m, d, w, a, t, velocity, control_value(m, ctrl, a, bad)) : real(0);
    for (int i = 0; i < MOMENTS; ++i) {
      if (i < t.count) {
        s.actuated[t.dof + i] += t.moment[i] * force;
      }
    }
    if (d.actuator_force != nullptr) {
      at_world(d.actuator_length, w, NACTUATOR)[a] = t.length;
      at_world(d.actuator_velocity, w, NACTUATOR)[a] = velocity;
      at_world(d.actuator_force, w, NACTUATOR)[a] = force;
    }
  });

  NO_UNROLL
  for (int j = g.lane(); enabled && j < NJNT; j += g.size) {
    if (m.jnt_actfrclimited[j]) {
      real* force = s.actuated + m.jnt_dofadr[j];
      *force = r_min(r_max(*force, m.jnt_actfrcrange[2 * j]), m.jnt_actfrcrange[2 * j + 1]);
    }
  }
}
