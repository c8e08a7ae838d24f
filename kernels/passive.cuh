// Passive forces of joints: springs, dampers; and of bodies: gravity compensation and the fluid
// around them.
#pragma once

#include "fluid.cuh"

/// Coefficient k(x) of a spring's force -x k(x): k = linear + a x + b x².
FN real spring_coefficient(real linear, const real* poly, real x) {
  return linear + x * (poly[0] + x * poly[1]);
}

/// Coefficient of a damper's force -v k(v), which is odd in v: k = linear + a |v| + b v².
FN real damper_coefficient(real linear, const real* poly, real v) {
  return spring_coefficient(linear, poly, r_abs(v));
}

/// d (v k(v)) / dv of a damper.
FN real damper_derivative(real linear, const real* poly, real v) {
  return linear + r_abs(v) * (2 * poly[0] + 3 * r_abs(v) * poly[1]);
}

/// Force of a joint's spring on its dofs, [1, 3 or 6].
FN void spring_force(const Model& m, const real* qpos, int j, real* force) {
  const real stiffness = m.jnt_stiffness[j];
  const real* poly = m.jnt_stiffnesspoly + 2 * j;
  if (stiffness == 0 && poly[0] == 0 && poly[1] == 0) {
    return;
  }
  const int type = m.jnt_type[j];
  const real* q = qpos + m.jnt_qposadr[j];
  const real* rest = m.qpos_spring + m.jnt_qposadr[j];
  real off[3];
  if (HAS_FREE && type == JNT_FREE) {
    sub3(off, q, rest);
    scale3(force, off, -spring_coefficient(stiffness, poly, norm3(off)));
    q += 3;
    rest += 3;
    force += 3;
  }
  if ((HAS_FREE && type == JNT_FREE) || (HAS_BALL && type == JNT_BALL)) {
    real quat[4];
    copy4(quat, q);
    quat_normalize(quat);
    quat_difference(off, quat, rest);
    scale3(force, off, -spring_coefficient(stiffness, poly, norm3(off)));
  } else {
    const real x = q[0] - rest[0];
    force[0] = -x * spring_coefficient(stiffness, poly, x);
  }
}

/// Springs and dampers of all joints into s.passive.
FN void joint_forces(Group g, const Model& m, const Data& d, int w, const Work& s) {
  const real* qpos = at_world(d.qpos, w, NQ);
  const bool springs = HAS_SPRING && !(m.opt_disableflags[0] & DSBL_SPRING);
  const bool dampers = !(m.opt_disableflags[0] & DSBL_DAMPER);
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    s.passive[i] = 0;
    s.actuated[i] = 0;
  }
  g.sync();
  if (springs) {
    NO_UNROLL
    for (int j = g.lane(); j < NJNT; j += g.size) {
      spring_force(m, qpos, j, s.passive + m.jnt_dofadr[j]);
    }
    g.sync();
  }

  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    const real v = s.qvel[i];
    const real damping =
        dampers ? -v * damper_coefficient(m.dof_damping[i], m.dof_dampingpoly + 2 * i, v) : real(0);
    if (d.qfrc_spring != nullptr) {
      at_world(d.qfrc_spring, w, NV)[i] = s.passive[i];
      at_world(d.qfrc_damper, w, NV)[i] = damping;
    }
    s.passive[i] += damping;
  }
}

/// Wrenches on bodies, in s.wrench, become forces on dofs: `copy`, [NV], gets them where there is
/// one. A joint whose gravity compensation is the actuators' takes them in s.actuated if
/// `to_actuators`, else in s.passive.
FN void project_wrenches(Group g, const Model& m, const Work& s, bool to_actuators, real* copy) {
  g.sync();
  sum_up<6, 6>(g, m, s.wrench);
  const bool has_actuators = NACTUATOR > 0 && !(m.opt_disableflags[0] & DSBL_ACTUATION);
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    const real force = dot6(s.cdof + 6 * i, s.wrench + 6 * m.dof_bodyid[i]);
    if (copy != nullptr) {
      copy[i] = force;
    }
    if (!to_actuators || !m.jnt_actgravcomp[m.dof_jntid[i]]) {
      s.passive[i] += force;
    } else if (has_actuators) {
      s.actuated[i] += force;
    }
  }
  g.sync();
}

/// Weight that bodies are relieved of, on the dofs.
FN void gravity_compensation(Group g, const Model& m, const Data& d, int w, const Work& s) {
  const real* xipos = at_world(d.xipos, w, NBODY * 3);
  const real none[3] = {0, 0, 0};
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    real* wrench = s.wrench + 6 * b;
    zero6(wrench);
    if (b > 0 && m.body_gravcomp[b] != 0) {
      real force[3];
      scale3(force, m.opt_gravity, -m.body_mass[b] * m.body_gravcomp[b]);
      add_force_at(wrench, s.com + 3 * m.body_rootid[b], xipos + 3 * b, force, none);
    }
  }
  project_wrenches(g, m, s, true,
                   d.qfrc_gravcomp == nullptr ? nullptr : at_world(d.qfrc_gravcomp, w, NV));
}

/// All passive forces, into s.passive; s.actuated gets the gravity compensation that actuators
/// give.
FN void passive_forces(Group g, const Model& m, const Data& d, int w, const Work& s) {
  joint_forces(g, m, d, w, s);
  constexpr int both = DSBL_SPRING | DSBL_DAMPER;
  if ((m.opt_disableflags[0] & both) == both) {
    return;
  }
  if constexpr (HAS_GRAVCOMP) {
    if (!(m.opt_disableflags[0] & DSBL_GRAVITY)) {
      gravity_compensation(g, m, d, w, s);
    }
  }
  if constexpr (HAS_FLUID) {
    fluid_wrenches(g, m, d, w, s);
    project_wrenches(g, m, s, false,
                     d.qfrc_fluid == nullptr ? nullptr : at_world(d.qfrc_fluid, w, NV));
  }
}
