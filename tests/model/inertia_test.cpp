#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

Model one_body(const std::string& content, const std::string& compiler = "") {
  return compile_text("<mujoco>" + compiler + "<worldbody><body><freejoint/>" + content +
                      "</body></worldbody></mujoco>");
}

TEST_CASE("one geom gives its body its mass, frame and inertia", "[inertia]") {
  const Model m = one_body("<geom type='box' size='1 2 3' pos='1 0 0' quat='0 1 0 0' mass='6'/>");
  CHECK(m.body_mass[1] == 6);
  check_close(row_of(m.body_ipos, 1, 3), {1, 0, 0});
  check_close(row_of(m.body_iquat, 1, 4), {0, 1, 0, 0});
  check_close(row_of(m.body_inertia, 1, 3),
              {6 * (4 + 9) / 3.0, 6 * (1 + 9) / 3.0, 6 * (1 + 4) / 3.0});
}

TEST_CASE("several geoms add up about their common centre of mass", "[inertia]") {
  // point-like spheres of 1 and 3 kg, 4 m apart: the centre is 3 m from the light one
  const Model m = one_body("<geom size='1e-4' mass='1'/><geom size='1e-4' mass='3' pos='4 0 0'/>");
  CHECK(m.body_mass[1] == 4);
  check_close(row_of(m.body_ipos, 1, 3), {3, 0, 0});
  const double moment = 1 * 9 + 3 * 1;
  CHECK(m.body_inertia[3] == Approx(moment));
  CHECK(m.body_inertia[4] == Approx(moment));
  CHECK(m.body_inertia[5] == Approx(0).margin(1e-6));
}

TEST_CASE("a solid's volume times the density is its mass", "[inertia]") {
  const auto mass = [](const std::string& geom) {
    return one_body("<geom density='1' " + geom + "/>").body_mass[1];
  };
  CHECK(mass("size='2'") == Approx(4.0 / 3 * M_PI * 8));
  CHECK(mass("type='capsule' size='1 2'") == Approx(4 * M_PI + 4.0 / 3 * M_PI));
  CHECK(mass("type='cylinder' size='1 2'") == Approx(4 * M_PI));
  CHECK(mass("type='ellipsoid' size='1 2 3'") == Approx(8 * M_PI));
  CHECK(mass("type='box' size='1 2 3'") == Approx(48));
}

TEST_CASE("a shell has its mass on its surface", "[inertia]") {
  const auto of = [](const std::string& geom) {
    return one_body("<geom density='1' shellinertia='true' " + geom + "/>");
  };
  CHECK(of("size='2'").body_mass[1] == Approx(16 * M_PI));
  CHECK(of("size='2' mass='1'").body_inertia[3] == Approx(2.0 / 3 * 4));
  CHECK(of("type='box' size='1 2 3'").body_mass[1] == Approx(2 * (8 + 12 + 24)));
  // a cube of half side 1: two plates a face direction, m/6 each, side 2: 4 (m/6)(4/12 + 1) + 2
  // (m/6)(8/12)
  CHECK(of("type='box' size='1 1 1' mass='6'").body_inertia[3] ==
        Approx(4 * (4.0 / 12 + 1) + 2 * 8.0 / 12));
  CHECK(of("type='cylinder' size='1 1'").body_mass[1] == Approx(2 * M_PI + 4 * M_PI));
}

TEST_CASE("groups outside inertiagrouprange weigh nothing", "[inertia]") {
  const Model m =
      one_body("<geom size='1' mass='1' group='0'/><geom size='1' mass='5' group='3' pos='1 0 0'/>",
               "<compiler inertiagrouprange='0 2'/>");
  CHECK(m.body_mass[1] == 1);
}

TEST_CASE("an inertial element replaces the geoms unless inertiafromgeom is true", "[inertia]") {
  const std::string content =
      "<inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/><geom size='1' mass='2'/>";
  CHECK(one_body(content).body_mass[1] == 7);
  CHECK(one_body(content, "<compiler inertiafromgeom='true'/>").body_mass[1] == 2);
}

TEST_CASE("a full inertia is turned to its principal axes, largest moment first", "[inertia]") {
  // xx = yy = 2, xy = 1: moments 3 and 1 along the diagonals of the xy plane, and 2.5
  const Model m = one_body("<inertial pos='0 0 0' mass='1' fullinertia='2 2 2.5 1 0 0'/>");
  check_close(row_of(m.body_inertia, 1, 3), {3, 2.5, 1});
}

TEST_CASE("a diagonal inertia in decreasing order keeps the axes", "[inertia]") {
  const Model m = one_body("<inertial pos='0 0 0' mass='1' fullinertia='3 2 1.5 0 0 0'/>");
  check_close(row_of(m.body_iquat, 1, 4), {1, 0, 0, 0});
}

TEST_CASE("balanceinertia replaces impossible moments by their mean", "[inertia]") {
  const std::string content = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/>";
  check_close(row_of(one_body(content, "<compiler balanceinertia='true'/>").body_inertia, 1, 3),
              {2, 2, 2});
  const std::string error = compile_error(scene("<body name='link'>" + content + "</body>"));
  CHECK_THAT(error, ContainsSubstring("link"));
  CHECK_THAT(error, ContainsSubstring("balanceinertia"));
}

TEST_CASE("boundmass and boundinertia lift what is too small", "[inertia]") {
  const Model m =
      one_body("<geom size='1' mass='0'/>", "<compiler boundmass='.5' boundinertia='.1'/>");
  CHECK(m.body_mass[1] == 0.5);
  check_close(row_of(m.body_inertia, 1, 3), {0.1, 0.1, 0.1});
}

TEST_CASE("settotalmass scales masses and moments", "[inertia]") {
  const Model m = one_body("<geom size='1' mass='2'/>", "<compiler settotalmass='5'/>");
  CHECK(m.body_mass[1] == Approx(5));
  CHECK(m.body_inertia[3] == Approx(0.4 * 5));
}

TEST_CASE("an aligned free body has its frame at its centre of mass", "[inertia]") {
  const Model m =
      compile_text(scene("<body pos='0 0 1'><freejoint align='true'/><geom size='1' pos='1 2 3'/>"
                         "<site pos='1 0 0'/></body>"));
  check_close(row_of(m.body_pos, 1, 3), {1, 2, 4});
  check_close(row_of(m.body_ipos, 1, 3), {0, 0, 0});
  check_close(m.geom_pos, {0, 0, 0});
  check_close(m.site_pos, {0, -2, -3});
  check_close(row_of(m.qpos0, 0, 3), {1, 2, 4});
}

TEST_CASE("a moving body without mass is an error, unless something welded to it has mass",
          "[inertia]") {
  const std::string error = compile_error(scene("\n<body name='ghost'><joint/></body>"));
  CHECK_THAT(error, ContainsSubstring("scene.xml:4: body 'ghost'"));
  CHECK_THAT(error, ContainsSubstring("mass"));
  CHECK(compile_error(scene("<body><joint/><body><geom size='1'/></body></body>")).empty());
}

TEST_CASE("a negative or indefinite inertia is an error that names the body", "[inertia]") {
  CHECK_THAT(
      compile_error(scene(
          "<body name='b'><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 0 0'/></body>")),
      ContainsSubstring("'b'"));
  CHECK_THAT(compile_error(scene(
                 "<body name='b'><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body>")),
             ContainsSubstring("mass"));
}

}  // namespace
}  // namespace mjjit
