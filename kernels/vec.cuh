// Vectors of three reals and 3x3 matrices (row-major, nine reals) as plain pointers. A result may
// be one of the arguments unless its docstring says otherwise.
#pragma once

#include "dialect.h"

/// Lengths below this count as zero, as in MuJoCo (mjMINVAL).
constexpr real MINVAL = real(1e-15);
constexpr real PI = real(3.14159265358979323846);

FN void zero3(real* out) { out[0] = out[1] = out[2] = 0; }

FN void set3(real* out, real x, real y, real z) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

FN void copy3(real* out, const real* a) { set3(out, a[0], a[1], a[2]); }

FN void copy9(real* out, const real* a) {
  copy3(out, a);
  copy3(out + 3, a + 3);
  copy3(out + 6, a + 6);
}

FN void add3(real* out, const real* a, const real* b) {
  set3(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

FN void sub3(real* out, const real* a, const real* b) {
  set3(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

FN void scale3(real* out, const real* a, real s) { set3(out, a[0] * s, a[1] * s, a[2] * s); }

/// out += s a
FN void add_scaled3(real* out, const real* a, real s) {
  set3(out, out[0] + s * a[0], out[1] + s * a[1], out[2] + s * a[2]);
}

FN real dot3(const real* a, const real* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

FN real norm3(const real* a) { return r_sqrt(dot3(a, a)); }

/// Distance of two points.
FN real distance3(const real* a, const real* b) {
  const real d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return norm3(d);
}

FN void cross3(real* out, const real* a, const real* b) {
  set3(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

/// out += a x b; `out` is neither a nor b
FN void add_cross3(real* out, const real* a, const real* b) {
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

/// Makes `a` a unit vector; one shorter than MINVAL becomes the x axis.
/// @return its length before
FN real normalize3(real* a) {
  const real length = norm3(a);
  if (length < MINVAL) {
    set3(a, 1, 0, 0);
  } else {
    scale3(a, a, 1 / length);
  }
  return length;
}

/// out = M v
FN void mat_vec3(real* out, const real* M, const real* v) {
  set3(out, dot3(M, v), dot3(M + 3, v), dot3(M + 6, v));
}

/// out = M^T v: a vector of the world in the frame whose axes are M's columns
FN void mat_tvec3(real* out, const real* M, const real* v) {
  set3(out, M[0] * v[0] + M[3] * v[1] + M[6] * v[2], M[1] * v[0] + M[4] * v[1] + M[7] * v[2],
       M[2] * v[0] + M[5] * v[1] + M[8] * v[2]);
}

/// Column j of M.
FN void mat_column3(real* out, const real* M, int j) { set3(out, M[j], M[j + 3], M[j + 6]); }

FN void transpose3(real* out, const real* M) {
  const real m01 = M[1], m02 = M[2], m12 = M[5];
  set3(out, M[0], M[3], M[6]);
  const real m11 = M[4], m21 = M[7], m22 = M[8];
  set3(out + 3, m01, m11, m21);
  set3(out + 6, m02, m12, m22);
}

/// out = A B; `out` is neither A nor B
FN void mat_mul3(real* out, const real* A, const real* B) {
  mat_tvec3(out, B, A);
  mat_tvec3(out + 3, B, A + 3);
  mat_tvec3(out + 6, B, A + 6);
}

/// out = A^T B; `out` is neither A nor B
FN void mat_tmul3(real* out, const real* A, const real* B) {
  for (int i = 0; i < 3; ++i) {
    real column[3];
    mat_column3(column, A, i);
    mat_tvec3(out + 3 * i, B, column);
  }
}
