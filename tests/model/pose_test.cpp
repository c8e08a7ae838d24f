#include "model/pose.h"

#include <cmath>

#include "catch.h"

namespace mjjit {
namespace {

void check_vec(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; i++) {
    CHECK(a[i] == Approx(b[i]).margin(1e-12));
  }
}

TEST_CASE("a rotation by a quarter turn about z takes x to y", "[pose]") {
  const double h = std::sqrt(0.5);
  check_vec(rotate({h, 0, 0, h}, {1, 0, 0}), {0, 1, 0});
}

TEST_CASE("a pose after its inverse is nothing", "[pose]") {
  Pose pose = {{1, 2, 3}, {1, 2, 3, 4}};
  normalize(pose.quat);
  const Pose none = compose(inverse(pose), pose);
  check_vec(none.pos, {0, 0, 0});
  CHECK(none.quat[0] == Approx(1));
}

TEST_CASE("the shortest rotation from z reaches any direction", "[pose]") {
  for (Vec3 direction : {Vec3{1, 2, 3}, Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{-1, 0, 0}}) {
    normalize(direction);
    check_vec(rotate(from_z_to(direction), {0, 0, 1}), direction);
  }
}

TEST_CASE("principal axes give back the tensor to full precision at any scale", "[pose]") {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    const std::array<double, 6> full = {5 * scale,   4 * scale,    3 * scale,
                                        0.3 * scale, -0.7 * scale, 0.9 * scale};
    const Principal axes = principal_axes(full);
    CHECK(axes.moments[0] >= axes.moments[1]);
    CHECK(axes.moments[1] >= axes.moments[2]);
    const auto back = rotated_inertia(axes.moments, axes.quat);
    for (int i = 0; i < 6; i++) {
      CHECK(std::abs(back[i] - full[i]) < 1e-13 * scale * 10);
    }
  }
}

TEST_CASE("vectors too short to have a direction are left alone", "[pose]") {
  Vec3 v = {1e-9, 0, 0};
  CHECK(normalize(v) == 0);
  CHECK(v[0] == 1e-9);
}

}  // namespace
}  // namespace mjjit
