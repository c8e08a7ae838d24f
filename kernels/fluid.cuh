// Forces of the fluid around the bodies: on the box that has a body's inertia, or on geoms as
// ellipsoids. Source of the equations: MuJoCo documentation, «Fluid forces».
#pragma once

#include "crb.cuh"

FN real square(real x) { return x * x; }
FN real power4(real x) { return square(square(x)); }
FN real largest3(const real* a) { return r_max(r_max(a[0], a[1]), a[2]); }
FN real smallest3(const real* a) { return r_min(r_min(a[0], a[1]), a[2]); }

/// Velocity of a point of a body relative to the fluid, in a frame with axes R: angular, linear.
FN void velocity_in_fluid(const Model& m, const real* cvel, const real* com, const real* point,
                          const real* R, real* out) {
  real arm[3], v[3];
  sub3(arm, point, com);
  cross3(v, cvel, arm);
  add3(v, v, cvel + 3);
  sub3(v, v, m.opt_wind);
  mat_tvec3(out, R, cvel);
  mat_tvec3(out + 3, R, v);
}

/// Edges of the homogeneous box with the mass and the principal moments of a body.
FN void inertia_box(const Model& m, int b, real* box) {
  const real* moment = m.body_inertia + 3 * b;
  for (int i = 0; i < 3; ++i) {
    const real excess = moment[(i + 1) % 3] + moment[(i + 2) % 3] - moment[i];
    box[i] = r_sqrt(r_max(MINVAL, excess) / m.body_mass[b] * 6);
  }
}

/// Drag on the box: linear in the velocity with the viscosity, quadratic with the density.
FN void box_force(const Model& m, int b, const real* v, real* force) {
  real box[3];
  inertia_box(m, b, box);
  const real viscosity = m.opt_viscosity[0];
  const real density = m.opt_density[0];
  const real diameter = (box[0] + box[1] + box[2]) / 3;
  scale3(force, v, -PI * diameter * diameter * diameter * viscosity);
  scale3(force + 3, v + 3, -3 * PI * diameter * viscosity);
  for (int i = 0; i < 3; ++i) {
    const real other = box[(i + 1) % 3];
    const real another = box[(i + 2) % 3];
    const real turning = box[i] * (power4(other) + power4(another)) / 64;
    force[i] -= density * turning * r_abs(v[i]) * v[i];
    force[3 + i] -= density * real(0.5) * other * another * r_abs(v[3 + i]) * v[3 + i];
  }
}

/// A geom as the fluid sees it.
struct Ellipsoid {
  real size[3];  // half axes
  real longest, shortest, middle;
  const real* coef;  // geom_fluid: interaction, blunt drag, slender drag, angular drag, Kutta lift,
                     // Magnus lift, then virtual mass [3] and virtual inertia [3]
};

FN Ellipsoid fluid_ellipsoid(const Model& m, int geom) {
  Ellipsoid e;
  const real* size = m.geom_size + 3 * geom;
  const int type = m.geom_type[geom];
  copy3(e.size, size);
  if (type == GEOM_SPHERE) {
    set3(e.size, size[0], size[0], size[0]);
  } else if (type == GEOM_CAPSULE) {
    set3(e.size, size[0], size[0], size[0] + size[1]);
  } else if (type == GEOM_CYLINDER) {
    set3(e.size, size[0], size[0], size[1]);
  }
  e.longest = largest3(e.size);
  e.shortest = smallest3(e.size);
  e.middle = e.size[0] + e.size[1] + e.size[2] - e.longest - e.shortest;
  e.coef = m.geom_fluid + 12 * geom;
  return e;
}

/// Fluid that is carried along: the gyroscopic part of its inertia.
FN void added_mass_force(const Ellipsoid& e, real density, const real* v, real* force) {
  real momentum[6];
  for (int i = 0; i < 3; ++i) {
    momentum[i] = density * e.coef[9 + i] * v[i];
    momentum[3 + i] = density * e.coef[6 + i] * v[3 + i];
  }
  add_cross3(force, momentum + 3, v + 3);
  add_cross3(force, momentum, v);
  add_cross3(force + 3, momentum + 3, v);
}

/// The ellipsoid in a flow, free of the units of length and speed: no underflow for what is small,
/// thin or slow.
struct Flow {
  real direction[3];  // of the velocity
  real speed;
  real normal[3];  // to the outline seen from ahead, not of unit length
  real area;       // seen from ahead
  real ratio;      // such that ratio times |normal| is the cosine between direction and normal
};

FN Flow flow_around(const Ellipsoid& e, const real* velocity) {
  Flow f;
  copy3(f.direction, velocity);
  f.speed = normalize3(f.direction);
  const real unit = r_max(MINVAL, e.longest * e.longest);
  real above = 0, below = 0;
  for (int i = 0; i < 3; ++i) {
    const real face = e.size[(i + 1) % 3] * e.size[(i + 2) % 3] / unit;
    above += square(square(face) * f.direction[i]);
    below += square(face * f.direction[i]);
    f.normal[i] = square(face) * f.direction[i];
  }
  f.area = PI * unit * r_sqrt(above / r_max(MINVAL, below));
  f.ratio = below / r_max(MINVAL, above);
  return f;
}

/// Lift of a turning body (Magnus), and of one that moves at an angle (Kutta).
FN void lift_force(const Ellipsoid& e, const Flow& f, real density, const real* v, real* force) {
  const real volume = real(4) / 3 * PI * e.size[0] * e.size[1] * e.size[2];
  real magnus[3], circulation[3], kutta[3];
  cross3(magnus, v, v + 3);
  add_scaled3(force + 3, magnus, e.coef[5] * density * volume);
  cross3(circulation, f.normal, f.direction);
  cross3(kutta, circulation, f.direction);
  add_scaled3(force + 3, kutta, e.coef[4] * density * f.ratio * f.area * f.speed * f.speed);
}

/// Drag: Stokes flow for the viscosity, quadratic for the density.
FN void drag_force(const Ellipsoid& e, const Flow& f, real density, real viscosity, const real* v,
                   real* force) {
  const real sphere = real(2) / 3 * (e.size[0] + e.size[1] + e.size[2]);
  const real largest_area = PI * e.longest * e.middle;
  const real linear =
      viscosity * 3 * PI * sphere +
      density * f.speed * (f.area * e.coef[1] + e.coef[2] * (largest_area - f.area));

  const real eighth = real(8) / 15 * PI;
  const real largest_moment = eighth * e.middle * power4(e.longest);
  real moment[3];
  for (int i = 0; i < 3; ++i) {
    const real own = eighth * e.size[i] * power4(r_max(e.size[(i + 1) % 3], e.size[(i + 2) % 3]));
    moment[i] = v[i] * (e.coef[3] * own + e.coef[2] * (largest_moment - own));
  }
  const real angular = viscosity * PI * sphere * sphere * sphere + density * norm3(moment);
  add_scaled3(force, v, -angular);
  add_scaled3(force + 3, v + 3, -linear);
}

/// All fluid forces on a geom: torque and force in its frame, for its velocity v there.
FN void ellipsoid_force(const Model& m, int geom, const real* v, real* force) {
  const Ellipsoid e = fluid_ellipsoid(m, geom);
  const real density = m.opt_density[0];
  const Flow f = flow_around(e, v + 3);
  zero6(force);
  added_mass_force(e, density, v, force);
  lift_force(e, f, density, v, force);
  drag_force(e, f, density, m.opt_viscosity[0], v, force);
  scale3(force, force, e.coef[0]);
  scale3(force + 3, force + 3, e.coef[0]);
}

/// Adds a force and a torque that act at a point to a wrench about `com`.
FN void add_force_at(real* wrench, const real* com, const real* point, const real* force,
                     const real* torque) {
  real arm[3];
  sub3(arm, point, com);
  add3(wrench, wrench, torque);
  add_cross3(wrench, arm, force);
  add3(wrench + 3, wrench + 3, force);
}

/// Adds a force given in the frame (R, point) to a wrench about `com`: torque first in both.
FN void add_local_force(real* wrench, const real* com, const real* point, const real* R,
                        const real* local) {
  real torque[3], force[3];
  mat_vec3(torque, R, local);
  mat_vec3(force, R, local + 3);
  add_force_at(wrench, com, point, force, torque);
}

/// True when one of the body's geoms uses the ellipsoid model; the body's box is then left out.
FN bool has_ellipsoids(const Model& m, int b) {
  bool found = false;
  for (int i = 0; HAS_FLUID_ELLIPSOID && i < m.body_geomnum[b]; ++i) {
    found = found || m.geom_fluid[12 * (m.body_geomadr[b] + i)] > 0;
  }
  return found;
}

/// Wrench of the fluid on each body, into s.wrench.
FN void fluid_wrenches(Group g, const Model& m, const Data& d, int w, const Work& s) {
  const real* xipos = at_world(d.xipos, w, NBODY * 3);
  const real* ximat = at_world(d.ximat, w, NBODY * 9);
  const real* geom_xpos = at_world(d.geom_xpos, w, NGEOM * 3);
  const real* geom_xmat = at_world(d.geom_xmat, w, NGEOM * 9);
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    real* wrench = s.wrench + 6 * b;
    const real* com = s.com + 3 * m.body_rootid[b];
    const real* cvel = s.cvel + 6 * b;
    real v[6], force[6];
    zero6(wrench);
    if (m.body_mass[b] < MINVAL) {
      continue;
    }
    if (!has_ellipsoids(m, b)) {
      velocity_in_fluid(m, cvel, com, xipos + 3 * b, ximat + 9 * b, v);
      box_force(m, b, v, force);
      add_local_force(wrench, com, xipos + 3 * b, ximat + 9 * b, force);
      continue;
    }
    NO_UNROLL
    for (int i = 0; HAS_FLUID_ELLIPSOID && i < m.body_geomnum[b]; ++i) {
      const int geom = m.body_geomadr[b] + i;
      if (m.geom_fluid[12 * geom] != 0) {
        velocity_in_fluid(m, cvel, com, geom_xpos + 3 * geom, geom_xmat + 9 * geom, v);
        ellipsoid_force(m, geom, v, force);
        add_local_force(wrench, com, geom_xpos + 3 * geom, geom_xmat + 9 * geom, force);
      }
    }
  }
}
