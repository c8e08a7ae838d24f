#pragma once

#include <array>

#include "mjcf/spec.h"

namespace mjjit {

// Rotations and frames of the model compiler: quaternions are (w, x, y, z), matrices row-major and
// turn coordinates of the inner frame into coordinates of the outer one.

using Mat3 = std::array<double, 9>;

/// Below this, lengths, masses and volumes count as zero; MuJoCo's compiler uses the same value.
inline constexpr double kTiny = 1e-14;

/// A frame's place in an outer frame: x_outer = pos + rotate(quat, x_inner).
struct Pose {
  Vec3 pos = {0, 0, 0};
  Quat quat = {1, 0, 0, 0};
};

Vec3 operator+(const Vec3& a, const Vec3& b);
Vec3 operator-(const Vec3& a, const Vec3& b);
Vec3 operator*(double s, const Vec3& v);
double dot(const Vec3& a, const Vec3& b);
Vec3 cross(const Vec3& a, const Vec3& b);

/// Scales to unit length; leaves the vector as it is when its squared length is below kTiny, or
/// when it is a unit vector already. @return the length found, 0 for a vector that is too short
double normalize(Vec3& v);
double normalize(Quat& q);

Quat conjugate(const Quat& q);

/// The rotation b followed by the rotation a, normalised.
Quat multiply(const Quat& a, const Quat& b);

Vec3 rotate(const Quat& q, const Vec3& v);
Mat3 to_matrix(const Quat& q);
Vec3 multiply(const Mat3& m, const Vec3& v);

/// The shortest rotation that turns the z axis into the direction of a unit vector; half a turn
/// about x for -z.
Quat from_z_to(const Vec3& direction);

/// The pose of `inner` in the outer frame of `outer`.
Pose compose(const Pose& outer, const Pose& inner);
Pose inverse(const Pose& pose);

/// Principal moments of a symmetric matrix, largest first, and the rotation from the principal
/// frame.
struct Principal {
  Vec3 moments;
  Quat quat;
};

/// Diagonalises (xx, yy, zz, xy, xz, yz) by Jacobi rotations. A diagonal matrix in decreasing order
/// keeps the identity rotation, which later makes its body a simple one.
Principal principal_axes(const std::array<double, 6>& full);

/// Inertia tensor (xx, yy, zz, xy, xz, yz) in the outer frame of a body whose principal frame has
/// orientation q.
std::array<double, 6> rotated_inertia(const Vec3& moments, const Quat& q);

/// What a point mass at an offset adds to an inertia tensor (parallel axes).
std::array<double, 6> offset_inertia(double mass, const Vec3& offset);

}  // namespace mjjit
