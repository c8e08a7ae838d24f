#include "catch.h"
#include "kernels/scenes.h"

namespace {

void check_smooth(const Reference& run) {
  for (const char* field : {"d.xpos",
                            "d.xquat",
                            "d.xmat",
                            "d.xipos",
                            "d.geom_xpos",
                            "d.site_xpos",
                            "d.subtree_com",
                            "d.cdof",
                            "d.cinert",
                            "d.crb",
                            "d.cvel",
                            "d.qM_dense",
                            "d.qfrc_bias",
                            "d.qfrc_passive",
                            "d.qfrc_spring",
                            "d.qfrc_damper",
                            "d.qfrc_gravcomp",
                            "d.qfrc_fluid",
                            "d.actuator_length",
                            "d.actuator_velocity",
                            "d.actuator_force",
                            "d.act_dot",
                            "d.qfrc_actuator",
                            "d.qfrc_smooth",
                            "d.qacc_smooth"}) {
    INFO(field);
    CHECK(run.error(field) <= 1);
  }
}

}  // namespace

TEST_CASE("smooth dynamics of one tree are MuJoCo's", "[kernels]") {
  check_smooth(reference("humanoid"));
}

TEST_CASE("smooth dynamics of three trees are MuJoCo's", "[kernels]") {
  check_smooth(reference("three_humanoids"));
}

TEST_CASE("smooth dynamics of every joint kind, actuator and spring are MuJoCo's", "[kernels]") {
  check_smooth(reference("mixed"));
}

TEST_CASE("forces of a medium on ellipsoids and boxes are MuJoCo's", "[kernels]") {
  check_smooth(reference("swim"));
}
