// Runge-Kutta of fourth order. A step is: forward, rk4_stage1, forward, rk4_stage2, forward,
// rk4_stage3, forward, rk4_finish. Each stage adds its rates to the weighted sums and sets the
// state of the next.
//
// Rotations are integrated in the Lie algebra (Munthe-Kaas): a stage's attitude is the first one
// turned by a rotation vector u, and the rate of u is not the angular velocity v but the inverse of
// the derivative of exp, applied to v.
#include "advance.cuh"

/// Rate of the rotation vector u, with which a frame has turned, for its angular velocity v in its
/// own axes: v + u x v / 2 + c u x (u x v), c = 1/t² - cot(t/2)/(2t), t = |u|.
FN void rotation_vector_rate(real* out, const real* u, const real* v) {
  const real t2 = dot3(u, u);
  real c = real(1) / 12 + t2 * (real(1) / 720 + t2 * (real(1) / 30240 + t2 / 1209600));
  if (t2 > real(0.0625)) {
    const real t = r_sqrt(t2);
    c = 1 / t2 - 1 / (2 * t * r_tan(t / 2));
  }
  real first[3], second[3];
  cross3(first, u, v);
  cross3(second, u, first);
  copy3(out, v);
  add_scaled3(out, first, real(0.5));
  add_scaled3(out, second, c);
}

/// Rates of the coordinates: the velocities, those of rotations as above; `time` led from the
/// step's beginning to here with the rates of the stage before, which are replaced. At the first
/// stage it is 0.
FN void stage_rates(Group g, const Model& m, const Data& d, int w, real time) {
  const real* qvel = at_world(d.qvel, w, NV);
  real* rate = at_world(d.rk4_rate, w, NV);
  NO_UNROLL
  for (int j = g.lane(); j < NJNT; j += g.size) {
    const int type = m.jnt_type[j];
    int i = m.jnt_dofadr[j];
    if (HAS_FREE && type == JNT_FREE) {
      copy3(rate + i, qvel + i);
      i += 3;
    }
    if ((HAS_FREE && type == JNT_FREE) || (HAS_BALL && type == JNT_BALL)) {
      real u[3] = {0, 0, 0};
      if (time > 0) {
        scale3(u, rate + i, time);
      }
      rotation_vector_rate(rate + i, u, qvel + i);
    } else {
      rate[i] = qvel[i];
    }
  }
  g.sync();
}

/// Adds the present state's rates to the sums; the first stage starts them.
FN void add_stage(Group g, const Data& d, int w, real weight, bool is_first) {
  const real* rate = at_world(d.rk4_rate, w, NV);
  const real* qacc = at_world(d.qacc, w, NV);
  const real* act_dot = at_world(d.act_dot, w, NA);
  real* rate_sum = at_world(d.rk4_rate_sum, w, NV);
  real* qacc_sum = at_world(d.rk4_qacc_sum, w, NV);
  real* act_dot_sum = at_world(d.rk4_act_dot_sum, w, NA);
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    rate_sum[i] = (is_first ? real(0) : rate_sum[i]) + weight * rate[i];
    qacc_sum[i] = (is_first ? real(0) : qacc_sum[i]) + weight * qacc[i];
  }
  NO_UNROLL
  for (int i = g.lane(); i < NA; i += g.size) {
    act_dot_sum[i] = (is_first ? real(0) : act_dot_sum[i]) + weight * act_dot[i];
  }
  g.sync();
}

/// Copies the state's three arrays from one place to another.
FN void copy_state(Group g, real* qpos, real* qvel, real* act, const real* from_qpos,
                   const real* from_qvel, const real* from_act) {
  NO_UNROLL
  for (int i = g.lane(); i < NQ; i += g.size) {
    qpos[i] = from_qpos[i];
  }
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    qvel[i] = from_qvel[i];
  }
  NO_UNROLL
  for (int i = g.lane(); i < NA; i += g.size) {
    act[i] = from_act[i];
  }
}

/// The state where the step began, moved by `time` with the present rates.
FN void next_stage(Group g, const Model& m, const Data& d, int w, real time) {
  real* qpos = at_world(d.qpos, w, NQ);
  real* qvel = at_world(d.qvel, w, NV);
  real* act = at_world(d.act, w, NA);
  NO_UNROLL
  for (int i = g.lane(); i < NQ; i += g.size) {
    qpos[i] = at_world(d.rk4_qpos, w, NQ)[i];
  }
  g.sync();
  integrate_positions(g, m, qpos, at_world(d.rk4_rate, w, NV), time);
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    qvel[i] = at_world(d.rk4_qvel, w, NV)[i] + time * at_world(d.qacc, w, NV)[i];
  }
  NO_UNROLL
  for (int i = g.lane(); i < NA; i += g.size) {
    act[i] = at_world(d.rk4_act, w, NA)[i] + time * at_world(d.act_dot, w, NA)[i];
  }
  int* counter = counter_row(d, w);
  if (g.lane() == 0 && counter != nullptr) {
    count_demand(d, w, counter);
  }
}

KERNEL(rk4_stage1, 1) {
  const int w = g.world();
  copy_state(g, at_world(d.rk4_qpos, w, NQ), at_world(d.rk4_qvel, w, NV),
             at_world(d.rk4_act, w, NA), at_world(d.qpos, w, NQ), at_world(d.qvel, w, NV),
             at_world(d.act, w, NA));
  stage_rates(g, m, d, w, 0);
  add_stage(g, d, w, real(1) / 6, true);
  next_stage(g, m, d, w, real(0.5) * m.opt_timestep[0]);
}

KERNEL(rk4_stage2, 1) {
  const real half = real(0.5) * m.opt_timestep[0];
  stage_rates(g, m, d, g.world(), half);
  add_stage(g, d, g.world(), real(1) / 3, false);
  next_stage(g, m, d, g.world(), half);
}

KERNEL(rk4_stage3, 1) {
  stage_rates(g, m, d, g.world(), real(0.5) * m.opt_timestep[0]);
  add_stage(g, d, g.world(), real(1) / 3, false);
  next_stage(g, m, d, g.world(), m.opt_timestep[0]);
}

KERNEL(rk4_finish, 1) {
  const int w = g.world();
  stage_rates(g, m, d, w, m.opt_timestep[0]);
  add_stage(g, d, w, real(1) / 6, false);

  // activations wrap around the length they have now, so they come before the positions are set
  // back
  const real* act_dot = at_world(d.rk4_act_dot_sum, w, NA);
  real* act = at_world(d.act, w, NA);
  NO_UNROLL
  for (int i = g.lane(); i < NA; i += g.size) {
    act[i] = at_world(d.rk4_act, w, NA)[i];
  }
  g.sync();
  advance_activations(g, m, d, w, act_dot);
  g.sync();
  copy_state(g, at_world(d.qpos, w, NQ), at_world(d.qvel, w, NV), act, at_world(d.rk4_qpos, w, NQ),
             at_world(d.rk4_qvel, w, NV), act);
  g.sync();
  advance_motion(g, m, d, w, at_world(d.rk4_qacc_sum, w, NV), at_world(d.rk4_rate_sum, w, NV));
}
