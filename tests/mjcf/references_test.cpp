#include "mjcf/read_helper.h"

using namespace mjjit;

namespace {

constexpr const char* kBody =
    "<body name=\"b\"><joint name=\"j\"/><geom name=\"g\" size=\"1\"/><site name=\"s\"/></body>";

std::string with_body(const std::string& sections) {
  return complaint("<worldbody>" + std::string(kBody) + "</worldbody>" + sections);
}

}  // namespace

TEST_CASE("a geom names the asset that is not there", "[mjcf]") {
  CHECK(world_complaint("<geom name=\"foot\" type=\"mesh\" mesh=\"foot_col\"/>") ==
        "scene.xml:1: geom 'foot': mesh 'foot_col' is not defined in <asset>");
  CHECK(world_complaint("<geom size=\"1\" material=\"red\"/>") ==
        "scene.xml:1: geom: material 'red' is not defined in <asset>");
  CHECK_THAT(complaint("<asset><material name=\"m\" texture=\"t\"/></asset>"),
             ContainsSubstring("material 'm': texture 't' is not defined"));
}

TEST_CASE("references of all sections are checked", "[mjcf]") {
  CHECK_THAT(with_body("<actuator><motor name=\"m\" joint=\"k\"/></actuator>"),
             ContainsSubstring("actuator 'm': joint 'k' is not defined"));
  CHECK_THAT(with_body("<actuator><adhesion body=\"k\" ctrlrange=\"0 1\"/></actuator>"),
             ContainsSubstring("body 'k' is not defined"));
  CHECK_THAT(with_body("<contact><exclude name=\"e\" body1=\"b\" body2=\"k\"/></contact>"),
             ContainsSubstring("exclude 'e': attribute 'body2': body 'k' is not defined"));
  CHECK_THAT(with_body("<contact><pair geom1=\"g\" geom2=\"k\"/></contact>"),
             ContainsSubstring("geom 'k' is not defined"));
  CHECK_THAT(with_body("<equality><joint joint1=\"k\"/></equality>"),
             ContainsSubstring("joint 'k' is not defined"));
  CHECK_THAT(with_body("<equality><weld site1=\"s\" site2=\"k\"/></equality>"),
             ContainsSubstring("site 'k' is not defined"));
  CHECK_THAT(with_body("<sensor><gyro name=\"q\" site=\"k\"/></sensor>"),
             ContainsSubstring("sensor 'q': site 'k' is not defined"));
  CHECK_THAT(
      with_body("<tendon><fixed name=\"t\"><joint joint=\"k\" coef=\"1\"/></fixed></tendon>"),
      ContainsSubstring("tendon 't': joint 'k' is not defined"));
  CHECK_THAT(
      with_body(
          "<custom><tuple name=\"t\"><element objtype=\"geom\" objname=\"k\"/></tuple></custom>"),
      ContainsSubstring("tuple 't': attribute 'objname': geom 'k' is not defined"));
  CHECK_THAT(world_complaint("<camera mode=\"targetbody\" target=\"k\"/>"),
             ContainsSubstring("body 'k' is not defined"));
}

TEST_CASE("the attribute that names what is not there is told", "[mjcf]") {
  CHECK(with_body("<contact><pair name=\"p\" geom1=\"g\" geom2=\"k\"/></contact>") ==
        "scene.xml:1: pair 'p': attribute 'geom2': geom 'k' is not defined");
  CHECK_THAT(with_body("<contact><exclude body1=\"k\" body2=\"b\"/></contact>"),
             ContainsSubstring("exclude: attribute 'body1': body 'k'"));
  CHECK_THAT(with_body("<equality><joint joint1=\"j\" joint2=\"k\"/></equality>"),
             ContainsSubstring("attribute 'joint2': joint 'k'"));
  CHECK_THAT(with_body("<equality><weld site1=\"s\" site2=\"k\"/></equality>"),
             ContainsSubstring("attribute 'site2': site 'k'"));
  CHECK_THAT(with_body("<actuator><motor jointinparent=\"k\"/></actuator>"),
             ContainsSubstring("attribute 'jointinparent': joint 'k'"));
  CHECK_THAT(with_body("<actuator><general site=\"s\" refsite=\"k\"/></actuator>"),
             ContainsSubstring("attribute 'refsite': site 'k'"));
  CHECK_THAT(with_body("<sensor><framepos objtype=\"geom\" objname=\"k\"/></sensor>"),
             ContainsSubstring("attribute 'objname': geom 'k'"));
  CHECK_THAT(with_body("<sensor><framepos objtype=\"geom\" objname=\"g\" reftype=\"xbody\" "
                       "refname=\"k\"/></sensor>"),
             ContainsSubstring("attribute 'refname': body 'k'"));
  CHECK_THAT(with_body("<sensor><distance geom1=\"g\" body2=\"k\"/></sensor>"),
             ContainsSubstring("attribute 'body2': body 'k'"));
  CHECK_THAT(with_body("<sensor><contact subtree1=\"k\"/></sensor>"),
             ContainsSubstring("attribute 'subtree1': body 'k'"));
  CHECK_THAT(with_body("<sensor><touch site=\"k\"/></sensor>"),
             ContainsSubstring("sensor: site 'k' is not defined"));
  CHECK_THAT(with_body("<tendon><spatial><site site=\"s\"/><geom geom=\"g\" sidesite=\"k\"/>"
                       "</spatial></tendon>"),
             ContainsSubstring("attribute 'sidesite': site 'k'"));
  CHECK_THAT(world_complaint("<light name=\"l\" mode=\"targetbody\" target=\"k\"/>"),
             ContainsSubstring("light 'l': attribute 'target': body 'k'"));
}

TEST_CASE("files that are read past must be there, and be files", "[mjcf]") {
  const std::string textures[] = {"<texture name=\"t\" type=\"2d\" file=\"FILE\"/>",
                                  "<texture name=\"t\" type=\"cube\" fileup=\"FILE\"/>",
                                  "<skin name=\"s\" file=\"FILE\"/>", "<mesh file=\"FILE\"/>",
                                  "<hfield file=\"FILE\" size=\"1 1 1 1\"/>"};
  for (const std::string& text : textures) {
    INFO(text);
    const auto with = [&](const std::string& file) {
      std::string xml = text;
      return complaint("<asset>" + xml.replace(xml.find("FILE"), 4, file) + "</asset>");
    };
    CHECK_THAT(with("nothing.png"), ContainsSubstring("file 'nothing.png' does not exist"));
    CHECK_THAT(with("."), ContainsSubstring("file '.' is a folder"));
  }
  CHECK_THAT(complaint("<include file=\".\"/>"), ContainsSubstring("file '.' is a folder"));
  CHECK_THAT(complaint("<asset><model name=\"m\" file=\".\"/></asset>"),
             ContainsSubstring("file '.' is a folder"));
}

TEST_CASE("classes must be defined", "[mjcf]") {
  CHECK_THAT(world_complaint("<geom class=\"k\" size=\"1\"/>"),
             ContainsSubstring("default class 'k' is not defined"));
  CHECK_THAT(world_complaint("<body childclass=\"k\"/>"),
             ContainsSubstring("default class 'k' is not defined"));
  CHECK_THAT(complaint("<default><default class=\"a\"/><default class=\"a\"/></default>"),
             ContainsSubstring("default class 'a': repeated name"));
  CHECK_THAT(complaint("<default><default/></default>"), ContainsSubstring("must have a name"));
}

TEST_CASE("a repeated name is told with its kind and both places", "[mjcf]") {
  CHECK(world_complaint("<geom name=\"a\" size=\"1\"/>\n<geom name=\"a\" size=\"1\"/>") ==
        "scene.xml:2: geom 'a': repeated name: another geom has it, at scene.xml:1");
  CHECK_THAT(world_complaint("<body name=\"world\"/>"),
             ContainsSubstring("body 'world': repeated name"));
  CHECK(world_complaint("<geom name=\"a\" size=\"1\"/><site name=\"a\"/><geom name=\"\" "
                        "size=\"1\"/><geom size=\"1\"/>")
            .empty());
}

TEST_CASE("the world has no joints, inertia or attributes", "[mjcf]") {
  CHECK_THAT(world_complaint("<joint/>"), ContainsSubstring("<joint>"));
  CHECK_THAT(world_complaint("<frame><joint/></frame>"),
             ContainsSubstring("the world cannot have a <joint>"));
  CHECK_THAT(complaint("<worldbody name=\"a\"/>"), ContainsSubstring("unknown attribute 'name'"));
}

TEST_CASE("features that are not there are listed with their place", "[mjcf]") {
  const Spec spec =
      read_scene(R"(<worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>
    <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
    <equality><tendon tendon1="t"/></equality>
    <actuator><dcmotor joint="j" motorconst="1"/></actuator>)");
  REQUIRE(spec.unsupported.size() == 3);
  CHECK(spec.unsupported[0].what == "equality <tendon>");
  CHECK(spec.unsupported[0].source.line == 3);
  CHECK(spec.unsupported[1].what == "tendon <fixed>");
  CHECK(spec.unsupported[2].what == "actuator <dcmotor>");
}

TEST_CASE("a mesh's material must be there, also once the mesh is attached", "[mjcf]") {
  const std::string mesh =
      "<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" material=\"paint\"/>";
  CHECK_THAT(complaint("<asset>" + mesh + "</asset>"),
             ContainsSubstring("mesh 'm': material 'paint' is not defined"));
  CHECK(complaint("<asset><material name=\"paint\"/>" + mesh + "</asset>").empty());
  const SceneFolder folder(
      {{"part.xml", "<mujoco model=\"part\"><asset><material name=\"paint\"/>" + mesh +
                        "</asset><worldbody><body name=\"b\"><geom type=\"mesh\" "
                        "mesh=\"m\"/></body></worldbody></mujoco>"},
       {"scene.xml",
        "<mujoco><asset><model file=\"part.xml\"/></asset><worldbody><attach model=\"part\" "
        "body=\"b\" prefix=\"x_\"/></worldbody></mujoco>"}});
  CHECK(folder.complaint().empty());
}
