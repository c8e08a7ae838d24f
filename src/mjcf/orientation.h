#pragma once

#include <string>

#include "mjcf/element.h"
#include "mjcf/spec.h"

namespace mjjit::mjcf {

/// How a file writes angles.
struct AngleRule {
  bool is_degree = true;
  std::string eulerseq = "xyz";

  double radians(double angle) const;
};

/// A place in an outer frame: x_outer = pos + rotate(quat, x_inner).
struct Place {
  Vec3 pos = {0, 0, 0};
  Quat quat = {1, 0, 0, 0};
};

/// Reads quat, axisangle, xyaxes, zaxis or euler of an element into a quaternion; leaves it where
/// none is given.
/// @throws Error{Exit::input} naming element and attribute where several are given or where there
/// is no direction
/// @return whether one is given
bool read_orientation(const Element& element, const AngleRule& rule, Quat& quat);

/// Rotation of three angles, in the file's unit, about the axes of the sequence: lower case for
/// axes that turn along, upper case for fixed ones. Source: MuJoCo documentation,
/// «compiler/eulerseq»
Quat from_euler(const Vec3& euler, const AngleRule& rule);

Quat product(const Quat& a, const Quat& b);
Quat unit(const Quat& q);
Vec3 turn(const Quat& q, const Vec3& v);

/// The place of `inner` in the outer frame of `outer`; quaternions of any length give one of
/// length 1.
Place combine(const Place& outer, const Place& inner);

}  // namespace mjjit::mjcf
