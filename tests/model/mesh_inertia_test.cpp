#include "model/mesh_inertia.h"

#include <cmath>

#include "catch.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;
using namespace meshes;

Mat3 rotated(const Quat& q, const Vec3& diagonal) {
  const Mat3 r = rotation(q);
  Mat3 m = {};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        m[3 * i + j] += r[3 * i + k] * diagonal[k] * r[3 * j + k];
      }
    }
  }
  return m;
}

TEST_CASE("principal axes rebuild the matrix, largest moment first, at any scale", "[mesh]") {
  for (const double scale : {1e-16, 1e-6, 1., 1e6}) {
    const Mat3 m = rotated(normalized({0.7, 0.3, -0.5, 0.2}), {1 * scale, 3 * scale, 2 * scale});
    Vec3 moments;
    Quat axes;
    principal_axes(m, moments, axes);
    CHECK(moments[0] == Approx(3 * scale));
    CHECK(moments[1] == Approx(2 * scale));
    CHECK(moments[2] == Approx(1 * scale));
    const Mat3 rebuilt = rotated(axes, moments);
    for (int i = 0; i < 9; i++) {
      CHECK(rebuilt[i] == Approx(m[i]).margin(1e-6 * scale));
    }
  }
}

TEST_CASE("equal moments leave the axes alone", "[mesh]") {
  Vec3 moments;
  Quat axes;
  principal_axes({2, 0, 0, 0, 2, 0, 0, 0, 2}, moments, axes);
  CHECK(axes == Quat{1, 0, 0, 0});
  principal_axes({0, 0, 0, 0, 0, 0, 0, 0, 0}, moments, axes);
  CHECK(axes == Quat{1, 0, 0, 0});
}

TEST_CASE("a tetrahedron has a fourth of its height below the centre", "[mesh]") {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Triangle> faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const MassProperties mass =
      mass_properties(mesh_spec(), InertiaMode::exact, points, faces, faces);
  CHECK(mass.mass == Approx(1. / 6));
  for (const double x : mass.center) {
    CHECK(x == Approx(0.25));
  }
  // about the centre: ∫x² = 1/60 − 1/6 · 1/16 = 1/160, ∫xy = 1/120 − 1/96 = −1/480; so the matrix
  // is 1/80 on the diagonal and 1/480 off it, with the eigenvalues 1/80 + 2/480 along (1, 1, 1) and
  // 1/80 − 1/480 twice
  CHECK(mass.inertia[0] == Approx(1. / 80 + 2. / 480));
  CHECK(mass.inertia[1] == Approx(1. / 80 - 1. / 480));
  CHECK(mass.inertia[2] == Approx(1. / 80 - 1. / 480));
}

}  // namespace
}  // namespace mjjit
