#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

const char* kWorld =
    R"(<body name="a"><joint name="h" range="0 1"/><joint name="free_turn" axis="1 0 0"/>
  <geom name="g" size="1"/><site name="s"/><camera name="c"/></body>
  <body name="b"><joint name="ball" type="ball"/><geom size="1"/></body>)";

std::string with(const std::string& sensors) {
  return scene(kWorld,
               "<actuator><motor name='m' joint='h'/></actuator><sensor>" + sensors + "</sensor>");
}

TEST_CASE("sensors have MuJoCo's types, objects, dimensions and addresses", "[sensors]") {
  const Model m = compile_text(
      with(R"(<touch site="s"/><gyro site="s" noise=".1" cutoff="2"/><jointpos joint="h"/>
    <framequat objtype="xbody" objname="b" reftype="camera" refname="c"/><actuatorfrc actuator="m"/><clock/>)"));
  CHECK(m.sensor_type == std::vector<int>{0, 3, 9, 27, 15, 45});
  CHECK(m.sensor_objtype == std::vector<int>{6, 6, 3, 2, 19, 0});
  CHECK(m.sensor_objid == std::vector<int>{0, 0, 0, 2, 0, -1});
  CHECK(m.sensor_reftype == std::vector<int>{0, 0, 0, 7, 0, 0});
  CHECK(m.sensor_dim == std::vector<int>{1, 3, 1, 4, 1, 1});
  CHECK(m.sensor_adr == std::vector<int>{0, 1, 4, 5, 9, 10});
  CHECK(m.nsensordata == 11);
}

TEST_CASE("a distance is between two different things", "[sensors]") {
  for (const char* tag : {"distance", "normal", "fromto"}) {
    CHECK_THAT(compile_error(with(fmt::format("<{} name='d' geom1='g' geom2='g'/>", tag))),
               ContainsSubstring(fmt::format("{} 'd': must be attached to two different", tag)));
    CHECK_THAT(compile_error(with(fmt::format("<{} body1='a' body2='a'/>", tag))),
               ContainsSubstring("two different bodies or geoms"));
    CHECK(compile_error(with(fmt::format("<{} geom1='g' body2='a'/>", tag))).empty());
  }
}

TEST_CASE("a scene with sensors says that they are not computed", "[sensors]") {
  const Model m = compile_text(with("<touch site='s'/>"));
  REQUIRE(m.warnings.size() == 1);
  CHECK_THAT(m.warnings[0], ContainsSubstring("the scene has 1 sensor: read and checked"));
  CHECK(compile_text(scene(kWorld)).warnings.empty());
}

TEST_CASE("sensors on the wrong thing are errors that name them", "[sensors]") {
  CHECK_THAT(compile_error(with("<jointpos name='p' joint='ball'/>")),
             ContainsSubstring("jointpos 'p'"));
  CHECK_THAT(compile_error(with("<ballquat name='p' joint='h'/>")),
             ContainsSubstring("ball joint"));
  CHECK_THAT(compile_error(with("<jointlimitfrc name='p' joint='free_turn'/>")),
             ContainsSubstring("limits"));
  CHECK_THAT(compile_error(with("<touch name='p' site='nope'/>")), ContainsSubstring("nope"));
  CHECK_THAT(compile_error(with("<framequat name='p' objtype='body' objname='b' cutoff='1'/>")),
             ContainsSubstring("cutoff"));
  CHECK_THAT(compile_error(with("<touch name='p' site='s' noise='-1'/>")),
             ContainsSubstring("touch 'p': noise is -1, must not be negative"));
  CHECK_THAT(compile_error(with("<user dim='40000000'/><user dim='40000000'/>")),
             ContainsSubstring("more than 67108864 values"));
}

}  // namespace
}  // namespace mjjit
