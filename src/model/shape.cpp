#include "model/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../../kernels/enums.cuh"
#include "model/pose.h"

namespace mjjit {
namespace {

constexpr double kPi = std::numbers::pi;

double square(double x) { return x * x; }

/// Moments of a solid whose inertia along an axis is c·m·(sum of the squares of the other two
/// sizes).
Vec3 from_squares(double mass, double c, const Vec3& size) {
  return {c * mass * (square(size[1]) + square(size[2])),
          c * mass * (square(size[0]) + square(size[2])),
          c * mass * (square(size[0]) + square(size[1]))};
}

Vec3 capsule_inertia(double radius, double half, bool shell, double mass) {
  const double height = 2 * half;

  // shares of the two caps and of the tube: by volume, or by area
  const double share =
      shell ? 2 * radius / (2 * radius + height) : 4 * radius / (4 * radius + 3 * height);
  const double caps = share * mass, tube = mass - caps;
  const double tube_axial = (shell ? 1 : 0.5) * tube * square(radius);
  const double tube_cross = tube * ((shell ? 6 : 3) * square(radius) + square(height)) / 12;

  // the caps make a sphere that is pulled apart: each half's centre of mass lies `lever` beyond the
  // tube's end
  const double sphere = (shell ? 2.0 / 3 : 2.0 / 5) * caps * square(radius);
  const double lever = (shell ? 0.5 : 3.0 / 8) * radius;
  const double cross = tube_cross + sphere + caps * (square(half + lever) - square(lever));
  return {cross, cross, tube_axial + sphere};
}

Vec3 cylinder_inertia(double radius, double half, bool shell, double mass) {
  const double height = 2 * half;
  if (!shell) {
    const double cross = mass * (3 * square(radius) + square(height)) / 12;
    return {cross, cross, mass * square(radius) / 2};
  }
  const double disk = mass * radius / (2 * radius + 2 * height);  // by area, each of the two
  const double tube = mass - 2 * disk;
  const double cross = tube * (6 * square(radius) + square(height)) / 12 +
                       2 * disk * (square(radius) / 4 + square(half));
  return {cross, cross, tube * square(radius) + disk * square(radius)};
}

/// A thin shell between the ellipsoid and one a micrometre larger, as MuJoCo approximates it.
Vec3 ellipsoid_shell_inertia(const Vec3& size, double mass) {
  constexpr double kThickness = 1e-6;
  const Vec3 outer = {size[0] + kThickness, size[1] + kThickness, size[2] + kThickness};
  const double inner_volume = 4 * kPi * size[0] * size[1] * size[2] / 3;
  const double outer_volume = 4 * kPi * outer[0] * outer[1] * outer[2] / 3;
  const double density = mass / (outer_volume - inner_volume);
  return from_squares(outer_volume * density, 0.2, outer) -
         from_squares(inner_volume * density, 0.2, size);
}

Vec3 box_shell_inertia(const Vec3& half, double mass) {
  const Vec3 side = 2.0 * half;
  const Vec3 area = {side[1] * side[2], side[2] * side[0],
                     side[0] * side[1]};  // of the face across each axis
  const double total = 2 * (area[0] + area[1] + area[2]);
  Vec3 inertia = {0, 0, 0};
  for (int face = 0; face < 3; face++) {
    const double share = mass * area[face] / total;
    for (int axis = 0; axis < 3; axis++) {
      // the plate's own moment, and for an axis in its plane the distance of the two plates
      for (int other = 0; other < 3; other++) {
        if (other != axis && other != face) {
          inertia[axis] += 2 * share * square(side[other]) / 12;
        }
      }
      if (axis != face) {
        inertia[axis] += 2 * share * square(half[face]);
      }
    }
  }
  return inertia;
}

double ellipsoid_area(const Vec3& s) {
  constexpr double p = 1.6075;
  const double mean =
      (std::pow(s[0] * s[1], p) + std::pow(s[1] * s[2], p) + std::pow(s[2] * s[0], p)) / 3;
  return 4 * kPi * std::pow(mean, 1 / p);
}

}  // namespace

double shape_volume(const Shape& shape) {
  const Vec3& s = shape.size;
  const double radius = s[0], height = 2 * s[1];
  switch (shape.type) {
    case GEOM_SPHERE:
      return shape.shell ? 4 * kPi * square(radius) : 4 * kPi * radius * square(radius) / 3;
    case GEOM_CAPSULE:
      return shape.shell ? 4 * kPi * square(radius) + 2 * kPi * radius * height
                         : kPi * (square(radius) * height + 4 * radius * square(radius) / 3);
    case GEOM_CYLINDER:
      return shape.shell ? 2 * kPi * square(radius) + 2 * kPi * radius * height
                         : kPi * square(radius) * height;
    case GEOM_ELLIPSOID:
      return shape.shell ? ellipsoid_area(s) : 4 * kPi * s[0] * s[1] * s[2] / 3;
    case GEOM_HFIELD:
    case GEOM_BOX:
      return shape.shell ? 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) : 8 * s[0] * s[1] * s[2];
    default:
      return 0;
  }
}

Vec3 shape_inertia(const Shape& shape, double mass) {
  const Vec3& s = shape.size;
  switch (shape.type) {
    case GEOM_SPHERE: {
      const double moment = 2 * mass * square(s[0]) / (shape.shell ? 3 : 5);
      return {moment, moment, moment};
    }
    case GEOM_CAPSULE:
      return capsule_inertia(s[0], s[1], shape.shell, mass);
    case GEOM_CYLINDER:
      return cylinder_inertia(s[0], s[1], shape.shell, mass);
    case GEOM_ELLIPSOID:
      return shape.shell ? ellipsoid_shell_inertia(s, mass) : from_squares(mass, 1.0 / 5, s);
    case GEOM_HFIELD:
    case GEOM_BOX:
      return shape.shell ? box_shell_inertia(s, mass) : from_squares(mass, 1.0 / 3, s);
    default:
      return {0, 0, 0};
  }
}

double shape_rbound(const Shape& shape) {
  const Vec3& s = shape.size;
  switch (shape.type) {
    case GEOM_SPHERE:
      return s[0];
    case GEOM_CAPSULE:
      return s[0] + s[1];
    case GEOM_CYLINDER:
      return std::sqrt(square(s[0]) + square(s[1]));
    case GEOM_ELLIPSOID:
      return std::max({s[0], s[1], s[2]});
    case GEOM_BOX:
      return std::sqrt(dot(s, s));
    default:
      return 0;
  }
}

Vec3 shape_half_box(const Shape& shape) {
  const Vec3& s = shape.size;
  switch (shape.type) {
    case GEOM_SPHERE:
      return {s[0], s[0], s[0]};
    case GEOM_CAPSULE:
      return {s[0], s[0], s[0] + s[1]};
    case GEOM_CYLINDER:
      return {s[0], s[0], s[1]};
    default:
      return s;
  }
}

}  // namespace mjjit
