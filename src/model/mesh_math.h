#pragma once

#include <array>
#include <cmath>
#include <span>

#include "mjcf/spec.h"

/// What the mesh files share: three-vectors in double. The order of the operations is written out,
/// so that the result is the same to the last bit whatever the compiler.
namespace mjjit::meshes {

/// Lengths, areas and volumes below this count as zero, as mjMINVAL does.
inline constexpr double kTiny = 1e-15;

/// Vertex numbers of a triangle, counter-clockwise seen from outside.
using Triangle = std::array<int, 3>;

/// Row-major 3 × 3.
using Mat3 = std::array<double, 9>;

inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline double length(const Vec3& a) { return std::sqrt(dot(a, a)); }

inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vec3 times(const Mat3& m, const Vec3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

inline Vec3 transposed_times(const Mat3& m, const Vec3& v) {
  return {m[0] * v[0] + m[3] * v[1] + m[6] * v[2], m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
          m[2] * v[0] + m[5] * v[1] + m[8] * v[2]};
}

/// Rotation matrix of a unit quaternion (w, x, y, z).
inline Mat3 rotation(const Quat& q) {
  if (q == Quat{1, 0, 0, 0}) {
    return {1, 0, 0, 0, 1, 0, 0, 0, 1};
  }
  const double ww = q[0] * q[0], wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
  const double xx = q[1] * q[1], xy = q[1] * q[2], xz = q[1] * q[3];
  const double yy = q[2] * q[2], yz = q[2] * q[3], zz = q[3] * q[3];
  return {ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz),    ww - xx + yy - zz,
          2 * (yz - wx),     2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz};
}

/// Quaternion of length 1 with q's direction; nearly zero and nearly unit ones are left as they
/// are.
inline Quat normalized(const Quat& q) {
  double square = 0;
  for (const double x : q) {
    square += x * x;
  }
  const double norm = std::sqrt(square);
  if (square < 1e-14 || std::abs(norm - 1) <= 1e-14) {
    return q;
  }
  return {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}

/// Product of two rotations, normalised.
inline Quat times(const Quat& a, const Quat& b) {
  return normalized({a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                     a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                     a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                     a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]});
}

}  // namespace mjjit::meshes
