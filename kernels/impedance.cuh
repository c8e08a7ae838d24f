// From solver parameters to numbers of a row: stiffness and damping of its reference acceleration,
// impedance, regulariser. Source: MuJoCo documentation, "Computation", constraint model, and
// "Modeling", solver parameters.
#pragma once

#include "enums.cuh"
#include "model.cuh"
#include "vec.cuh"

constexpr real MIN_IMPEDANCE = real(0.0001);
constexpr real MAX_IMPEDANCE = real(0.9999);

/// The spring and damper of a row: aref = -damping vel - stiffness impedance (pos - margin).
struct Reference {
  real stiffness;
  real damping;
};

/// d(r) of the documentation and its slope, r being the violation.
struct Impedance {
  real value;  // in (0, 1)
  real rest;   // 1 - value, which would lose most of its digits as a difference where the impedance
               // is clipped near 1
  real slope;  // 1/m or 1/rad
};

FN real clip_impedance(real x) { return r_min(MAX_IMPEDANCE, r_max(MIN_IMPEDANCE, x)); }

/// 1 - clip_impedance(x), with all its digits at the upper clip.
FN real clip_rest(real x) { return x >= MAX_IMPEDANCE ? MIN_IMPEDANCE : 1 - clip_impedance(x); }

/// a^b, with the common powers exact.
FN real impedance_power(real a, real b) { return b == 1 ? a : b == 2 ? a * a : r_pow(a, b); }

/// @param solimp      [5] d0, dwidth, width, midpoint, power; any values
/// @param violation   pos - margin, metres or radians
FN Impedance impedance(const real* solimp, real violation) {
  const real d0 = clip_impedance(solimp[0]);
  const real dwidth = clip_impedance(solimp[1]);
  const real rest0 = clip_rest(solimp[0]);
  const real rest_width = clip_rest(solimp[1]);
  const real width = r_max(real(0), solimp[2]);
  const real midpoint = clip_impedance(solimp[3]);
  const real power = r_max(real(1), solimp[4]);
  if (d0 == dwidth || width <= MINVAL) {
    return {real(0.5) * (d0 + dwidth), real(0.5) * (rest0 + rest_width), 0};
  }

  // outside of the width, or no violation at all
  const real sign = violation < 0 ? real(-1) : real(1);
  const real x = sign * violation / width;
  if (x >= 1 || x <= 0) {
    return {x >= 1 ? dwidth : d0, x >= 1 ? rest_width : rest0, 0};
  }

  // two power functions that meet at the midpoint
  real y = x, slope = 1;
  if (power != 1) {
    const bool below = x <= midpoint;
    const real reach = below ? midpoint : 1 - midpoint;
    const real part = below ? x : 1 - x;
    const real scale = 1 / impedance_power(reach, power - 1);
    const real value = scale * impedance_power(part, power);
    y = below ? value : 1 - value;
    slope = power * scale * impedance_power(part, power - 1);
  }
  return {d0 + y * (dwidth - d0), rest0 + y * (rest_width - rest0),
          slope * sign * (dwidth - d0) / width};
}

/// Solref with a wrong mixture of signs replaced by `fallback`, and a time constant of at least two
/// steps.
FN void safe_solref(const Model& m, const real* solref, real fallback_time, real fallback_ratio,
                    real* out) {
  const bool mixed = (solref[0] > 0) != (solref[1] > 0);
  out[0] = mixed ? fallback_time : solref[0];
  out[1] = mixed ? fallback_ratio : solref[1];
  if (!(m.opt_disableflags[0] & DSBL_REFSAFE) && out[0] > 0) {
    out[0] = r_max(out[0], 2 * m.opt_timestep[0]);
  }
}

/// @param solref    [2] after safe_solref: time constant and damping ratio, or both negative:
/// stiffness and damping
/// @param dwidth    impedance at full width, clipped
FN Reference reference(const real* solref, real dwidth) {
  Reference out;
  out.stiffness =
      solref[0] > 0
          ? 1 / r_max(MINVAL, dwidth * dwidth * solref[0] * solref[0] * solref[1] * solref[1])
          : -solref[0] / r_max(MINVAL, dwidth * dwidth);
  out.damping =
      solref[1] > 0 ? 2 / r_max(MINVAL, dwidth * solref[0]) : -solref[1] / r_max(MINVAL, dwidth);
  return out;
}

/// R of a row whose approximate inverse inertia is `diag`: (1 - d) / d diag, above zero.
FN real regulariser(const Impedance& imp, real diag) {
  return r_max(MINVAL, imp.rest * diag / imp.value);
}
