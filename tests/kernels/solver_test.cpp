#include "catch.h"
#include "kernels/scenes.h"

namespace {

// forces and accelerations solve a system whose condition costs two digits
void check_solution(Reference run) {
  run.rtol *= 100;
  run.atol *= 100;
  for (const char* field : {"d.qacc", "d.qfrc_constraint", "d.efc_force"}) {
    INFO(field);
    CHECK(run.error(field) <= 1);
  }
}

}  // namespace

TEST_CASE("the solution of one tree is MuJoCo's", "[kernels]") {
  check_solution(reference("humanoid"));
}

TEST_CASE("the solution of three trees is MuJoCo's", "[kernels]") {
  check_solution(reference("three_humanoids"));
}

TEST_CASE("the solution of coupled trees with elliptic cones is MuJoCo's", "[kernels]") {
  check_solution(reference("mixed"));
}

TEST_CASE("conjugate gradients take MuJoCo's steps over islands of several trees", "[kernels]") {
  Reference run = reference("pile");
  check_solution(run);
  CHECK(run.iteration_error() <= 1);  // 11 to 37; a wrong preconditioner takes many more
}

TEST_CASE("the solution in single precision is near MuJoCo's", "[kernels]") {
  check_solution(reference("humanoid", "float"));
}

// stiff rows: D (J qacc - aref) in float is off by far more than M qacc, which it balances
TEST_CASE("constraint forces in single precision are as good as the acceleration", "[kernels]") {
  Reference run = reference("pinch", "float");
  run.rtol /= 10;
  CHECK(run.error("d.qfrc_constraint") <= 1);
  CHECK(run.trajectory_error("traj.qvel") <= 1);
}
