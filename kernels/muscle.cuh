// The muscle model of actuators. Source of the equations: MuJoCo documentation, «Muscles».
#pragma once

#include "enums.cuh"
#include "model.cuh"
#include "vec.cuh"

FN real clamp01(real x) { return r_min(r_max(x, real(0)), real(1)); }

/// Smooth step of fifth order from 0 at x <= 0 to 1 at x >= 1.
FN real smooth_step(real x) {
  const real y = clamp01(x);
  return y * y * y * (6 * y * y - 15 * y + 10);
}

/// Rate of change of a muscle's activation; prm: time constants of activation and deactivation,
/// width of the change between them.
FN real muscle_rate(const real* prm, real ctrl, real act) {
  const real excess = clamp01(ctrl) - act;
  const real slowing = real(0.5) + real(1.5) * clamp01(act);
  const real rising = prm[0] * slowing;
  const real falling = prm[1] / slowing;
  real tau = excess > 0 ? rising : falling;
  if (prm[2] >= MINVAL) {
    tau = falling + (rising - falling) * smooth_step(excess / prm[2] + real(0.5));
  }
  return excess / r_max(MINVAL, tau);
}

/// A muscle's parameters with its length and velocity in units of its optimal length.
/// prm: range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax.
struct Muscle {
  const real* prm;
  real force;
  real length;
  real optimum;
};

FN Muscle muscle_state(const Model& m, int a, const real* prm, real length) {
  const real* range = m.actuator_lengthrange + 2 * a;
  Muscle s;
  s.prm = prm;
  s.force = prm[2] < 0 ? prm[3] / r_max(MINVAL, m.actuator_acc0[a]) : prm[2];
  s.optimum = (range[1] - range[0]) / r_max(MINVAL, prm[1] - prm[0]);
  s.length = prm[0] + (length - range[0]) / r_max(MINVAL, s.optimum);
  return s;
}

/// Active force over length: 1 at the optimum, pieces of parabolas down to 0 at lmin and lmax.
FN real muscle_length_curve(real length, real lmin, real lmax) {
  if (length < lmin || length > lmax) {
    return 0;
  }
  const real end = length <= 1 ? lmin : lmax;
  const real middle = real(0.5) * (end + 1);
  const real half = r_max(MINVAL, r_abs(middle - end));
  const bool outer = length <= 1 ? length <= middle : length > middle;
  const real x = (outer ? length - end : length - 1) / half;
  return outer ? real(0.5) * x * x : 1 - real(0.5) * x * x;
}

/// Active force over velocity and its derivative there: 0 when shortening at vmax, fvmax when
/// lengthening.
FN real muscle_velocity_curve(real velocity, real fvmax, real* derivative) {
  const real y = fvmax - 1;
  *derivative = 0;
  if (velocity <= -1) {
    return 0;
  }
  if (velocity <= 0) {
    *derivative = 2 * (velocity + 1);
    return (velocity + 1) * (velocity + 1);
  }
  if (velocity <= y) {
    *derivative = 2 * (y - velocity) / r_max(MINVAL, y);
    return fvmax - (y - velocity) * (y - velocity) / r_max(MINVAL, y);
  }
  return fvmax;
}

/// Gain of a muscle: its active force at full activation, negative because it pulls.
FN real muscle_gain(const Model& m, int a, real length, real velocity) {
  const Muscle s = muscle_state(m, a, m.actuator_gainprm + 10 * a, length);
  const real speed = velocity / r_max(MINVAL, s.optimum * s.prm[6]);
  real derivative;
  return -s.force * muscle_length_curve(s.length, s.prm[4], s.prm[5]) *
         muscle_velocity_curve(speed, s.prm[8], &derivative);
}

/// Derivative of the gain by the velocity.
FN real muscle_gain_derivative(const Model& m, int a, real length, real velocity) {
  const Muscle s = muscle_state(m, a, m.actuator_gainprm + 10 * a, length);
  const real unit = r_max(MINVAL, s.optimum * s.prm[6]);
  real derivative;
  muscle_velocity_curve(velocity / unit, s.prm[8], &derivative);
  return -s.force * muscle_length_curve(s.length, s.prm[4], s.prm[5]) * derivative / unit;
}

/// Passive force of a stretched muscle: half a parabola up to the middle of its outer range, linear
/// beyond.
FN real muscle_bias(const Model& m, int a, real length) {
  const Muscle s = muscle_state(m, a, m.actuator_biasprm + 10 * a, length);
  const real middle = real(0.5) * (1 + s.prm[5]);
  const real half = r_max(MINVAL, middle - 1);
  if (s.length <= 1) {
    return 0;
  }
  if (s.length <= middle) {
    const real x = (s.length - 1) / half;
    return -s.force * s.prm[7] * real(0.5) * x * x;
  }
  return -s.force * s.prm[7] * (real(0.5) + (s.length - middle) / half);
}
