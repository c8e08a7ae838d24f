#include <map>

#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

using Ids = std::vector<int>;

TEST_CASE("pairs are sorted by the ids of their bodies, the lower body first", "[pairs]") {
  const Model m =
      compile_text(scene("<geom name='g0' size='1'/><body><joint/><geom name='g1' "
                         "size='1'/></body><body><joint/><geom name='g2' size='1'/></body>",
                         "<contact><pair geom1='g2' geom2='g1'/><pair geom1='g1' geom2='g0' "
                         "condim='1' margin='.1' gap='.2'/></contact>"));
  CHECK(m.pair_geom1 == Ids{0, 1});
  CHECK(m.pair_geom2 == Ids{1, 2});
  CHECK(m.pair_signature == Ids{1, 65536 + 2});
  CHECK(m.pair_dim == Ids{1, 3});
  check_close(m.pair_margin, {0.1, 0});
}

TEST_CASE("what a pair does not say has the pair's own defaults, not the geoms'", "[pairs]") {
  const Model m =
      compile_text(scene("<geom name='a' size='1' condim='6' friction='3 2 1'/><body><joint/>"
                         "<geom name='b' size='1' condim='6' margin='1'/></body>",
                         "<contact><pair geom1='a' geom2='b'/></contact>"));
  CHECK(m.pair_dim == Ids{3});
  check_close(m.pair_friction, {1, 1, 0.005, 0.0001, 0.0001});
  check_close(m.pair_margin, {0});
}

TEST_CASE("undefined names in pairs and excludes are errors that name them", "[pairs]") {
  const std::string geoms = "<geom name='a' size='1'/>";
  CHECK_THAT(compile_error(scene(geoms, "<contact><pair geom1='a' geom2='nope'/></contact>")),
             ContainsSubstring("nope"));
  CHECK_THAT(
      compile_error(scene(geoms, "<contact><exclude body1='world' body2='nope'/></contact>")),
      ContainsSubstring("nope"));
  CHECK_THAT(compile_error(scene(geoms, "<contact><pair geom1='a' geom2='a'/></contact>")),
             ContainsSubstring("itself"));
}

const char* kRobot = R"(
  <geom name="floor" type="plane" size="1 1 1"/>
  <body name="base"><freejoint/><geom name="hull" type="box" size="1 1 1"/>
    <body name="arm"><joint/><geom name="arm" type="capsule" size="1 1"/>
      <body name="hand"><joint axis="1 0 0"/><geom name="hand" size="1"/><geom name="ghost" size="1" contype="0" conaffinity="0"/></body>
    </body>
  </body>
  <body name="table"><geom name="table" type="box" size="1 1 1"/></body>)";

/// Pairs by name, "first second".
std::vector<std::string> listed(const Model& m) {
  std::vector<std::string> out;
  for (int i = 0; i < m.ngeompair; i++) {
    out.push_back(m.geom_name[m.geompair_geom[2 * i]] + " " +
                  m.geom_name[m.geompair_geom[2 * i + 1]]);
  }
  return out;
}

TEST_CASE("geoms of a body, of parent and child, and of fixed bodies make no pair", "[pairs]") {
  const Model m = compile_text(scene(kRobot));
  // planes first, then by types; GJK pairs after the primitive ones: there are none here
  CHECK(listed(m) == std::vector<std::string>{"floor hand", "floor arm", "floor hull", "hand hull",
                                              "hand table", "arm table", "hull table"});
  CHECK(m.npair_primitive == 7);
  CHECK(m.npair_convex == 0);
}

TEST_CASE("the filterparent flag lets parent and child touch", "[pairs]") {
  const Model m = compile_text(scene(kRobot, "<option><flag filterparent='disable'/></option>"));
  CHECK(m.ngeompair == 7 + 2);
}

TEST_CASE("an excluded pair of bodies makes no pair, an explicit pair passes every filter",
          "[pairs]") {
  const Model m = compile_text(scene(kRobot, R"(<contact><exclude body1="world" body2="hand"/>
    <pair geom1="ghost" geom2="hull" margin=".25" gap=".5"/></contact>)"));
  const std::vector<std::string> names = listed(m);
  CHECK(std::count(names.begin(), names.end(), "floor hand") == 0);
  const auto ghost = std::find(names.begin(), names.end(), "ghost hull");
  REQUIRE(ghost != names.end());
  const auto i = ghost - names.begin();
  CHECK(m.geompair_pairid[i] == 0);
  CHECK(m.geompair_reach[i] == 0.75);
}

TEST_CASE("mocap bodies touch what moves and not each other", "[pairs]") {
  const Model m = compile_text(
      scene("<geom name='a' size='1'/><body mocap='true'><geom name='b' size='1'/></body>"
            "<body><freejoint/><geom name='c' size='1'/></body>"));
  CHECK(listed(m) == std::vector<std::string>{"a c", "b c"});
}

TEST_CASE("pairs are sorted by kind and types, and the reach adds up margins and gaps", "[pairs]") {
  const Model m = compile_text(
      R"(<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset><worldbody>
    <geom name="field" type="hfield" hfield="h"/><geom name="cylinder" type="cylinder" size="1 1" margin=".1" gap=".2"/>
    <body><freejoint/><geom name="box" type="box" size="1 1 1" margin=".3" gap=".4"/></body></worldbody></mujoco>)");
  CHECK(listed(m) == std::vector<std::string>{"cylinder box", "field box"});
  CHECK(m.npair_convex == 1);
  CHECK(m.npair_hfield == 1);
  check_close(m.geompair_reach, {1, 0.7});
}

TEST_CASE("pairs of one geom with geoms of one body are a run, with a ball about that body",
          "[pairs]") {
  const Model m = compile_text(scene(R"(<geom type="plane" size="1 1 1"/>
    <geom name="wall" type="box" size="1 1 1" margin=".5"/>
    <body><freejoint/><geom size="1" pos="-2 0 0"/><geom size="1" pos="4 0 0" gap=".25"/>
      <geom size="1" pos="0 1 0"/></body>)"));
  CHECK(m.npair_plane == 3);
  CHECK(m.npairrun == 1);
  CHECK(m.nrun_primitive == 1);
  CHECK(m.pairrun == Ids{3, 3, 1, 1});  // first pair, number of pairs, geom, body
  check_close(m.pairrun_reach, {0.75});
  check_close(row_of(m.pairrun_ball, 0, 4), {0, 0, 0, 0});

  // boxes of the spheres are longer than they: half diagonal sqrt(3); y of the centre:
  // (1 + sqrt(3) - sqrt(3)) / 2
  const std::span<const double> ball = row_of(m.pairrun_ball, 1, 4);
  CHECK(ball[0] == Approx(1));
  CHECK(ball[1] == Approx(0.5));
  CHECK(ball[3] == Approx(std::sqrt(9 + 0.25) + std::sqrt(3.0)).epsilon(2e-5));
}

TEST_CASE("runs are not listed where they hold few pairs", "[pairs]") {
  const Model m = compile_text(
      scene("<geom size='1'/><body><freejoint/><geom size='1'/><geom size='1'/></body>"));
  CHECK(m.ngeompair == 2);
  CHECK(m.npairrun == 0);
  CHECK(m.pairrun_ball.empty());
}

TEST_CASE("two thousand bodies that all may touch are listed within a second or so", "[pairs]") {
  Spec spec;
  for (int i = 0; i < 2000; i++) {
    auto body = std::make_unique<SpecBody>();
    body->joints.emplace_back().type = 0;
    body->geoms.emplace_back().size = {1, 0, 0};
    spec.world.bodies.push_back(std::move(body));
  }
  const Model m = compile(spec);
  CHECK(m.ngeompair == 2000 * 1999 / 2);
}

}  // namespace
}  // namespace mjjit
