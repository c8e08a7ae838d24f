// Spheres and capsules among themselves, and a sphere with a cylinder. A capsule is a segment with
// a radius: each of its contacts is that of two spheres at the nearest points of the segments.
#pragma once

#include "collide_plane.cuh"

FN real clamp1(real x) { return r_max(real(-1), r_min(real(1), x)); }

constexpr real CAPSULES_PARALLEL =
    real(1e-8);  // sin² of the angle below which capsules are parallel

// `mat1`, `mat2` only matter when the centres coincide: the normal is then perpendicular to both z
// axes
FN_NOINLINE int sphere_sphere(const real* centre1, real radius1, const real* mat1,
                              const real* centre2, real radius2, const real* mat2, real margin,
                              Contact* out) {
  real normal[3];
  sub3(normal, centre2, centre1);
  const real reach = margin + radius1 + radius2;
  if (dot3(normal, normal) > reach * reach) {
    return 0;
  }
  const real length = normalize3(normal);
  if (length < MINVAL) {
    real axis1[3];
    real axis2[3];
    mat_column3(axis1, mat1, 2);
    mat_column3(axis2, mat2, 2);
    cross3(normal, axis1, axis2);
    normalize3(normal);
  }
  out->dist = length - radius1 - radius2;
  copy3(out->normal, normal);
  copy3(out->pos, centre1);
  add_scaled3(out->pos, normal, radius1 + out->dist / 2);
  zero3(out->tangent);
  return 1;
}

FN int sphere_capsule(const Shape& sphere, const Shape& capsule, real margin, Contact* out) {
  real axis[3];
  real away[3];
  mat_column3(axis, capsule.mat, 2);
  sub3(away, sphere.pos, capsule.pos);
  const real along = r_max(-capsule.size[1], r_min(capsule.size[1], dot3(axis, away)));
  real nearest[3];
  copy3(nearest, capsule.pos);
  add_scaled3(nearest, axis, along);
  return sphere_sphere(sphere.pos, sphere.size[0], sphere.mat, nearest, capsule.size[0],
                       capsule.mat, margin, out);
}

// two capsules seen as segments centre + x half, -1 <= x <= 1, and the normal equations of their
// nearest points
struct SegmentPair {
  real half1[3], half2[3];
  real a, b, c;  // |half1|², -half1·half2, |half2|²
  real u, v;     // -half1·(centre1 - centre2), half2·(centre1 - centre2)
};

FN int spheres_on_segments(const Shape& one, const Shape& two, const SegmentPair& pair, real x1,
                           real x2, real margin, Contact* out) {
  real point1[3];
  real point2[3];
  copy3(point1, one.pos);
  add_scaled3(point1, pair.half1, x1);
  copy3(point2, two.pos);
  add_scaled3(point2, pair.half2, x2);
  return sphere_sphere(point1, one.size[0], one.mat, point2, two.size[0], two.mat, margin, out);
}

// one contact, or two when the axes are parallel
FN int capsule_capsule(const Shape& one, const Shape& two, real margin, Contact* out) {
  SegmentPair pair;
  real away[3];
  mat_column3(pair.half1, one.mat, 2);
  mat_column3(pair.half2, two.mat, 2);
  scale3(pair.half1, pair.half1, one.size[1]);
  scale3(pair.half2, pair.half2, two.size[1]);
  sub3(away, one.pos, two.pos);
  pair.a = dot3(pair.half1, pair.half1);
  pair.b = -dot3(pair.half1, pair.half2);
  pair.c = dot3(pair.half2, pair.half2);
  pair.u = -dot3(pair.half1, away);
  pair.v = dot3(pair.half2, away);

  // a c - b², without the cancellation that leaves nothing of it in float when the axes are nearly
  // parallel
  real across[3];
  cross3(across, pair.half1, pair.half2);
  const real det = dot3(across, across);
  if (det > CAPSULES_PARALLEL * pair.a * pair.c) {
    real x1 = (pair.c * pair.u - pair.b * pair.v) / det;
    real x2 = (pair.a * pair.v - pair.b * pair.u) / det;
    if (r_abs(x1) > 1) {
      x1 = x1 > 0 ? real(1) : real(-1);
      x2 = (pair.v - x1 * pair.b) / pair.c;
    }
    if (r_abs(x2) > 1) {
      x2 = x2 > 0 ? real(1) : real(-1);
      x1 = clamp1((pair.u - x2 * pair.b) / pair.a);
    }
    return spheres_on_segments(one, two, pair, x1, x2, margin, out);
  }

  // parallel: both ends of the part of the first segment that faces the second, the lower first;
  // where the segments do not overlap along the axis these are one point, twice
  const real end1 = clamp1((pair.u - pair.b) / pair.a);
  const real end2 = clamp1((pair.u + pair.b) / pair.a);
  int count = 0;
  NO_UNROLL
  for (int k = 0; k < 2; ++k) {
    const real x1 = k == 0 ? r_min(end1, end2) : r_max(end1, end2);
    const real x2 = clamp1((pair.v - x1 * pair.b) / pair.c);
    count += spheres_on_segments(one, two, pair, x1, x2, margin, out + count);
  }
  return count;
}

// the sphere meets the cylinder's side, one of its caps, or the rim between them
FN int sphere_cylinder(const Shape& sphere, const Shape& cylinder, real margin, Contact* out) {
  const real radius = cylinder.size[0];
  const real height = cylinder.size[1];
  real axis[3];
  real away[3];
  mat_column3(axis, cylinder.mat, 2);
  sub3(away, sphere.pos, cylinder.pos);
  const real along = dot3(axis, away);
  real radial[3];
  copy3(radial, away);
  add_scaled3(radial, axis, -along);
  const real radial2 = dot3(radial, radial);

  // a centre inside leaves by the nearer of side and cap
  bool side = r_abs(along) < height;
  bool cap = radial2 < radius * radius;
  if (side && cap) {
    const bool cap_is_nearer = height - r_abs(along) < radius - r_sqrt(radial2);
    side = !cap_is_nearer;
    cap = cap_is_nearer;
  }
  const real direction = along > 0 ? real(1) : real(-1);
  real nearest[3];
  copy3(nearest, cylinder.pos);
  if (side) {
    add_scaled3(nearest, axis, along);
    return sphere_sphere(sphere.pos, sphere.size[0], sphere.mat, nearest, radius, cylinder.mat,
                         margin, out);
  }
  add_scaled3(nearest, axis, direction * height);
  if (cap) {
    real normal[3];
    scale3(normal, axis, direction);
    real above[3];
    sub3(above, sphere.pos, nearest);
    const real distance = dot3(above, normal);
    if (distance > margin + sphere.size[0]) {
      return 0;
    }
    real touch[3];
    copy3(touch, sphere.pos);
    add_scaled3(touch, normal, -sphere.size[0]);
    plane_contact(touch, normal, distance - sphere.size[0], out);
    scale3(out->normal, out->normal,
           -1);  // from the sphere, which is the first geom, to the cylinder
    return 1;
  }
  add_scaled3(nearest, radial, radius / r_sqrt(radial2));
  return sphere_sphere(sphere.pos, sphere.size[0], sphere.mat, nearest, 0, cylinder.mat, margin,
                       out);
}
