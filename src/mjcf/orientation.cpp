#include "mjcf/orientation.h"

#include <cctype>
#include <cmath>
#include <numbers>

#include "mjcf/values.h"

namespace mjjit::mjcf {
namespace {

/// Directions shorter than this have none; MuJoCo uses the same value.
constexpr double kNoLength = 1e-14;

double length(const Vec3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

double length(const Quat& q) {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3 direction(const Element& element, const char* attribute, const char* what, const Vec3& v) {
  const double size = length(v);
  if (size < kNoLength) {
    fail(element, "attribute '{}': {} has no length", attribute, what);
  }
  if (!std::isfinite(size)) {
    fail(element, "attribute '{}': {} is too long", attribute, what);
  }
  return {v[0] / size, v[1] / size, v[2] / size};
}

Quat from_axis_angle(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
}

/// The shortest rotation of the z axis to a unit vector; half a turn about x for -z.
Quat from_z_axis(const Vec3& z) {
  Vec3 axis = cross({0, 0, 1}, z);
  const double sine = length(axis);
  if (sine < 1e-10) {
    axis = {1, 0, 0};
  } else {
    axis = {axis[0] / sine, axis[1] / sine, axis[2] / sine};
  }
  return from_axis_angle(axis, std::atan2(sine, z[2]));
}

/// The rotation whose matrix has these unit vectors as columns, from the largest of its four
/// components.
Quat from_axes(const Vec3& x, const Vec3& y, const Vec3& z) {
  const std::array<Vec3, 3> column = {x, y, z};
  const double trace = x[0] + y[1] + z[2];
  const int i = x[0] > y[1] && x[0] > z[2] ? 0 : y[1] > z[2] ? 1 : 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  Quat q;
  if (trace > 0) {
    const double root = std::sqrt(1 + trace);
    q = {0.5 * root, 0.5 * (y[2] - z[1]) / root, 0.5 * (z[0] - x[2]) / root,
         0.5 * (x[1] - y[0]) / root};
  } else {
    const double root = std::sqrt(1 + column[i][i] - column[j][j] - column[k][k]);
    q[0] = 0.5 * (column[j][k] - column[k][j]) / root;
    q[1 + i] = 0.5 * root;
    q[1 + j] = 0.5 * (column[i][j] + column[j][i]) / root;
    q[1 + k] = 0.5 * (column[i][k] + column[k][i]) / root;
  }
  return unit(q);
}

/// x is kept, y is made perpendicular to it, z follows.
Quat from_xy_axes(const Element& element, const std::array<double, 6>& axes) {
  const Vec3 x = direction(element, "xyaxes", "its x axis", {axes[0], axes[1], axes[2]});
  Vec3 y = {axes[3], axes[4], axes[5]};
  const double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const Vec3 across = {y[0] - along * x[0], y[1] - along * x[1], y[2] - along * x[2]};
  constexpr double kRounding = 1e-14;  // of the axes' difference, where they are parallel
  if (length(across) < kRounding * length(y)) {
    fail(element, "attribute 'xyaxes': its y axis is parallel to its x axis");
  }
  y = direction(element, "xyaxes", "its y axis, across the x axis,", across);
  return from_axes(x, y, cross(x, y));
}

}  // namespace

double AngleRule::radians(double angle) const {
  return is_degree ? angle * std::numbers::pi / 180.0 : angle;
}

Quat product(const Quat& a, const Quat& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quat unit(const Quat& q) {
  const double size = length(q);
  if (size < kNoLength) {
    return {1, 0, 0, 0};
  }
  return {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
}

Vec3 turn(const Quat& q, const Vec3& v) {
  // v + 2 w (u x v) + 2 u x (u x v), with u the vector part
  const Vec3 u = {q[1], q[2], q[3]};
  const Vec3 uv = cross(u, v);
  const Vec3 uuv = cross(u, uv);
  Vec3 result;
  for (int i = 0; i < 3; i++) {
    result[i] = v[i] + 2 * (q[0] * uv[i] + uuv[i]);
  }
  return result;
}

Place combine(const Place& outer, const Place& inner) {
  const Quat quat = unit(outer.quat);
  const Vec3 offset = turn(quat, inner.pos);
  return {{outer.pos[0] + offset[0], outer.pos[1] + offset[1], outer.pos[2] + offset[2]},
          unit(product(quat, unit(inner.quat)))};
}

Quat from_euler(const Vec3& euler, const AngleRule& rule) {
  Quat quat = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const char letter = rule.eulerseq[i];
    Vec3 axis = {0, 0, 0};
    axis[std::tolower(letter) - 'x'] = 1;
    const Quat step = from_axis_angle(axis, rule.radians(euler[i]));
    quat = std::islower(letter) ? product(quat, step) : product(step, quat);
  }
  return unit(quat);
}

bool read_orientation(const Element& element, const AngleRule& rule, Quat& quat) {
  int given = 0;
  if (read(element, "quat", quat) > 0) {
    given++;
    if (quat == Quat{0, 0, 0, 0}) {
      fail(element, "attribute 'quat' is zero, which is no orientation");
    }
    if (const double size = length(quat); size < kNoLength || !std::isfinite(size)) {
      fail(element, "attribute 'quat' is too {}, which leaves no orientation",
           size < kNoLength ? "short" : "long");
    }
  }
  if (std::array<double, 4> v; read(element, "axisangle", v) > 0) {
    given++;
    quat = from_axis_angle(direction(element, "axisangle", "the axis", {v[0], v[1], v[2]}),
                           rule.radians(v[3]));
  }
  if (std::array<double, 6> v; read(element, "xyaxes", v) > 0) {
    given++;
    quat = from_xy_axes(element, v);
  }
  if (Vec3 v; read(element, "zaxis", v) > 0) {
    given++;
    quat = from_z_axis(direction(element, "zaxis", "the axis", v));
  }
  if (Vec3 v; read(element, "euler", v) > 0) {
    given++;
    quat = from_euler(v, rule);
  }
  if (given > 1) {
    fail(element,
         "there can be only one of the attributes quat, axisangle, xyaxes, zaxis and euler");
  }
  return given == 1;
}

}  // namespace mjjit::mjcf
