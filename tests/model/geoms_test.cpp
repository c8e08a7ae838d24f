#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

TEST_CASE("fromto gives a capsule its place, direction and half length", "[geoms]") {
  const Model m = compile_text(scene("<geom type='capsule' fromto='1 0 0 1 0 4' size='.5'/>"));
  check_close(m.geom_pos, {1, 0, 2});
  check_close(row_of(m.geom_size, 0, 3), {0.5, 2, 0});
  check_close(m.geom_quat, {0, 1, 0, 0});  // from minus to points down: half a turn about x
  CHECK(m.geom_rbound[0] == 2.5);
}

TEST_CASE("a box by fromto is as wide as it is thick", "[geoms]") {
  const Model m = compile_text(scene("<geom type='box' fromto='0 0 0 0 0 2' size='.25'/>"));
  check_close(m.geom_size, {0.25, 0.25, 1});
}

TEST_CASE("the roll about fromto is fixed in the frame around it", "[geoms]") {
  const Model m =
      compile_text(scene("<frame euler='0 0 90' pos='0 0 1'><geom type='capsule' fromto='0 0 0 1 2 "
                         "3' size='.1'/></frame>"));
  check_close(m.geom_quat, {0.22260743, 0.90044582, 0.30014861, 0.22260743}, 1e-8);  // MuJoCo 4.0.0
  check_close(m.geom_pos, {-1, 0.5, 2.5});
}

TEST_CASE("bounds hold the geom: sphere, capsule, cylinder, ellipsoid, box", "[geoms]") {
  const Model m = compile_text(
      scene(R"(<geom size="2"/><geom type="capsule" size="1 2"/><geom type="cylinder" size="3 4"/>
    <geom type="ellipsoid" size="1 2 3"/><geom type="box" size="1 2 2"/><geom type="plane" size="1 1 1"/>)"));
  check_close(m.geom_rbound, {2, 3, 5, 3, 3, 0});
  check_close(row_of(m.geom_aabb, 1, 6), {0, 0, 0, 1, 1, 3});
  check_close(row_of(m.geom_aabb, 5, 6), {0, 0, -5e9, 1e10, 1e10, 5e9});
}

TEST_CASE("a primitive with a mesh is fitted to the mesh's inertia", "[geoms]") {
  const Model m = compile_text(
      R"(<mujoco><asset><mesh name="brick" vertex="-1 -2 -3 1 -2 -3 -1 2 -3 1 2 -3 -1 -2 3 1 -2 3
    -1 2 3 1 2 3"/></asset><worldbody><geom type="sphere" mesh="brick"/><geom type="mesh" mesh="brick"/></worldbody></mujoco>)");
  CHECK(m.geom_dataid == std::vector<int>{-1, 0});
  CHECK(m.geom_size[0] == Approx(2));                  // mean half side
  CHECK(m.geom_rbound[1] == Approx(std::sqrt(14.0)));  // half diagonal
}

TEST_CASE("the fluid coefficients of a sphere are those of theory", "[geoms]") {
  const Model m =
      compile_text(scene("<geom size='1' fluidshape='ellipsoid' fluidcoef='.1 .2 .3 .4 .5'/>"));
  check_close(row_of(m.geom_fluid, 0, 6), {1, 0.1, 0.2, 0.3, 0.4, 0.5});
  // a sphere drags half of the displaced mass along and turns without any
  CHECK(m.geom_fluid[6] == Approx(0.5 * 4.0 / 3 * M_PI).epsilon(1e-6));
  CHECK(m.geom_fluid[9] == Approx(0).margin(1e-12));
}

TEST_CASE("the fluid coefficients of a box are those of the ellipsoid in it", "[geoms]") {
  const Model m = compile_text(scene("<geom type='box' size='1 2 3' fluidshape='ellipsoid'/>"));
  // MuJoCo 4.0.0
  check_close(row_of(m.geom_fluid, 0, 12).subspan(6),
              {34.21892335, 9.16196969, 4.6560013, 3.91419015, 35.59983763, 9.63256192}, 1e-7);
}

TEST_CASE("geoms that cannot be are errors that name geom and attribute", "[geoms]") {
  const auto error = [](const std::string& geom) { return compile_error(scene("\n" + geom)); };
  CHECK_THAT(error("<geom name='g' size='0'/>"),
             ContainsSubstring("scene.xml:4: geom 'g': size[0]"));
  CHECK_THAT(error("<geom name='g' type='plane' size='1 1 0'/>"), ContainsSubstring("size[2]"));
  CHECK_THAT(error("<geom name='g' size='1' condim='2'/>"), ContainsSubstring("condim"));
  CHECK_THAT(error("<geom name='g' size='1' mass='-1'/>"), ContainsSubstring("mass"));
  CHECK_THAT(error("<geom name='g' size='1' density='-1'/>"), ContainsSubstring("density"));
  CHECK_THAT(error("<geom name='g' size='1' fromto='0 0 0 1 0 0'/>"), ContainsSubstring("fromto"));
  CHECK_THAT(error("<geom name='g' type='capsule' size='1' fromto='0 0 0 0 0 0'/>"),
             ContainsSubstring("fromto"));
  CHECK_THAT(error("<geom name='g' type='mesh'/>"), ContainsSubstring("mesh"));
  CHECK_THAT(error("<geom name='g' type='mesh' mesh='foot'/>"), ContainsSubstring("foot"));
  CHECK_THAT(error("<geom name='g' type='hfield'/>"), ContainsSubstring("hfield"));
  CHECK_THAT(
      error("<body><joint/><geom size='1'/><geom name='g' type='plane' size='1 1 1'/></body>"),
      ContainsSubstring("plane"));
}

TEST_CASE("sites are normalised and have sizes of their kind", "[geoms]") {
  const Model m = compile_text(scene("<site pos='1 2 3' quat='0 0 2 0'/>"));
  check_close(m.site_quat, {0, 0, 1, 0});
  check_close(m.site_pos, {1, 2, 3});
  CHECK_THAT(compile_error(scene("<site name='s' size='-1'/>")), ContainsSubstring("'s'"));
}

}  // namespace
}  // namespace mjjit
