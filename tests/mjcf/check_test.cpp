#include "mjcf/read_helper.h"

using namespace mjjit;

TEST_CASE("an unknown attribute is named, with the nearest known one", "[mjcf]") {
  CHECK(world_complaint("\n<geom name=\"foot\" sise=\"1\"/>") ==
        "scene.xml:2: <geom> 'foot': unknown attribute 'sise'; did you mean 'size'?");
  CHECK(world_complaint("<geom zzzz=\"1\"/>") == "scene.xml:1: <geom>: unknown attribute 'zzzz'");
}

TEST_CASE("the line of an attribute is its own", "[mjcf]") {
  CHECK_THAT(world_complaint("<geom\n size=\"1\"\n sise=\"1\"/>"),
             ContainsSubstring("scene.xml:3: "));
}

TEST_CASE("an unknown element is named, with the nearest known one", "[mjcf]") {
  CHECK(complaint("<worldbdy/>") ==
        "scene.xml:1: <worldbdy>: unknown element in <mujoco>; did you mean 'worldbody'?");
  CHECK_THAT(world_complaint("<hinge/>"),
             ContainsSubstring("<hinge>: unknown element in <worldbody>"));
  CHECK_THAT(complaint("<equality><distance/></equality>"),
             ContainsSubstring("<distance>: unknown element"));
}

TEST_CASE("numbers are read strictly", "[mjcf]") {
  CHECK(world_complaint("<geom size=\"1.5abc\"/>") ==
        "scene.xml:1: <geom>: attribute 'size' has '1.5abc' where a finite number is expected");
  for (const char* word : {"nan", "inf", "1,5", "0x10"}) {
    CHECK_THAT(world_complaint(fmt::format("<geom size=\"{}\"/>", word)),
               ContainsSubstring("finite number"));
  }
  CHECK_THAT(world_complaint("<geom size=\"1e400\"/>"),
             ContainsSubstring("'1e400', which is too large"));
  CHECK_THAT(world_complaint("<geom size=\"1\" rgba=\"1 1e39 1 1\"/>"),
             ContainsSubstring("'rgba' has '1e39', which is too large"));
  CHECK(world_complaint("<geom size=\"1\" rgba=\"1 1e-99 1 1\"/>").empty());
  CHECK_THAT(world_complaint("<body><freejoint group=\"\"/></body>"),
             ContainsSubstring("<freejoint>: attribute 'group' has no value"));
  CHECK_THAT(complaint("<visual><headlight active=\"3\"/></visual>"),
             ContainsSubstring("attribute 'active' is '3', must be one of 0, 1"));
  CHECK_THAT(world_complaint("<geom contype=\"1.0\"/>"), ContainsSubstring("whole number"));
  CHECK(world_complaint("<geom size=\"+1\"/>").empty());
}

TEST_CASE("a wrong count of values says how many there must be", "[mjcf]") {
  CHECK(world_complaint("<geom size=\"1\" pos=\"1 2\"/>") ==
        "scene.xml:1: <geom>: attribute 'pos' has 2 values, must have 3 values");
  CHECK_THAT(world_complaint("<geom size=\"1 2 3 4\"/>"),
             ContainsSubstring("has 4 values, must have 1 to 3 values"));
  CHECK_THAT(complaint("<compiler eulerseq=\"xy\"/>"), ContainsSubstring("must have 3 characters"));
}

TEST_CASE("a bad keyword lists the good ones", "[mjcf]") {
  CHECK_THAT(
      world_complaint("<geom type=\"spheer\" size=\"1\"/>"),
      ContainsSubstring("attribute 'type' is 'spheer', must be one of plane, hfield, sphere") &&
          ContainsSubstring("did you mean 'sphere'?"));
  CHECK_THAT(complaint("<option solver=\"newton\"/>"), ContainsSubstring("did you mean 'Newton'?"));
}

TEST_CASE("required and excluding attributes are asked for by name", "[mjcf]") {
  CHECK_THAT(complaint("<contact><exclude body1=\"world\"/></contact>"),
             ContainsSubstring("<exclude>: required attribute 'body2' is missing"));
  CHECK_THAT(complaint("<equality><connect body1=\"world\"/></equality>"),
             ContainsSubstring(
                 "one of these attributes is required: site1 with site2, or body1 with anchor"));
  CHECK_THAT(complaint("<equality><weld body1=\"world\" site1=\"s\" site2=\"s\"/></equality>"),
             ContainsSubstring("there can be only one of these attributes"));
  CHECK_THAT(
      complaint("<sensor><framepos objtype=\"body\" objname=\"world\" reftype=\"body\"/></sensor>"),
      ContainsSubstring("attributes reftype and refname must be given together"));
}

TEST_CASE("an element that may stand once is refused twice", "[mjcf]") {
  CHECK_THAT(
      world_complaint(
          "<body><inertial pos=\"0 0 0\" mass=\"1\"/><inertial pos=\"0 0 0\" mass=\"1\"/></body>"),
      ContainsSubstring("<inertial>: there can be only one in <body>"));
}

TEST_CASE("default classes take no names", "[mjcf]") {
  CHECK_THAT(complaint("<default><geom name=\"a\"/></default>"),
             ContainsSubstring("cannot be set in a default class"));
  CHECK_THAT(complaint("<default><motor joint=\"a\"/></default>"),
             ContainsSubstring("cannot be set in a default class"));
}

TEST_CASE("malformed XML is told with its line", "[mjcf]") {
  const auto complain = [](const std::string& text) {
    try {
      read_mjcf_text(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(complain("<mujoco>\n<worldbody>\n</mujoco>"),
             ContainsSubstring("scene.xml:") && ContainsSubstring("malformed XML"));
  CHECK_THAT(complain("<mujoco/>\n<mujoco/>"),
             ContainsSubstring("scene.xml:2: malformed XML: <mujoco> is a second root"));
  CHECK_THAT(complain("<mujoco><worldbody><geom size=\"1\" size=\"2\"/></worldbody></mujoco>"),
             ContainsSubstring("scene.xml:1: malformed XML: an attribute is given twice or"));
  CHECK(complain(std::string("<mujoco/>\n\0<geom/>", 19)) ==
        "scene.xml:2: malformed XML: a byte is zero; the file must be text in UTF-8");
  CHECK_THAT(complain(""), ContainsSubstring("holds no XML element"));
  CHECK_THAT(complain("<robot/>"),
             ContainsSubstring("the root element of a model must be <mujoco>"));
  std::string deep = "<mujoco><worldbody>";
  for (int i = 0; i < 3000; i++) {
    deep += "<body>";
  }
  CHECK(complain(deep) ==
        "scene.xml:1: elements are nested deeper than 98, the limit of the XML library "
        "(TinyXML-2); an <include> begins anew");
}

TEST_CASE("sizes that nothing could hold are refused where they are asked for", "[mjcf]") {
  CHECK(world_complaint("<replicate count=\"100000000\"><geom size=\"1\"/></replicate>") ==
        "scene.xml:1: <replicate>: attribute 'count' is 100000000, must be at most 1000000");
  CHECK_THAT(world_complaint("<replicate count=\"1000\">\n<replicate count=\"1001\"><geom "
                             "name=\"g\" size=\"1\"/></replicate></replicate>"),
             ContainsSubstring("scene.xml:2: frame: there are more than 1000000 elements"));
  CHECK_THAT(world_complaint("<replicate count=\"2000\">\n<replicate count=\"2000\"/></replicate>"),
             ContainsSubstring("scene.xml:") && ContainsSubstring("more than 1000000 elements"));
  CHECK_THAT(complaint("<size nkey=\"2000000000\"/>"),
             ContainsSubstring("attribute 'nkey' is 2000000000, must be at most 1000000"));
  CHECK_THAT(complaint("<size nuserdata=\"2000000000\"/>"), ContainsSubstring("'nuserdata'"));
  CHECK_THAT(complaint("<custom><numeric name=\"n\" size=\"1000000000\"/></custom>"),
             ContainsSubstring("attribute 'size' is 1000000000, must be 1 to 67108864"));
  CHECK_THAT(complaint("<asset><hfield name=\"h\" nrow=\"100000\" ncol=\"100000\" size=\"1 1 1 "
                       "1\"/></asset>"),
             ContainsSubstring("attributes 'nrow' and 'ncol' are 100000 and 100000"));
  CHECK_THAT(complaint("<sensor><user dim=\"2000000000\"/></sensor>"),
             ContainsSubstring("attribute 'dim' is 2000000000"));
  CHECK_THAT(complaint("<sensor><contact num=\"2000000000\"/></sensor>"),
             ContainsSubstring("attribute 'num' is 2000000000"));
}

TEST_CASE("user values beyond those that the file says there are, are refused", "[mjcf]") {
  CHECK(complaint("<size nuser_geom=\"2\"/><worldbody><geom name=\"g\" size=\"1\" user=\"1 2 "
                  "3\"/></worldbody>") ==
        "scene.xml:1: <geom> 'g': attribute 'user' has 3 values, <size nuser_geom=\"2\"> allows no "
        "more than 2");
  const std::pair<const char*, const char*> elements[] = {
      {"body", "<worldbody><body user=\"1 2\"/></worldbody>"},
      {"jnt", "<worldbody><body><joint user=\"1 2\"/></body></worldbody>"},
      {"site", "<worldbody><site user=\"1 2\"/></worldbody>"},
      {"cam", "<worldbody><camera user=\"1 2\"/></worldbody>"},
      {"sensor", "<sensor><clock user=\"1 2\"/></sensor>"},
      {"actuator",
       "<worldbody><body><joint name=\"j\"/></body></worldbody><actuator><motor joint=\"j\" "
       "user=\"1 2\"/></actuator>"},
      {"tendon",
       "<worldbody><body><joint name=\"j\"/></body></worldbody><tendon><fixed user=\"1 2\"><joint "
       "joint=\"j\" coef=\"1\"/></fixed></tendon>"}};
  for (const auto& [name, xml] : elements) {
    INFO(name);
    const auto with_size = [&](int n) {
      return complaint(fmt::format("<size nuser_{}=\"{}\"/>{}", name, n, xml));
    };
    CHECK_THAT(with_size(1), ContainsSubstring("attribute 'user' has 2 values"));
    CHECK_THAT(with_size(0), ContainsSubstring("attribute 'user' has 2 values"));
    CHECK(with_size(2).empty());
    CHECK(with_size(-1).empty());
  }
  const std::string of_class = "<size nuser_geom=\"1\"/><default><geom user=\"1 2\"/></default>";
  CHECK(complaint(of_class).empty());
  CHECK_THAT(complaint(of_class + "<worldbody><geom size=\"1\"/></worldbody>"),
             ContainsSubstring("attribute 'user' has 2 values"));
  CHECK(complaint(of_class + "<worldbody><geom size=\"1\" user=\"1\"/></worldbody>").empty());
}

TEST_CASE("inline normals come in threes, texture coordinates in twos and one a vertex", "[mjcf]") {
  const auto mesh = [](const std::string& attribute) {
    return complaint("<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" " + attribute +
                     "/></asset>");
  };
  CHECK(mesh("normal=\"1 0 0 0 1 0\"").empty());
  CHECK_THAT(mesh("normal=\"1 0 0 1\""), ContainsSubstring("attribute 'normal' has 4 values"));
  CHECK(mesh("texcoord=\"1 0 0 1 0 0 1 1\"").empty());
  CHECK_THAT(mesh("texcoord=\"1 0 1\""), ContainsSubstring("must have two a vertex"));
  CHECK_THAT(mesh("texcoord=\"1 0\""), ContainsSubstring("two for each of 4 vertices"));
}

TEST_CASE("settings out of range are refused", "[mjcf]") {
  CHECK_THAT(complaint("<asset><texture name=\"t\" builtin=\"flat\" width=\"-4\"/></asset>"),
             ContainsSubstring("attribute 'width' is -4, must be positive"));
  CHECK_THAT(complaint("<sensor><clock interval=\"-1\"/></sensor>"),
             ContainsSubstring("attribute 'interval' is -1"));
  CHECK_THAT(world_complaint("<light softness=\"7\"/>"),
             ContainsSubstring("attribute 'softness' is 7, must be 0 to 1"));
  CHECK_THAT(complaint("<size nuserdata=\"-1\"/>"),
             ContainsSubstring("attribute 'nuserdata' is -1, must be 0 or more"));
  CHECK_THAT(complaint("<size memory=\"1Mx\"/>"), ContainsSubstring("attribute 'memory' is '1Mx'"));
  CHECK(complaint("<size memory=\"12M\"/>").empty());
  CHECK_THAT(complaint("<option actuatorgroupdisable=\"31\"/>"),
             ContainsSubstring("groups go from 0 to 30"));
  CHECK_THAT(complaint("<compiler coordinate=\"global\"/>"),
             ContainsSubstring("global coordinates"));
  CHECK_THAT(complaint("<compiler eulerseq=\"xya\"/>"),
             ContainsSubstring("attribute 'eulerseq' is 'xya'"));
}

TEST_CASE("text between elements is left out with a warning", "[mjcf]") {
  const Spec spec = read_mjcf_text(
      "<mujoco>\n<worldbody> <!-- a comment -->\n  <geom name='g' size='1'/>/>\n</worldbody>\n"
      "<![CDATA[x]]></mujoco>");
  CHECK(spec.warnings ==
        std::vector<std::string>{"scene.xml:3: <worldbody>: text '/>' between elements is left out",
                                 "scene.xml:5: <mujoco>: text 'x' between elements is left out"});
  CHECK(read_world("<geom size=\"1\"/>").warnings.empty());
}

TEST_CASE("a texture's pixels come from somewhere", "[mjcf]") {
  const auto texture = [](const std::string& attributes, const std::string& defaults = "") {
    return complaint("<default><texture " + defaults + "/></default><asset><texture name=\"t\" " +
                     attributes + "/></asset>");
  };
  CHECK(texture("builtin=\"flat\" width=\"4\"").empty());
  CHECK(texture("type=\"2d\" builtin=\"flat\" width=\"4\" height=\"4\"").empty());
  CHECK(texture("type=\"2d\"", "builtin=\"flat\" width=\"4\" height=\"4\"").empty());
  CHECK_THAT(texture("builtin=\"flat\""),
             ContainsSubstring("<texture> 't': attribute 'width' is 0, must be positive"));
  CHECK_THAT(texture("type=\"2d\" builtin=\"flat\" width=\"4\""),
             ContainsSubstring("attribute 'height' is 0, must be positive"));
  CHECK_THAT(texture("builtin=\"flat\" width=\"4\" nchannel=\"4\""),
             ContainsSubstring("attribute 'nchannel' is 4, must be 3"));
  CHECK_THAT(texture("type=\"2d\""), ContainsSubstring("neither 'file' nor 'builtin'"));
  CHECK_THAT(texture("type=\"skybox\""), ContainsSubstring("nor a file of a side"));
}

TEST_CASE("a sensor's timing is one that can be kept", "[mjcf]") {
  const auto clock = [](const std::string& attributes) {
    return complaint("<sensor><clock " + attributes + "/></sensor>");
  };
  CHECK(clock("interval=\"1 -0.5\" nsample=\"2\" delay=\"1\"").empty());
  CHECK_THAT(clock("interval=\"1 0.1\""), ContainsSubstring("'interval' has the phase 0.1"));
  CHECK_THAT(clock("interval=\"1 -1\""), ContainsSubstring("'interval' has the phase -1"));
  CHECK_THAT(clock("delay=\"1\""), ContainsSubstring("attribute 'delay' is 1, which needs"));
  CHECK_THAT(clock("nsample=\"16777217\""), ContainsSubstring("attribute 'nsample' is 16777217"));
}
