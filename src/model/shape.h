#pragma once

#include <array>

#include "mjcf/spec.h"

namespace mjjit {

/// A primitive geom's measures: what its size means follows from the kind, as in MuJoCo.
struct Shape {
  int type;    // mjtGeom
  Vec3 size;   // metres; radius and half length, half axes or half sides
  bool shell;  // its mass is spread over the surface
};

/// m^3, or m^2 of a shell; 0 for kinds without volume. Ellipsoid shells by Thomsen's formula.
double shape_volume(const Shape& shape);

/// Principal moments about the centre, in the geom's axes, for a mass in kg. A height field counts
/// as a box.
Vec3 shape_inertia(const Shape& shape, double mass);

/// Radius of the sphere about the geom's origin that holds a primitive geom; 0: it has no bound.
double shape_rbound(const Shape& shape);

/// Half sizes of the box along the geom's axes that holds a primitive geom with the origin at its
/// centre.
Vec3 shape_half_box(const Shape& shape);

/// Coefficients of the ellipsoid fluid model of a geom: the interaction switch, five user
/// coefficients, then virtual mass and virtual inertia along the axes of the ellipsoid with the
/// geom's measures. Source: MuJoCo documentation, «Fluid forces», ellipsoid model (Tuckerman's
/// added mass)
std::array<double, 12> fluid_coefficients(const Shape& shape, const std::array<double, 5>& user);

}  // namespace mjjit
