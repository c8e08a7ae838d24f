#include "catch.h"
#include "kernels/scenes.h"

namespace {

void check_trajectory(const Reference& run) {
  CHECK(run.trajectory_error("traj.qpos") <= 1);
  CHECK(run.trajectory_error("traj.qvel") <= 1);
}

}  // namespace

TEST_CASE("50 Euler steps of a humanoid are MuJoCo's", "[kernels]") {
  check_trajectory(reference("humanoid"));
}

TEST_CASE("20 Euler steps with implicit damping of two arms and a pot are MuJoCo's", "[kernels]") {
  check_trajectory(reference("aloha_pot"));
}

TEST_CASE("20 steps of three humanoids are MuJoCo's", "[kernels]") {
  check_trajectory(reference("three_humanoids"));
}

TEST_CASE("5 implicitfast steps of every kind of joint and contact are near MuJoCo's",
          "[kernels]") {
  Reference run = reference("mixed");
  run.rtol *= 100;  // several of its contacts sit on edges, where either side of rounding takes
                    // another corner
  check_trajectory(run);
}

TEST_CASE("20 Runge-Kutta steps in a medium are MuJoCo's", "[kernels]") {
  check_trajectory(reference("swim"));
}
