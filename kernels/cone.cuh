// The elliptic friction cone in scaled coordinates: each row's residual times the square root of
// its D. There the cone is circular and one number describes it, the regularised friction mu. With
// n the normal residual, t the length of the tangential ones and k = 1 / (1 + mu^2), the cost is
//   top      n >= mu t          0
//   bottom   mu n + t <= 0      (n^2 + t^2) / 2
//   middle   otherwise          k (n - mu t)^2 / 2
// Source: MuJoCo documentation, "Computation", friction cones and the primal problem.
#pragma once

#include "dialect.h"

enum ConeZone { CONE_TOP, CONE_BOTTOM, CONE_MIDDLE };

FN ConeZone cone_zone(real n, real t, real mu) {
  if (n >= mu * t || (t <= 0 && n >= 0)) {
    return CONE_TOP;
  }
  return mu * n + t <= 0 || t <= 0 ? CONE_BOTTOM : CONE_MIDDLE;
}

FN real cone_factor(real mu) { return 1 / (1 + mu * mu); }

/// Cost at normal residual n and squared tangential residual tt.
FN real cone_cost(real n, real tt, real mu) {
  const real t = r_sqrt(tt);
  const ConeZone zone = cone_zone(n, t, mu);
  const real r = n - mu * t;
  return zone == CONE_TOP
             ? real(0)
             : real(0.5) * (zone == CONE_BOTTOM ? n * n + tt : cone_factor(mu) * r * r);
}

/// A line through a contact's residuals: normal n + alpha dn, tangential x + alpha dx.
struct ConeLine {
  real n, dn;
  real xx, xd, dd;  // x.x, x.dx, dx.dx
};

/// Cost at alpha less cost at 0, without the cancellation of taking the difference.
FN real cone_cost_change(const ConeLine& line, real alpha, real mu) {
  const real tt = r_max(real(0), line.xx + alpha * (2 * line.xd + alpha * line.dd));
  const real n0 = line.n, n1 = line.n + alpha * line.dn;
  const real t0 = r_sqrt(line.xx), t1 = r_sqrt(tt);
  const ConeZone from = cone_zone(n0, t0, mu), to = cone_zone(n1, t1, mu);
  const real half = real(0.5), middle = half * cone_factor(mu);

  // change of the bottom zone's quadratic, and the gap by which it lies above the middle zone's
  // cost
  const real quadratic =
      alpha * (line.n * line.dn + line.xd + half * alpha * (line.dn * line.dn + line.dd));
  const real gap0 = middle * (mu * n0 + t0) * (mu * n0 + t0);
  const real gap1 = middle * (mu * n1 + t1) * (mu * n1 + t1);
  const real r0 = n0 - mu * t0, r1 = n1 - mu * t1;
  if (from == CONE_TOP) {
    return to == CONE_TOP ? real(0) : to == CONE_BOTTOM ? half * (n1 * n1 + tt) : middle * r1 * r1;
  }
  if (from == CONE_BOTTOM) {
    return to == CONE_TOP      ? -half * (n0 * n0 + line.xx)
           : to == CONE_BOTTOM ? quadratic
                               : quadratic - gap1;
  }
  if (to == CONE_TOP) {
    return -middle * r0 * r0;
  }
  if (to == CONE_BOTTOM) {
    return quadratic + gap0;
  }
  const real t_change = alpha * (2 * line.xd + alpha * line.dd) / (t1 + t0);
  const real r_change = alpha * line.dn - mu * t_change;
  return middle * r_change * (2 * r0 + r_change);
}

/// Adds the cost's first and second derivatives by alpha.
FN void cone_slopes(const ConeLine& line, real alpha, real mu, real* first, real* second) {
  const real tt = line.xx + alpha * (2 * line.xd + alpha * line.dd);
  const real n = line.n + alpha * line.dn;
  const real t = r_sqrt(r_max(real(0), tt));
  const ConeZone zone = cone_zone(n, t, mu);
  if (zone == CONE_BOTTOM) {
    *first += line.n * line.dn + line.xd + alpha * (line.dn * line.dn + line.dd);
    *second += line.dn * line.dn + line.dd;
  } else if (zone == CONE_MIDDLE) {
    const real inner = line.xd + alpha * line.dd;
    const real slope_t = inner / t;
    const real curve_t = line.dd / t - inner * slope_t / tt;
    const real r = n - mu * t;
    const real slope_r = line.dn - mu * slope_t;
    *first += cone_factor(mu) * r * slope_r;
    *second += cone_factor(mu) * (slope_r * slope_r - r * mu * curve_t);
  }
}

/// Hessian of the middle zone: k (w w^T + a (I - u u^T)), where u is the tangential residual's
/// direction, w = (1, -mu u), and I - u u^T acts on the tangential rows. a is between 0 and 1 +
/// mu^2.
struct ConeHessian {
  real k;
  real a;
  real mu_over_t;   // w = (1, -mu_over_t x)
  real one_over_t;  // u = one_over_t x
};

FN ConeHessian cone_hessian(real n, real t, real mu) {
  return {cone_factor(mu), -mu * (n - mu * t) / t, mu / t, 1 / t};
}
