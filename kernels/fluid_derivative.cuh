// Derivatives of the fluid's forces by the velocities of bodies, as directional derivatives: what
// the force does when the velocity v changes by dv. See fluid.cuh for the forces.
#pragma once

#include "fluid.cuh"

/// Of the drag on the box with a body's inertia.
FN void box_force_derivative(const Model& m, int b, const real* v, const real* dv, real* out) {
  real box[3];
  inertia_box(m, b, box);
  const real viscosity = m.opt_viscosity[0];
  const real density = m.opt_density[0];
  const real diameter = (box[0] + box[1] + box[2]) / 3;
  for (int i = 0; i < 3; ++i) {
    const real other = box[(i + 1) % 3];
    const real another = box[(i + 2) % 3];
    const real turning = box[i] * (power4(other) + power4(another)) / 64;
    out[i] =
        -(PI * diameter * diameter * diameter * viscosity + 2 * density * turning * r_abs(v[i])) *
        dv[i];
    out[3 + i] =
        -(3 * PI * diameter * viscosity + density * other * another * r_abs(v[3 + i])) * dv[3 + i];
  }
}

/// Of the fluid that is carried along.
FN void added_mass_derivative(const Ellipsoid& e, real density, const real* v, const real* dv,
                              real* out) {
  real momentum[6], change[6];
  for (int i = 0; i < 3; ++i) {
    momentum[i] = density * e.coef[9 + i] * v[i];
    momentum[3 + i] = density * e.coef[6 + i] * v[3 + i];
    change[i] = density * e.coef[9 + i] * dv[i];
    change[3 + i] = density * e.coef[6 + i] * dv[3 + i];
  }
  add_cross3(out, change + 3, v + 3);
  add_cross3(out, momentum + 3, dv + 3);
  add_cross3(out, change, v);
  add_cross3(out, momentum, dv);
  add_cross3(out + 3, change + 3, v);
  add_cross3(out + 3, momentum + 3, dv);
}

/// Relative change of the area seen from ahead, when the velocity changes by dv; times the speed.
FN real area_change(const Ellipsoid& e, const Flow& f, const real* dv) {
  const real unit = r_max(MINVAL, e.longest * e.longest);
  real above = 0, below = 0, above_change = 0, below_change = 0;
  for (int i = 0; i < 3; ++i) {
    const real face = e.size[(i + 1) % 3] * e.size[(i + 2) % 3] / unit;
    above += square(square(face) * f.direction[i]);
    below += square(face * f.direction[i]);
    above_change += square(square(face)) * f.direction[i] * dv[i];
    below_change += square(face) * f.direction[i] * dv[i];
  }
  return above_change / r_max(MINVAL, above) - below_change / r_max(MINVAL, below);
}

/// Of both kinds of lift. The Kutta force is speed² times a function of the direction u alone, k(u)
/// ((N u) x u) x u.
FN void lift_derivative(const Ellipsoid& e, const Flow& f, real density, const real* v,
                        const real* dv, real* out) {
  const real magnus = e.coef[5] * density * real(4) / 3 * PI * e.size[0] * e.size[1] * e.size[2];
  real cross[3];
  cross3(cross, dv, v + 3);
  add_scaled3(out + 3, cross, magnus);
  cross3(cross, v, dv + 3);
  add_scaled3(out + 3, cross, magnus);

  // N dv, and the circulation and its change
  const real unit = r_max(MINVAL, e.longest * e.longest);
  real normal_change[3], circulation[3], circulation_change[3], kutta[3], kutta_change[3];
  for (int i = 0; i < 3; ++i) {
    normal_change[i] = square(e.size[(i + 1) % 3] * e.size[(i + 2) % 3] / unit) * dv[3 + i];
  }
  cross3(circulation, f.normal, f.direction);
  cross3(circulation_change, normal_change, f.direction);
  add_cross3(circulation_change, f.normal, dv + 3);
  cross3(kutta, circulation, f.direction);
  cross3(kutta_change, circulation_change, f.direction);
  add_cross3(kutta_change, circulation, dv + 3);

  // k falls as the area grows, and the cubic form has one speed too many
  const real scale = e.coef[4] * density * f.ratio * f.area * f.speed;
  const real fall = -area_change(e, f, dv + 3) - dot3(f.direction, dv + 3);
  add_scaled3(out + 3, kutta_change, scale);
  add_scaled3(out + 3, kutta, scale * fall);
}

/// Of the drag.
FN void drag_derivative(const Ellipsoid& e, const Flow& f, real density, real viscosity,
                        const real* v, const real* dv, real* out) {
  const real sphere = real(2) / 3 * (e.size[0] + e.size[1] + e.size[2]);
  const real largest_area = PI * e.longest * e.middle;
  const real drag_area = f.area * e.coef[1] + e.coef[2] * (largest_area - f.area);
  const real area_slope = f.area * (e.coef[1] - e.coef[2]) * area_change(e, f, dv + 3);
  const real along = dot3(f.direction, dv + 3) * drag_area + area_slope;
  add_scaled3(out + 3, dv + 3, -(viscosity * 3 * PI * sphere + density * f.speed * drag_area));
  add_scaled3(out + 3, f.direction, -density * f.speed * along);

  const real eighth = real(8) / 15 * PI;
  const real largest_moment = eighth * e.middle * power4(e.longest);
  real moment[3], change[3];
  for (int i = 0; i < 3; ++i) {
    const real own = eighth * e.size[i] * power4(r_max(e.size[(i + 1) % 3], e.size[(i + 2) % 3]));
    const real coefficient = e.coef[3] * own + e.coef[2] * (largest_moment - own);
    moment[i] = coefficient * v[i];
    change[i] = coefficient * dv[i];
  }
  const real size = norm3(moment);
  add_scaled3(out, dv, -(viscosity * PI * sphere * sphere * sphere + density * size));
  add_scaled3(out, v, -density * dot3(moment, change) / r_max(MINVAL, size));
}

/// Of all forces on a geom in its frame.
FN void ellipsoid_force_derivative(const Model& m, int geom, const real* v, const real* dv,
                                   real* out) {
  const Ellipsoid e = fluid_ellipsoid(m, geom);
  const Flow f = flow_around(e, v + 3);
  const real density = m.opt_density[0];
  zero6(out);
  added_mass_derivative(e, density, v, dv, out);
  lift_derivative(e, f, density, v, dv, out);
  drag_derivative(e, f, density, m.opt_viscosity[0], v, dv, out);
  scale3(out, out, e.coef[0]);
  scale3(out + 3, out + 3, e.coef[0]);
}

/// Change of a point's velocity in the frame R when the body's motion about `com` changes by x.
FN void motion_at(const real* com, const real* point, const real* R, const real* x, real* out) {
  real arm[3], v[3];
  sub3(arm, point, com);
  cross3(v, x, arm);
  add3(v, v, x + 3);
  mat_tvec3(out, R, x);
  mat_tvec3(out + 3, R, v);
}

/// out = change of the fluid's wrench on a body when the body's motion changes by x; both about
/// `com`.
FN void fluid_derivative(const Model& m, const Data& d, int w, int b, const real* com,
                         const real* x, real* out) {
  const real* xipos = at_world(d.xipos, w, NBODY * 3) + 3 * b;
  const real* ximat = at_world(d.ximat, w, NBODY * 9) + 9 * b;
  const real* cvel = at_world(d.cvel, w, NBODY * 6) + 6 * b;
  real v[6], dv[6], force[6];
  zero6(out);
  if (m.body_mass[b] < MINVAL) {
    return;
  }
  if (!has_ellipsoids(m, b)) {
    velocity_in_fluid(m, cvel, com, xipos, ximat, v);
    motion_at(com, xipos, ximat, x, dv);
    box_force_derivative(m, b, v, dv, force);
    add_local_force(out, com, xipos, ximat, force);
    return;
  }
  NO_UNROLL
  for (int i = 0; HAS_FLUID_ELLIPSOID && i < m.body_geomnum[b]; ++i) {
    const int geom = m.body_geomadr[b] + i;
    const real* xpos = at_world(d.geom_xpos, w, NGEOM * 3) + 3 * geom;
    const real* xmat = at_world(d.geom_xmat, w, NGEOM * 9) + 9 * geom;
    if (m.geom_fluid[12 * geom] != 0) {
      velocity_in_fluid(m, cvel, com, xpos, xmat, v);
      motion_at(com, xpos, xmat, x, dv);
      ellipsoid_force_derivative(m, geom, v, dv, force);
      add_local_force(out, com, xpos, xmat, force);
    }
  }
}
