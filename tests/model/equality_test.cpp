#include "model/compile_text.h"

namespace mjjit {
namespace {

using namespace test;

const char* kBodies = R"(
  <body name="a" pos="1 2 3"><freejoint/><geom size="1"/><site name="sa"/></body>
  <body name="b" pos="0 1 0" euler="0 0 90"><freejoint/><geom size="1"/><site name="sb"/></body>
  <body><joint name="j"/><joint name="s" type="slide"/><geom size="1"/></body>
  <body><joint name="ball" type="ball"/><geom size="1"/></body>)";

Model with(const std::string& equality) {
  return compile_text(scene(kBodies, "<equality>" + equality + "</equality>"));
}

TEST_CASE("a connect's anchor is found in the second body's frame", "[equality]") {
  const Model m = with("<connect body1='a' body2='b' anchor='1 0 0'/>");
  // anchor at (2, 2, 3); from b at (0, 1, 0): (2, 1, 3), turned back by 90 degrees about z: (1, -2,
  // 3)
  check_close(row_of(m.eq_data, 0, 12).first(6), {1, 0, 0, 1, -2, 3});
}

TEST_CASE("the world stands in for a second body", "[equality]") {
  const Model m = with("<connect body1='a' anchor='1 0 0'/>");
  CHECK(m.eq_obj2id[0] == 0);
  check_close(row_of(m.eq_data, 0, 12).first(6), {1, 0, 0, 2, 2, 3});
}

TEST_CASE("a weld keeps the relative pose of the reference configuration", "[equality]") {
  const Model m = with("<weld body1='a' body2='b'/>");
  const double h = std::sqrt(0.5);
  check_close(row_of(m.eq_data, 0, 12).first(11), {0, 0, 0, -1, -1, -3, h, 0, 0, h, 1});
}

TEST_CASE("a weld's own relative pose is normalised", "[equality]") {
  const Model m =
      with("<weld body1='a' body2='b' anchor='0 0 1' relpose='1 2 3 2 0 0 0' torquescale='.3'/>");
  check_close(row_of(m.eq_data, 0, 12).first(11), {0, 0, 1, 1, 2, 3, 1, 0, 0, 0, 0.3});
}

TEST_CASE("constraints between sites and joints carry no poses", "[equality]") {
  const Model m = with(
      "<connect site1='sa' site2='sb'/><joint joint1='j' polycoef='1 2'/><joint joint1='j' "
      "joint2='s'/>");
  check_close(row_of(m.eq_data, 0, 12), std::vector<double>(12));
  check_close(row_of(m.eq_data, 1, 12).first(5), {1, 2, 0, 0, 0});
  check_close(row_of(m.eq_data, 2, 12).first(5), {0, 1, 0, 0, 0});
  CHECK(m.eq_objtype == std::vector<int>{6, 0, 0});
  CHECK(m.eq_obj2id == std::vector<int>{1, -1, 3});
}

TEST_CASE("constraints that cannot be are errors that name the object", "[equality]") {
  const auto error = [](const std::string& equality) {
    return compile_error(scene(kBodies, "<equality>" + equality + "</equality>"));
  };
  CHECK_THAT(error("<connect body1='nope' anchor='0 0 0'/>"), ContainsSubstring("nope"));
  CHECK_THAT(error("<joint joint1='ball'/>"), ContainsSubstring("'ball' is not a hinge or slide"));
  CHECK_THAT(error("<weld body1='a' body2='a'/>"), ContainsSubstring("itself"));
}

}  // namespace
}  // namespace mjjit
