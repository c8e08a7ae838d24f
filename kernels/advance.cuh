// The end of a step, common to all integrators: activations, velocities, positions, time, and the
// run's counters.
#pragma once

#include "actuation.cuh"

/// Turns and moves the coordinates of all joints with the velocities `qvel` for `time`. `qpos` is
/// changed in place.
FN void integrate_positions(Group g, const Model& m, real* qpos, const real* qvel, real time) {
  NO_UNROLL
  for (int j = g.lane(); j < NJNT; j += g.size) {
    const int type = m.jnt_type[j];
    real* q = qpos + m.jnt_qposadr[j];
    const real* v = qvel + m.jnt_dofadr[j];
    if (HAS_FREE && type == JNT_FREE) {
      add_scaled3(q, v, time);
      quat_integrate(q + 3, v + 3, time);
    } else if (HAS_BALL && type == JNT_BALL) {
      quat_integrate(q, v, time);
    } else {
      q[0] += time * v[0];
    }
  }
}

/// Activations after the step; those of disabled actuators stay. Reads qpos of before the step.
FN void advance_activations(Group g, const Model& m, const Data& d, int w, const real* act_dot) {
  if (NA == 0 || (m.opt_disableflags[0] & DSBL_ACTUATION)) {
    return;
  }
  real* act = at_world(d.act, w, NA);
  NO_UNROLL
  for (int a = g.lane(); a < NACTUATOR; a += g.size) {
    if (m.actuator_dyntype[a] == DYN_NONE) {
      continue;
    }
    const int at = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
    act[at] = next_activation(m, a, act[at], m.actuator_disabled[a] ? real(0) : act_dot[at]);
    if (HAS_WIDE_ACTUATOR && m.actuator_dyntype[a] == DYN_INTEGRATOR) {
      const Transmission t = transmission(m, at_world(d.qpos, w, NQ), a);
      act[at] = wrap_setpoint(act[at], t.length, t.period);
    }
  }
}

/// Notes the most that any world asked for.
FN void count_demand(const Data& d, int w, int* counter) {
  atomic_max(counter + COUNT_NCON_MAX, d.ncon[w]);
  atomic_max(counter + COUNT_NEFC_MAX, d.nefc[w]);
  atomic_max(counter + COUNT_PAIR_MAX, d.nprimitive[w]);
  atomic_max(counter + COUNT_CCD_MAX, d.nccd[w]);
  atomic_max(counter + COUNT_HFIELD_MAX, d.nhfieldpair[w]);
}

/// Adds the world to the totals of its step.
FN void count_totals(const Data& d, int w, int niter, int* counter) {
  const bool overflow = d.ncon[w] > NCONMAX || d.nefc[w] > NJMAX ||
                        d.nprimitive[w] > NPRIMITIVEMAX || d.nccd[w] > NCCDMAX ||
                        d.nhfieldpair[w] > NHFIELDPAIRMAX;
  atomic_add(counter + COUNT_NCON_SUM, d.ncon[w]);
  atomic_add(counter + COUNT_NEFC_SUM, d.nefc[w]);
  atomic_add(counter + COUNT_PAIR_SUM, d.nprimitive[w] + d.nccd[w] + d.nhfieldpair[w]);
  atomic_add(counter + COUNT_NITER_SUM, niter);
  atomic_max(counter + COUNT_NITER_MAX, niter);
  atomic_add(counter + COUNT_NITER_BIN + r_min(niter, NNITERBIN - 1), 1);
  if (overflow) {
    atomic_add(counter + COUNT_OVERFLOW, 1);
  }
}

/// Row of the step counters for the world's current step, or null. All lanes get the same.
FN int* counter_row(const Data& d, int w) {
  const int step = d.step_index[w];
  return d.step_counter != nullptr && step < d.nstep_counter
             ? at_world(d.step_counter, step, NCOUNTER)
             : nullptr;
}

/// Counts the step and ends it. All lanes call it, after all have read step_index.
FN void finish_step(Group g, const Model& m, const Data& d, int w) {
  int niter = 0;
  NO_UNROLL
  for (int t = g.lane(); t < NTREE; t += g.size) {
    niter = r_max(niter, at_world(d.solver_niter, w, NTREE)[t]);
  }
  niter = g.max(niter);
  if (g.lane() == 0) {
    int* counter = counter_row(d, w);
    if (counter != nullptr) {
      count_demand(d, w, counter);
      count_totals(d, w, niter, counter);
    }
    d.time[w] += m.opt_timestep[0];
    d.step_index[w] += 1;
  }
}

/// Advances velocities, positions and time by one step, and keeps the solver's acceleration to
/// start from next time.
/// @param qacc       [NV] acceleration for the velocities
/// @param qvel_mean  [NV] velocity for the positions; null: the new velocity
FN void advance_motion(Group g, const Model& m, const Data& d, int w, const real* qacc,
                       const real* qvel_mean) {
  const real h = m.opt_timestep[0];
  real* qvel = at_world(d.qvel, w, NV);
  const real* solved = at_world(d.qacc, w, NV);
  real* warmstart = at_world(d.qacc_warmstart, w, NV);
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    qvel[i] += h * qacc[i];
    warmstart[i] = solved[i];
  }
  g.sync();
  integrate_positions(g, m, at_world(d.qpos, w, NQ), qvel_mean != nullptr ? qvel_mean : qvel, h);
  finish_step(g, m, d, w);
}
