// A triangle and the origin.
#pragma once

#include "vec.cuh"

FN bool same_sign(real a, real b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

/// Projects the origin onto the plane of a triangle, with the normal taken at that corner where it
/// is well defined.
/// @return false: the corners lie on one line
FN bool project_origin(const real* v1, const real* v2, const real* v3, real* out) {
  real e21[3], e31[3], e32[3];
  sub3(e21, v2, v1);
  sub3(e31, v3, v1);
  sub3(e32, v3, v2);
  NO_UNROLL
  for (int corner = 0; corner < 3; ++corner) {
    real n[3];
    cross3(n,
           corner == 0   ? e32
           : corner == 1 ? e21
                         : e31,
           corner == 0   ? e21
           : corner == 1 ? e31
                         : e32);
    const real along = dot3(n, corner == 0 ? v2 : corner == 1 ? v1 : v3);
    const real square = dot3(n, n);
    if (square == 0) {
      return false;
    }
    if (corner == 2 || (along != 0 && square > MINVAL)) {
      scale3(out, n, along / square);
      break;
    }
  }
  return true;
}

/// Barycentric coordinates of a point p of a triangle's plane, from differences to p: exact for
/// small triangles, too.
/// @return false: the triangle has no area
FN_NOINLINE bool barycentric(const real* v1, const real* v2, const real* v3, const real* p,
                             real* weight) {
  real e1[3], e2[3], n[3];
  sub3(e1, v2, v1);
  sub3(e2, v3, v1);
  cross3(n, e1, e2);
  const real square = dot3(n, n);
  NO_UNROLL
  for (int i = 0; i < 3; ++i) {
    real u[3], v[3], area[3];
    sub3(u, i == 0 ? v2 : i == 1 ? v3 : v1, p);
    sub3(v, i == 0 ? v3 : i == 1 ? v1 : v2, p);
    cross3(area, u, v);
    weight[i] = dot3(area, n) / square;
  }
  return square > 0;
}
