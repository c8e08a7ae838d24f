#include "mjcf/read_helper.h"

using namespace mjjit;

TEST_CASE("included files stand in the place of the include, in any section", "[mjcf]") {
  const SceneFolder scene({
      {"scene.xml", R"(<mujoco><include file="sub/a.xml"/><worldbody><include file="sub/b.xml"/>
        <geom name="m" size="1"/></worldbody></mujoco>)"},
      {"sub/a.xml", R"(<mujocoinclude><include file="c.xml"/></mujocoinclude>)"},
      {"sub/c.xml", R"(<mujoco><worldbody><geom name="c" size="1"/></worldbody></mujoco>)"},
      {"sub/b.xml", R"(<any><geom name="b" size="1"/></any>)"},
  });
  const Spec spec = scene.read();
  REQUIRE(spec.world.geoms.size() == 3);
  CHECK(spec.world.geoms[0].name == "c");
  CHECK(spec.world.geoms[1].name == "b");
  CHECK(spec.world.geoms[2].name == "m");
  CHECK_THAT(spec.world.geoms[1].source.file, ContainsSubstring("sub/b.xml"));
}

TEST_CASE("a file is looked for beside the main file first", "[mjcf]") {
  const SceneFolder scene({
      {"scene.xml", R"(<mujoco><include file="sub/a.xml"/></mujoco>)"},
      {"sub/a.xml", R"(<m><include file="b.xml"/></m>)"},
      {"b.xml", R"(<m><worldbody><geom name="main" size="1"/></worldbody></m>)"},
      {"sub/b.xml", R"(<m><worldbody><geom name="sub" size="1"/></worldbody></m>)"},
  });
  CHECK(scene.read().world.geoms[0].name == "main");
}

TEST_CASE("errors carry the file they are in", "[mjcf]") {
  const SceneFolder scene({
      {"scene.xml", R"(<mujoco><include file="part.xml"/></mujoco>)"},
      {"part.xml", "<m>\n<worldbody>\n<geom sise=\"1\"/></worldbody></m>"},
      {"broken.xml", "<mujoco><include file=\"bad.xml\"/></mujoco>"},
      {"bad.xml", "<m>\n<worldbody></m>"},
  });
  CHECK_THAT(scene.complaint(), ContainsSubstring("/part.xml:3: <geom>: unknown attribute"));
  CHECK_THAT(scene.complaint("broken.xml"), ContainsSubstring("/bad.xml:2: malformed XML"));
}

TEST_CASE("a missing, empty, repeated or own include is refused", "[mjcf]") {
  const SceneFolder scene({
      {"missing.xml", R"(<mujoco><include file="none.xml"/></mujoco>)"},
      {"twice.xml", R"(<mujoco><include file="a.xml"/><include file="./a.xml"/></mujoco>)"},
      {"self.xml", R"(<mujoco><include file="self.xml"/></mujoco>)"},
      {"empty.xml", R"(<mujoco><include file="e.xml"/></mujoco>)"},
      {"child.xml", R"(<mujoco><include file="a.xml"><geom/></include></mujoco>)"},
      {"nofile.xml", R"(<mujoco><include/></mujoco>)"},
      {"a.xml", R"(<m><option/></m>)"},
      {"e.xml", R"(<m></m>)"},
  });
  CHECK_THAT(scene.complaint("missing.xml"),
             ContainsSubstring("missing.xml:1: <include>: file '") &&
                 ContainsSubstring("none.xml' does not exist"));
  CHECK_THAT(scene.complaint("twice.xml"), ContainsSubstring("is included already"));
  CHECK_THAT(scene.complaint("self.xml"), ContainsSubstring("is included already"));
  CHECK_THAT(scene.complaint("empty.xml"), ContainsSubstring("has nothing to include"));
  CHECK_THAT(scene.complaint("child.xml"), ContainsSubstring("cannot have children"));
  CHECK_THAT(scene.complaint("nofile.xml"), ContainsSubstring("attribute 'file' is missing"));
  CHECK_THAT(scene.complaint("nowhere.xml"), ContainsSubstring("nowhere.xml"));
}

TEST_CASE(
    "meshes are found in meshdir or beside the included file, and a missing one says where it was "
    "looked for",
    "[mjcf]") {
  const SceneFolder scene({
      {"scene.xml", R"(<mujoco><compiler meshdir="assets"/><asset><mesh file="m.obj"/></asset>
        <include file="sub/i.xml"/></mujoco>)"},
      {"sub/i.xml", R"(<m><asset><mesh name="n" file="n.obj"/></asset></m>)"},
      {"assets/m.obj", kTetrahedron},
      {"sub/n.obj", kTetrahedron},
      {"missing.xml", "<mujoco><include file=\"sub/j.xml\"/></mujoco>"},
      {"sub/j.xml", "<m>\n<asset><mesh name=\"n\" file=\"p.obj\"/></asset></m>"},
      {"strip.xml",
       R"(<mujoco><compiler meshdir="assets" strippath="true"/><asset><mesh file="x/y/m.obj"/></asset>
        </mujoco>)"},
  });
  const Spec spec = scene.read();
  REQUIRE(spec.meshes.size() == 2);
  CHECK(spec.meshes[0].name == "m");
  CHECK_THAT(spec.meshes[0].file, ContainsSubstring("/assets/m.obj"));
  CHECK_THAT(spec.meshes[1].file, ContainsSubstring("/sub/n.obj"));
  CHECK_THAT(scene.complaint("missing.xml"),
             ContainsSubstring("sub/j.xml:2: <mesh> 'n': file 'p.obj' is not there: '") &&
                 ContainsSubstring("/sub/p.obj'"));
  CHECK_THAT(scene.read("strip.xml").meshes[0].file, ContainsSubstring("/assets/m.obj"));
}
