#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

// a rod of 1 kg, 2 m long, on a hinge at one end: 4/3 kg m^2
const char* kRod = R"(
  <body><joint name="j" axis="0 1 0" range="-90 90" ref="30"/>
    <inertial pos="1 0 0" mass="1" diaginertia="0.001 0.3333333333333333 0.3333333333333333"/></body>
  <body pos="0 3 0" euler="0 0 90"><freejoint name="free"/><geom name="g" size="1" mass="2"/></body>)";

Model with(const std::string& actuators, const std::string& rest = "") {
  return compile_text(scene(kRod, "<actuator>" + actuators + "</actuator>" + rest));
}

std::string error_of(const std::string& actuators) {
  return compile_error(scene(kRod, "<actuator>" + actuators + "</actuator>"));
}

TEST_CASE("a unit force accelerates by the inverse inertia", "[actuators]") {
  const Model m = with("<motor joint='j' gear='4'/>");
  CHECK(m.actuator_acc0[0] == Approx(4 / (4.0 / 3)));
  CHECK(m.actuator_length0[0] == Approx(4 * M_PI / 6));
}

TEST_CASE("a damping ratio becomes damping for the inertia that the transmission sees",
          "[actuators]") {
  const Model m = with("<position joint='j' kp='10' dampratio='.5' gear='2'/>");
  check_close(row_of(m.actuator_biasprm, 0, 10).first(3),
              {0, -10, -0.5 * 2 * std::sqrt(10 * (4.0 / 3) / 4)});
}

TEST_CASE("a torque in the parent's axes is turned into those of a free body", "[actuators]") {
  const Model m = with("<general jointinparent='free' gear='0 0 0 1 0 0'/>");
  CHECK(m.actuator_acc0[0] == Approx(1 / (0.4 * 2)));
  CHECK(m.actuator_trntype[0] == 1);
}

TEST_CASE("a time constant makes a position servo a filtered one", "[actuators]") {
  const Model m = with(
      "<position joint='j' timeconst='.3'/><position joint='j' timeconst='0'/><motor joint='j'/>");
  CHECK(m.actuator_dyntype == std::vector<int>{3, 0, 0});
  CHECK(m.actuator_dynprm[0] == 0.3);
  CHECK(m.actuator_actadr == std::vector<int>{0, -1, -1});
  CHECK(m.na == 1);
  CHECK(m.nu == 3);
}

TEST_CASE("inheritrange takes the range of the joint about its middle", "[actuators]") {
  const Model m =
      with("<position joint='j' inheritrange='.5'/><intvelocity joint='j' inheritrange='1'/>");
  check_close(row_of(m.actuator_ctrlrange, 0, 2), {-M_PI / 4, M_PI / 4});
  check_close(row_of(m.actuator_actrange, 1, 2), {-M_PI / 2, M_PI / 2});
  CHECK(m.actuator_ctrllimited == std::vector<int>{1, 0});
  CHECK(m.actuator_actlimited == std::vector<int>{0, 1});
}

TEST_CASE("actuators of a disabled group are marked", "[actuators]") {
  const Model m =
      with("<motor joint='j' group='2'/><motor joint='j'/>", "<option actuatorgroupdisable='2'/>");
  CHECK(m.actuator_disabled == std::vector<int>{1, 0});
}

TEST_CASE("actuators that cannot be are errors that name them", "[actuators]") {
  CHECK_THAT(error_of("<motor name='m' joint='nope'/>"), ContainsSubstring("nope"));
  CHECK_THAT(error_of("<motor name='m' joint='j' ctrlrange='1 -1' ctrllimited='true'/>"),
             ContainsSubstring("ctrlrange"));
  CHECK_THAT(error_of("<motor name='m' joint='j' actrange='0 1'/>"), ContainsSubstring("'m'"));
  CHECK_THAT(error_of("<position name='m' joint='free' inheritrange='1'/>"),
             ContainsSubstring("inheritrange"));
  CHECK_THAT(error_of("<general name='m' joint='j' actdim='1'/>"), ContainsSubstring("actdim"));
}

TEST_CASE("a transmission that is not supported is an error that names it", "[actuators]") {
  const std::string rest = "<actuator><adhesion name='grip' body='a' ctrlrange='0 1'/></actuator>";
  const std::string world = "<body name='a'><joint/><geom size='1'/></body>";
  CHECK_THAT(compile_error(scene(world, rest)), ContainsSubstring("body"));
}

TEST_CASE("an ignored actuator keeps its place and makes no force", "[actuators]") {
  const Spec spec =
      read_mjcf_text(scene("<body name='a'><joint name='j'/><geom size='1'/></body>", R"(<actuator>
    <adhesion name="grip" body="a" ctrlrange="0 1"/><motor joint="j"/></actuator>
    <keyframe><key ctrl=".5 1"/></keyframe>)"));
  const Model m = compile(spec, true);
  CHECK(m.nu == 2);
  check_close(row_of(m.actuator_gear, 0, 6), std::vector<double>(6));
  CHECK(m.actuator_trnid[0] == 0);
  REQUIRE(m.warnings.size() == 1);
  CHECK_THAT(m.warnings[0], ContainsSubstring("'grip'"));
}

TEST_CASE("muscles on joints need a length range", "[actuators]") {
  CHECK_THAT(error_of("<muscle joint='j'/>"), ContainsSubstring("lengthrange"));
  const Model m = with("<muscle joint='j' lengthrange='-1 1'/>");
  CHECK(m.na == 1);
  check_close(row_of(m.actuator_lengthrange, 0, 2), {-1, 1});
}

TEST_CASE("a class's position servo leaves no time constant or damping ratio to other actuators",
          "[actuators]") {
  const auto compiled = [](const std::string& actuator) {
    return compile_text(scene("<body><joint name='j'/><geom size='.1'/></body>",
                              "<default><position timeconst='40' dampratio='1'/></default>"
                              "<actuator>" +
                                  actuator + "</actuator>"));
  };
  // MuJoCo 4.0.0's values
  const Model motor = compiled("<motor joint='j'/>");
  CHECK(motor.actuator_dynprm[0] == 1);
  CHECK(motor.actuator_dyntype[0] == 0);
  CHECK(compiled("<velocity joint='j'/>").actuator_biasprm[2] == -1);
  CHECK(compiled("<velocity joint='j'/>").actuator_dynprm[0] == 1);
  CHECK(compiled("<cylinder joint='j'/>").actuator_dynprm[0] == 1);
  const Model muscle = compiled("<muscle joint='j' lengthrange='0 1'/>");
  CHECK(muscle.actuator_dynprm[0] == 0.01);
  CHECK(muscle.actuator_dynprm[1] == 0.04);
  const Model general = compiled("<general joint='j' dynprm='5' biasprm='0 -1 -3'/>");
  CHECK(general.actuator_dyntype[0] == 3);
  CHECK(general.actuator_dynprm[0] == 5);
  CHECK(general.actuator_biasprm[2] == -3);
  CHECK(compiled("<position joint='j'/>").actuator_dynprm[0] == 40);
}

}  // namespace
}  // namespace mjjit
