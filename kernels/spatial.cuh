// Spatial vectors: six reals, rotation first. A motion is (angular velocity, linear velocity), a
// force (torque, force), both about the centre of mass of the body's tree and along the world's
// axes, as MuJoCo keeps them. An inertia is ten reals: xx yy zz xy xz yz of the rotational inertia,
// mass times offset, mass.
#pragma once

#include "vec.cuh"

FN void zero6(real* out) {
  zero3(out);
  zero3(out + 3);
}

FN void copy6(real* out, const real* a) {
  copy3(out, a);
  copy3(out + 3, a + 3);
}

/// out += a
FN void add_to6(real* out, const real* a) {
  add3(out, out, a);
  add3(out + 3, out + 3, a + 3);
}

/// out += s a
FN void add_scaled6(real* out, const real* a, real s) {
  add_scaled3(out, a, s);
  add_scaled3(out + 3, a + 3, s);
}

FN real dot6(const real* a, const real* b) { return dot3(a, b) + dot3(a + 3, b + 3); }

/// Rate of change of the motion m carried along by the motion v. `out` is no argument.
FN void cross_motion(real* out, const real* v, const real* m) {
  cross3(out, v, m);
  cross3(out + 3, v, m + 3);
  add_cross3(out + 3, v + 3, m);
}

/// Rate of change of the force f carried along by the motion v. `out` is no argument.
FN void cross_force(real* out, const real* v, const real* f) {
  cross3(out, v, f);
  add_cross3(out, v + 3, f + 3);
  cross3(out + 3, v, f + 3);
}

/// Inertia about a point of a body with principal moments `moments` along the columns of R, its
/// centre of mass at `offset` from that point.
FN void inertia_about(real* out, const real* moments, const real* R, const real* offset,
                      real mass) {
  const real* a = R;
  const real* b = R + 3;
  const real* c = R + 6;
  const real scaled_a[3] = {a[0] * moments[0], a[1] * moments[1], a[2] * moments[2]};
  const real scaled_b[3] = {b[0] * moments[0], b[1] * moments[1], b[2] * moments[2]};
  const real scaled_c[3] = {c[0] * moments[0], c[1] * moments[1], c[2] * moments[2]};
  const real x = offset[0], y = offset[1], z = offset[2];
  out[0] = dot3(a, scaled_a) + mass * (y * y + z * z);
  out[1] = dot3(b, scaled_b) + mass * (x * x + z * z);
  out[2] = dot3(c, scaled_c) + mass * (x * x + y * y);
  out[3] = dot3(a, scaled_b) - mass * x * y;
  out[4] = dot3(a, scaled_c) - mass * x * z;
  out[5] = dot3(b, scaled_c) - mass * y * z;
  scale3(out + 6, offset, mass);
  out[9] = mass;
}

/// Momentum of an inertia that moves with v: out = I v. `out` is no argument.
FN void inertia_mul(real* out, const real* I, const real* v) {
  out[0] = I[0] * v[0] + I[3] * v[1] + I[4] * v[2];
  out[1] = I[3] * v[0] + I[1] * v[1] + I[5] * v[2];
  out[2] = I[4] * v[0] + I[5] * v[1] + I[2] * v[2];
  add_cross3(out, I + 6, v + 3);
  scale3(out + 3, v + 3, I[9]);
  add_cross3(out + 3, v, I + 6);
}
