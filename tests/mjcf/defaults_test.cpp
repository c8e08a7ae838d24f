#include "mjcf/read_helper.h"

using namespace mjjit;

TEST_CASE("classes inherit what they do not say", "[mjcf]") {
  const Spec spec = read_scene(R"(<default>
      <joint armature="0.01"/>
      <default class="moving">
        <joint type="slide" damping="12"/>
        <default class="upward"><joint axis="0 0 2"/></default>
        <default class="turning"><joint type="hinge" damping="0.1"/></default>
      </default>
    </default>
    <worldbody><body childclass="moving"><joint axis="0 1 0"/>
      <body><joint class="upward"/>
        <body><joint class="turning"/>
          <body><joint class="main" axis="1 0 0"/></body></body></body></body></worldbody>)");
  const SpecBody& a = *spec.world.bodies[0];
  const SpecBody& b = *a.bodies[0];
  const SpecBody& c = *b.bodies[0];
  const SpecBody& d = *c.bodies[0];
  CHECK(a.joints[0].type == 2);
  CHECK(a.joints[0].damping == 12);
  check_close(a.joints[0].axis, {0, 1, 0});
  CHECK(b.joints[0].type == 2);
  check_close(b.joints[0].axis, {0, 0, 2});
  CHECK(c.joints[0].type == 3);
  CHECK(c.joints[0].damping == 0.1);
  CHECK(d.joints[0].type == 3);
  CHECK(d.joints[0].damping == 0);
  CHECK(d.joints[0].armature == 0.01);
}

TEST_CASE("a class inherits from the whole class around it, also from what stands behind it",
          "[mjcf]") {
  const Spec spec =
      read_scene(R"(<default><default class="a"><default class="b"><geom margin="1"/></default>
    <geom size="2"/></default></default><worldbody><geom class="b"/></worldbody>)");
  CHECK(spec.world.geoms[0].size[0] == 2);
  CHECK(spec.world.geoms[0].margin == 1);
}

TEST_CASE("an array that is given in part keeps the rest of the class", "[mjcf]") {
  const Spec spec = read_scene(R"(<default><geom solref="0.1 0.5" friction="2 3 4" size="1 2 3"/>
    <joint stiffness="1 2 3"/></default>
    <worldbody><geom type="box" solref="0.3" friction="7" size="9"/><body><joint stiffness="5"/></body></worldbody>)");
  const SpecGeom& geom = spec.world.geoms[0];
  check_close(geom.solref, {0.3, 0.5});
  check_close(geom.friction, {7, 3, 4});
  check_close(geom.size, {9, 2, 3});
  CHECK(spec.world.bodies[0]->joints[0].stiffness == 5);
  check_close(spec.world.bodies[0]->joints[0].stiffnesspoly, {2, 3});
}

TEST_CASE("an orientation of the element takes the place of the class's, whatever its form",
          "[mjcf]") {
  const Spec spec = read_scene(R"(<default><geom size="1" euler="0 0 90" pos="1 2 3"/></default>
    <worldbody><geom quat="0 1 0 0"/></worldbody>)");
  check_close(spec.world.geoms[0].quat, {0, 1, 0, 0});
  check_close(spec.world.geoms[0].pos, {1, 2, 3});
}

TEST_CASE("frames and replicates hand their class down, bodies override it", "[mjcf]") {
  const Spec spec = read_scene(R"(<default><default class="a"><geom size="3"/></default>
      <default class="b"><geom size="4"/></default></default>
    <worldbody><frame childclass="a"><geom/><body childclass="b"><frame><geom/></frame></body></frame>
      <replicate count="2" childclass="b"><geom/></replicate></worldbody>)");
  CHECK(spec.world.geoms[0].size[0] == 3);
  CHECK(spec.world.bodies[0]->geoms[0].size[0] == 4);
  CHECK(spec.world.geoms[2].size[0] == 4);
}

TEST_CASE("a free joint knows no class", "[mjcf]") {
  const Spec spec = read_scene(R"(<default><joint damping="3"/></default>
    <worldbody><body><freejoint/></body><body><joint type="free"/></body></worldbody>)");
  CHECK(spec.world.bodies[0]->joints[0].damping == 0);
  CHECK(spec.world.bodies[0]->joints[0].type == 0);
  CHECK(spec.world.bodies[1]->joints[0].damping == 3);
}
