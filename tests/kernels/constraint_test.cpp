#include "catch.h"
#include "kernels/scenes.h"

namespace {

void check_rows(const Reference& run) {
  for (const char* field :
       {"d.efc_type", "d.efc_J_dense", "d.efc_pos", "d.efc_margin", "d.efc_frictionloss",
        "d.efc_diagA", "d.efc_KBIP", "d.efc_D", "d.efc_R", "d.efc_aref"}) {
    INFO(field);
    CHECK(run.error(field) <= 1);
  }
}

}  // namespace

TEST_CASE("rows of pyramidal contacts are MuJoCo's", "[kernels]") {
  check_rows(reference("humanoid"));
}

TEST_CASE(
    "rows of elliptic contacts of every condim, equalities, friction loss and limits are MuJoCo's",
    "[kernels]") {
  check_rows(reference("mixed"));
}

TEST_CASE("rows of joint equalities and friction loss of two arms are MuJoCo's", "[kernels]") {
  check_rows(reference("aloha_pot"));
}
