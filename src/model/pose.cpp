#include "model/pose.h"

#include <algorithm>
#include <cmath>

namespace mjjit {
namespace {

/// Off-diagonal elements, and differences of moments, that count as zero, relative to the largest
/// moment.
constexpr double kDiagonalEps = 1e-14, kEqualEps = 1e-12;

double largest(const Vec3& v) { return std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])}); }

template <std::size_t n>
double normalize_array(std::array<double, n>& v) {
  double square = 0;
  for (const double x : v) {
    square += x * x;
  }
  if (square < kTiny) {
    return 0;
  }
  const double length = std::sqrt(square);
  if (std::abs(length - 1) > kTiny) {
    for (double& x : v) {
      x /= length;
    }
  }
  return length;
}

/// R^T A R of a symmetric A.
Mat3 congruent(const Mat3& rotation, const Mat3& a) {
  Mat3 half = {}, out = {};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        half[3 * i + j] += rotation[3 * k + i] * a[3 * k + j];
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        out[3 * i + j] += half[3 * i + k] * rotation[3 * k + j];
      }
    }
  }
  return out;
}

/// One Jacobi rotation that clears the largest off-diagonal element of d; false when it is small
/// enough already.
bool jacobi_step(const Mat3& d, Quat& quat) {
  // the plane (row, column) of the largest element; the rotation is about the third axis
  int row = 1, column = 2;
  if (std::abs(d[1]) > std::abs(d[2]) && std::abs(d[1]) > std::abs(d[5])) {
    row = 0, column = 1;
  } else if (std::abs(d[2]) > std::abs(d[5])) {
    row = 0, column = 2;
  }
  const double off = d[3 * row + column];
  if (std::abs(off) <= kDiagonalEps * largest({d[0], d[4], d[8]})) {
    return false;
  }

  // the smaller of the two angles, at most an eighth of a turn
  const double tau = (d[4 * column] - d[4 * row]) / (2 * off);
  const double tangent = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));

  // the y axis turns the plane (x, z) the other way round
  const int axis = 3 - row - column;
  const double half = std::atan(tangent) / 2;
  Quat turn = {std::cos(half), 0, 0, 0};
  turn[1 + axis] = axis == 1 ? std::sin(half) : -std::sin(half);
  quat = multiply(quat, turn);
  return true;
}

/// Exchanges principal axes i and i + 1 by a quarter turn about the third.
void swap_axes(int i, Principal& p) {
  std::swap(p.moments[i], p.moments[i + 1]);
  Quat turn = {std::sqrt(0.5), 0, 0, 0};
  turn[1 + (i + 2) % 3] = std::sqrt(0.5);
  p.quat = multiply(p.quat, turn);
}

}  // namespace

Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 operator*(double s, const Vec3& v) { return {s * v[0], s * v[1], s * v[2]}; }
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double normalize(Vec3& v) { return normalize_array(v); }
double normalize(Quat& q) { return normalize_array(q); }

Quat conjugate(const Quat& q) { return {q[0], -q[1], -q[2], -q[3]}; }

Quat multiply(const Quat& a, const Quat& b) {
  Quat q = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  normalize(q);
  return q;
}

Vec3 rotate(const Quat& q, const Vec3& v) { return multiply(to_matrix(q), v); }

Mat3 to_matrix(const Quat& q) {
  const auto& [w, x, y, z] = q;
  return {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
}

Vec3 multiply(const Mat3& m, const Vec3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

Quat from_z_to(const Vec3& direction) {
  Vec3 axis = cross({0, 0, 1}, direction);
  const double sine = normalize(axis);
  if (sine < 1e-10) {
    axis = {1, 0, 0};
  }
  const double half = std::atan2(sine, direction[2]) / 2;
  return {std::cos(half), std::sin(half) * axis[0], std::sin(half) * axis[1],
          std::sin(half) * axis[2]};
}

Pose compose(const Pose& outer, const Pose& inner) {
  return {outer.pos + rotate(outer.quat, inner.pos), multiply(outer.quat, inner.quat)};
}

Pose inverse(const Pose& pose) {
  const Quat back = conjugate(pose.quat);
  return {-1.0 * rotate(back, pose.pos), back};
}

Principal principal_axes(const std::array<double, 6>& full) {
  const Mat3 a = {full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]};
  Principal p = {{}, {1, 0, 0, 0}};
  constexpr int kMaxSteps = 500;
  for (int step = 0; step < kMaxSteps; step++) {
    const Mat3 d = congruent(to_matrix(p.quat), a);
    p.moments = {d[0], d[4], d[8]};
    if (!jacobi_step(d, p.quat)) {
      break;
    }
  }

  // largest first
  for (const int i : {0, 1, 0}) {
    if (p.moments[i] + kEqualEps * largest(p.moments) < p.moments[i + 1]) {
      swap_axes(i, p);
    }
  }
  return p;
}

std::array<double, 6> rotated_inertia(const Vec3& moments, const Quat& q) {
  const Mat3 r = to_matrix(q);
  const auto element = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += r[3 * i + k] * moments[k] * r[3 * j + k];
    }
    return sum;
  };
  return {element(0, 0), element(1, 1), element(2, 2), element(0, 1), element(0, 2), element(1, 2)};
}

std::array<double, 6> offset_inertia(double mass, const Vec3& r) {
  return {mass * (r[1] * r[1] + r[2] * r[2]),
          mass * (r[0] * r[0] + r[2] * r[2]),
          mass * (r[0] * r[0] + r[1] * r[1]),
          -mass * r[0] * r[1],
          -mass * r[0] * r[2],
          -mass * r[1] * r[2]};
}

}  // namespace mjjit
