#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

const char* kForest = R"(
  <body name="a"><freejoint/><geom size="1"/>
    <body name="b"><joint/><geom size="1"/>
      <body name="c"><geom size="1"/></body>
    </body>
    <body name="d"><joint/><joint axis="1 0 0"/><geom size="1"/></body>
  </body>
  <body name="e"><geom size="1"/>
    <body name="f"><joint type="ball"/><geom size="1"/></body>
    <body name="g"><joint type="slide"/><geom size="1"/></body>
  </body>
  <body name="h" mocap="true"/>)";

TEST_CASE("bodies are numbered depth first, a body before its children", "[tree]") {
  const Model m = compile_text(scene(kForest));
  CHECK(m.nbody == 9);
  CHECK(m.body_name == std::vector<std::string>{"world", "a", "b", "c", "d", "e", "f", "g", "h"});
  CHECK(m.body_parentid == std::vector<int>{0, 0, 1, 2, 1, 0, 5, 5, 0});
  CHECK(m.body_rootid == std::vector<int>{0, 1, 1, 1, 1, 5, 5, 5, 8});
}

TEST_CASE("a body without joints is welded to its parent, a mocap body is not", "[tree]") {
  const Model m = compile_text(scene(kForest));
  CHECK(m.body_weldid == std::vector<int>{0, 1, 2, 2, 4, 0, 6, 7, 8});
  CHECK(m.body_mocapid == std::vector<int>{-1, -1, -1, -1, -1, -1, -1, -1, 0});
}

TEST_CASE("every joint below fixed bodies starts a tree of its own", "[tree]") {
  const Model m = compile_text(scene(kForest));
  CHECK(m.ntree == 3);
  CHECK(m.body_treeid == std::vector<int>{-1, 0, 0, 0, 0, -1, 1, 2, -1});
  CHECK(m.tree_bodyadr == std::vector<int>{1, 6, 7});
  CHECK(m.tree_bodynum == std::vector<int>{4, 1, 1});
  CHECK(m.tree_dofadr == std::vector<int>{0, 9, 12});
  CHECK(m.tree_dofnum == std::vector<int>{9, 3, 1});
}

TEST_CASE("inertia blocks follow each other with the square of a tree's dofs", "[tree]") {
  const Model m = compile_text(scene(kForest));
  CHECK(m.tree_madr == std::vector<int>{0, 81, 90});
  CHECK(m.nmblock == 81 + 9 + 1);
  CHECK(m.nvtree == 9);
}

TEST_CASE("a dof's parent is the dof before it on the way to the world", "[tree]") {
  const Model m = compile_text(scene(kForest));
  CHECK(m.dof_parentid == std::vector<int>{-1, 0, 1, 2, 3, 4, 5, 5, 7, -1, 9, 10, -1});
  // a row of ancestors each: 1 to 6 for the free joint, 7 for b, 7 and 8 for d, ...
  CHECK(m.dof_Madr == std::vector<int>{0, 1, 3, 6, 10, 15, 21, 28, 35, 43, 44, 46, 49});
  CHECK(m.dof_end == std::vector<int>{9, 9, 9, 9, 9, 9, 7, 9, 9, 12, 12, 12, 13});
}

TEST_CASE("levels list the bodies by depth, the world alone at level 0", "[tree]") {
  const Model m = compile_text(scene(kForest));
  CHECK(m.nlevel == 4);
  CHECK(m.level_num == std::vector<int>{1, 3, 4, 1});
  CHECK(m.level_adr == std::vector<int>{0, 1, 4, 8});
  CHECK(m.level_body == std::vector<int>{0, 1, 5, 8, 2, 4, 6, 7, 3});
  CHECK(m.level_dofnum == std::vector<int>{0, 6, 3, 0});
}

TEST_CASE("a body's dof mask has the bits of all dofs of its tree that move it", "[tree]") {
  const Model m = compile_text(scene(kForest));
  CHECK(m.body_dofmask == std::vector<int>{0, 63, 63 + 64, 63 + 64, 63 + 128 + 256, 0, 7, 1, 0});
}

TEST_CASE("a dof mask of a tree with more than 32 dofs has a second word", "[tree]") {
  std::string world;
  for (int i = 0; i < 12; i++) {
    world +=
        R"(<body pos=".1 0 0"><joint/><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size=".1"/>)";
  }
  for (int i = 0; i < 12; i++) {
    world += "</body>";
  }
  const Model m = compile_text(scene(world));
  CHECK(m.nvtree == 36);
  CHECK(m.body_dofmask.size() == 13 * 2);
  CHECK(m.body_dofmask[2 * 11] == -1);  // 33 dofs: all bits of the first word, one of the second
  CHECK(m.body_dofmask[2 * 11 + 1] == 1);
}

TEST_CASE("a mocap body must be a child of the world without joints", "[tree]") {
  CHECK_THAT(compile_error(scene(R"(<body><body name="m" mocap="true"/></body>)")),
             ContainsSubstring("'m'"));
  CHECK_THAT(compile_error(scene(R"(<body name="m" mocap="true"><joint/><geom size="1"/></body>)")),
             ContainsSubstring("mocap"));
}

TEST_CASE("a name that two bodies have is an error at the second one", "[tree]") {
  Spec spec;
  for (int line : {3, 4}) {
    auto body = std::make_unique<SpecBody>();
    body->name = "twin";
    body->source = {"scene.xml", line};
    spec.world.bodies.push_back(std::move(body));
  }
  CHECK(compile_error(spec) == "scene.xml:4: body 'twin': the name is already used at scene.xml:3");
}

TEST_CASE("bodies, pairs and keyframes beyond what a GPU could hold are told at their place",
          "[tree]") {
  const std::string bodies =
      "<replicate count='300'>\n<replicate count='300'>\n<body name='b'/>"
      "</replicate></replicate>";
  CHECK_THAT(compile_error(scene(bodies)), ContainsSubstring("scene.xml:5: body 'b") &&
                                               ContainsSubstring("no more than 65533 bodies"));
  const std::string balls =
      "<replicate count='9000'><body><freejoint/>\n<geom name='g' size='1'/>"
      "</body></replicate>";
  CHECK_THAT(compile_error(scene(balls)),
             ContainsSubstring("scene.xml:4: geom 'g") &&
                 ContainsSubstring("more than 33554432 pairs of geoms may touch"));
  CHECK_THAT(compile_error(scene("<replicate count='100'><body><freejoint/><geom size='1' "
                                 "contype='0'/></body></replicate>",
                                 "<size nkey='1000000'/>")),
             ContainsSubstring("scene.xml:5: key: with 1000000 keyframes"));
  const std::string free =
      "<replicate count='11000'><body name='f'>\n<freejoint/><geom size='1' contype='0' "
      "conaffinity='0'/></body></replicate>";
  CHECK_THAT(
      compile_error(scene(free)),
      ContainsSubstring("scene.xml:3: body 'f10999'") &&
          ContainsSubstring("Newton's matrix of 66000 dofs has more than 2147483647 entries"));
  CHECK(compile_error(scene(free, "<option solver='CG'/>")).empty());
  CHECK_THAT(compile_error(scene("<body name='b'><joint/><geom size='1'/><replicate count='8192'>"
                                 "<body><joint/></body></replicate></body>")),
             ContainsSubstring("scene.xml:3: body 'b': with its tree of 8193 dofs"));
}

TEST_CASE("a sleep policy is for the first moving body of a tree", "[model]") {
  const std::string moving = "<joint/><geom size='1'/>";
  const auto error = [&](const std::string& world) { return compile_error(scene(world)); };
  CHECK(error("<body sleep='never'>" + moving + "</body>").empty());
  CHECK(error("<body><body sleep='init'>" + moving + "</body></body>").empty());
  CHECK(error("<body sleep='auto'><geom size='1'/></body>").empty());
  for (const std::string& world :
       {std::string("<body name='b' sleep='never'><geom size='1'/></body>"),
        "<body name='b' sleep='never'><body>" + moving + "</body></body>",
        "<body>" + moving + "<body name='b' sleep='allowed'><geom size='1'/></body></body>"}) {
    CHECK_THAT(error(world), ContainsSubstring("scene.xml:3: body 'b': attribute 'sleep' is for"));
  }
}

}  // namespace
}  // namespace mjjit
