// Unit quaternions (w, x, y, z) and the rotations they stand for. A result may be one of the
// arguments.
#pragma once

#include "vec.cuh"

FN void quat_identity(real* out) {
  out[0] = 1;
  zero3(out + 1);
}

FN void copy4(real* out, const real* a) {
  out[0] = a[0];
  copy3(out + 1, a + 1);
}

/// Makes q a unit quaternion; one shorter than MINVAL becomes the identity.
FN void quat_normalize(real* q) {
  const real length = r_sqrt(q[0] * q[0] + dot3(q + 1, q + 1));
  if (length < MINVAL) {
    quat_identity(q);
  } else if (r_abs(length - 1) > MINVAL) {
    const real inverse = 1 / length;
    q[0] *= inverse;
    scale3(q + 1, q + 1, inverse);
  }
}

FN void quat_conjugate(real* out, const real* q) {
  out[0] = q[0];
  scale3(out + 1, q + 1, -1);
}

/// out = a b: first b's rotation, then a's
FN void quat_mul(real* out, const real* a, const real* b) {
  const real w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const real x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const real y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  const real z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w;
  set3(out + 1, x, y, z);
}

/// out = q v q*, the vector v turned by q
FN void quat_rotate(real* out, const real* q, const real* v) {
  real t[3];
  cross3(t, q + 1, v);
  add_scaled3(t, v, q[0]);
  real turned[3];
  cross3(turned, q + 1, t);
  set3(out, v[0] + 2 * turned[0], v[1] + 2 * turned[1], v[2] + 2 * turned[2]);
}

/// Rotation by `angle` radians about a unit axis.
FN void quat_from_axis_angle(real* out, const real* axis, real angle) {
  real s;
  r_sincos(angle * real(0.5), &s, &out[0]);
  scale3(out + 1, axis, s);
}

/// The rotation matrix of q: columns are the turned axes. `M` is not q.
FN void quat_to_mat(real* M, const real* q) {
  const real ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  const real wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
  const real xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
  set3(M, ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy));
  set3(M + 3, 2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx));
  set3(M + 6, 2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz);
}

/// Rotation vector of q (axis times angle), the angle between -pi and pi.
FN void quat_to_rotation_vector(real* out, const real* q) {
  real axis[3];
  copy3(axis, q + 1);
  const real half_sine = normalize3(axis);
  real angle = 2 * r_atan2(half_sine, q[0]);
  if (angle > PI) {
    angle -= 2 * PI;
  }
  scale3(out, axis, angle);
}

/// Rotation vector that leads from b to a, in b's frame: a = b exp(out).
FN void quat_difference(real* out, const real* a, const real* b) {
  real inverse[4], between[4];
  quat_conjugate(inverse, b);
  quat_mul(between, inverse, a);
  quat_to_rotation_vector(out, between);
}

/// Turns q, made a unit quaternion first, for `time` with the angular velocity `velocity` in q's
/// own frame.
FN void quat_integrate(real* q, const real* velocity, real time) {
  real axis[3], turn[4];
  copy3(axis, velocity);
  const real speed = normalize3(axis);
  quat_from_axis_angle(turn, axis, speed * time);
  quat_normalize(q);
  quat_mul(q, q, turn);
}
