#include "mjcf/read_helper.h"

using namespace mjjit;

namespace {

constexpr const char* kBody =
    "<worldbody><body name=\"b\"><joint name=\"j\"/><geom size=\"1\"/><site "
    "name=\"s\"/></body></worldbody>";

SpecActuator read_one(const std::string& element, const std::string& defaults = "") {
  return read_scene("<default>" + defaults + "</default>" + kBody + "<actuator>" + element +
                    "</actuator>")
      .actuators.at(0);
}

std::string complain(const std::string& element) {
  return complaint(std::string(kBody) + "<actuator>" + element + "</actuator>");
}

}  // namespace

// expected values: MuJoCo 4.0.0
TEST_CASE("shortcuts fill the parameters of a general actuator", "[mjcf]") {
  const SpecActuator position = read_one(R"(<position joint="j" kp="3" kv="2" timeconst="0.1"/>)");
  CHECK(position.dyntype == 3);
  CHECK(position.dynprm[0] == 0.1);
  CHECK(position.gainprm[0] == 3);
  CHECK(position.biastype == 1);
  CHECK(position.biasprm[1] == -3);
  CHECK(position.biasprm[2] == -2);

  const SpecActuator velocity = read_one(R"(<velocity joint="j" kv="3"/>)");
  CHECK(velocity.gainprm[0] == 3);
  CHECK(velocity.biasprm[2] == -3);

  const SpecActuator intvelocity = read_one(R"(<intvelocity joint="j" kp="4" actrange="-1 1"/>)");
  CHECK(intvelocity.dyntype == 1);
  CHECK(intvelocity.biasprm[1] == -4);

  const SpecActuator damper = read_one(R"(<damper joint="j" kv="3" ctrlrange="0 1"/>)");
  CHECK(damper.gaintype == 1);
  CHECK(damper.gainprm[0] == 0);
  CHECK(damper.gainprm[2] == -3);
  CHECK(damper.ctrllimited == Tristate::yes);

  const SpecActuator cylinder =
      read_one(R"(<cylinder joint="j" timeconst="2" bias="1 2 3" diameter="1"/>)");
  CHECK(cylinder.dyntype == 2);
  CHECK(cylinder.dynprm[0] == 2);
  CHECK(cylinder.gainprm[0] == Approx(std::acos(-1) / 4));
  CHECK(cylinder.biasprm[2] == 3);

  const SpecActuator muscle =
      read_one(R"(<muscle joint="j" range="0.5 1" timeconst="0.2 0.3" force="5"/>)");
  CHECK(muscle.dyntype == 4);
  CHECK(muscle.dynprm[1] == 0.3);
  CHECK(muscle.gainprm == std::array<double, 10>{0.5, 1, 5, 200, 0.5, 1.6, 1.5, 1.3, 1.2, 0});
  CHECK(muscle.biasprm == muscle.gainprm);
}

TEST_CASE("a damping ratio is a positive bias, for the model compiler", "[mjcf]") {
  const SpecActuator a = read_one(R"(<position joint="j" kp="3" dampratio="1"/>)");
  CHECK(a.biasprm[2] == 1);
  CHECK(a.dampratio == 1.0);
  CHECK_FALSE(
      read_one(R"(<position joint="j" kv="1"/>)", R"(<position dampratio="2"/>)").dampratio);
}

TEST_CASE("a shortcut inherits its own parameters, and only common attributes of others",
          "[mjcf]") {
  CHECK(read_one(R"(<position joint="j"/>)", R"(<position kp="10" kv="2"/>)").biasprm[2] == -2);
  const SpecActuator other = read_one(R"(<position joint="j"/>)", R"(<velocity kv="9" gear="3"/>)");
  CHECK(other.gainprm[0] == 1);
  CHECK(other.gear[0] == 3);
  const SpecActuator general = read_one(R"(<general joint="j"/>)", R"(<position kp="10" kv="2"/>)");
  CHECK(general.biasprm[1] == -10);
}

TEST_CASE("a shortcut takes from <general> what means something to it", "[mjcf]") {
  const std::string general =
      R"(<general gainprm="7" biastype="affine" biasprm="1 2 -3" dyntype="filter" dynprm="9"/>)";
  const SpecActuator position = read_one(R"(<position joint="j"/>)", general);
  CHECK(position.gainprm[0] == 7);
  CHECK(position.biasprm[0] == 0);
  CHECK(position.biasprm[1] == -7);
  CHECK(position.biasprm[2] == -3);
  CHECK(position.dyntype == 0);
  CHECK(position.dynprm[0] == 1);
  CHECK(read_one(R"(<cylinder joint="j"/>)", general).biasprm[0] == 1);
  CHECK(read_one(R"(<damper joint="j" ctrlrange="0 1"/>)", general).gainprm[2] == 0);
}

TEST_CASE("behind a class with another shortcut, the class around it counts", "[mjcf]") {
  const std::string classes =
      R"(<position kp="10"/><default class="c"><motor gear="3"/></default>)";
  const SpecActuator position = read_one(R"(<position joint="j" class="c"/>)", classes);
  CHECK(position.gainprm[0] == 10);
  CHECK(position.gear[0] == 3);
  CHECK(read_one(R"(<general joint="j" class="c"/>)", classes).gainprm[0] == 1);
  // in one class the later shortcut takes the place of the earlier one
  CHECK(
      read_one(R"(<position joint="j"/>)", R"(<position kp="10"/><motor gear="2"/>)").gainprm[0] ==
      1);
}

TEST_CASE("an actuator acts on one thing, with what belongs to it", "[mjcf]") {
  CHECK(read_one(R"(<motor cranksite="s" slidersite="s" cranklength="1"/>)").trntype == 2);
  CHECK(read_one(R"(<motor site="s" refsite="s"/>)").trntype == 4);
  CHECK_THAT(complain("<motor/>"), ContainsSubstring("it acts on nothing"));
  CHECK_THAT(complain(R"(<motor joint="j" site="s"/>)"),
             ContainsSubstring("only one of the attributes joint and site"));
  CHECK_THAT(complain(R"(<motor joint="j" refsite="s"/>)"), ContainsSubstring("refsite needs"));
  CHECK_THAT(complain(R"(<motor cranksite="s" cranklength="1"/>)"),
             ContainsSubstring("'slidersite' is missing"));
  CHECK_THAT(complain(R"(<position joint="j" kv="1" dampratio="1"/>)"),
             ContainsSubstring("kv and dampratio"));
  CHECK_THAT(complain(R"(<position joint="j" kv="-1"/>)"),
             ContainsSubstring("must not be negative"));
  CHECK_THAT(complain(R"(<position joint="j" ctrlrange="0 1" inheritrange="1"/>)"),
             ContainsSubstring("inheritrange"));
}
