#include "mjcf/keywords.h"

#include <cassert>
#include <map>

namespace mjjit::mjcf {
namespace {

using Table = std::map<std::string_view, std::vector<Keyword>>;

const Table& table() {
  static const Table sets = {
      {"bool", {{"false", 0}, {"true", 1}}},
      {"auto_bool", {{"false", 0}, {"true", 1}, {"auto", 2}}},
      {"false_auto", {{"false", 0}, {"auto", 1}}},
      {"switch", {{"disable", 0}, {"enable", 1}}},
      {"headlight", {{"0", 0}, {"1", 1}, {"2", 2}, {"false", 0}, {"true", 1}}},
      {"angle", {{"radian", 0}, {"degree", 1}}},
      {"coordinate", {{"local", 0}, {"global", 1}}},
      {"conflict", {{"warning", 0}, {"merge", 1}, {"error", 2}}},
      {"passthrough", {{"none", 0}, {"textures", 1}}},
      {"lrmode", {{"none", 0}, {"muscle", 1}, {"muscleuser", 2}, {"all", 3}}},
      {"integrator",
       {{"Euler", 0}, {"RK4", 1}, {"implicit", 2}, {"implicitfast", 3}, {"discrete", 4}}},
      {"cone", {{"pyramidal", 0}, {"elliptic", 1}}},
      {"jacobian", {{"dense", 0}, {"sparse", 1}, {"auto", 2}}},
      {"solver", {{"PGS", 0}, {"CG", 1}, {"Newton", 2}}},
      {"sleep", {{"auto", 0}, {"never", 3}, {"allowed", 4}, {"init", 5}}},
      {"joint", {{"free", 0}, {"ball", 1}, {"slide", 2}, {"hinge", 3}}},
      {"geom",
       {{"plane", 0},
        {"hfield", 1},
        {"sphere", 2},
        {"capsule", 3},
        {"ellipsoid", 4},
        {"cylinder", 5},
        {"box", 6},
        {"mesh", 7},
        {"sdf", 8}}},
      {"fluidshape", {{"none", 0}, {"ellipsoid", 1}}},
      {"projection", {{"perspective", 0}, {"orthographic", 1}}},
      {"camlight",
       {{"fixed", 0}, {"track", 1}, {"trackcom", 2}, {"targetbody", 3}, {"targetbodycom", 4}}},
      {"light", {{"spot", 0}, {"directional", 1}, {"point", 2}, {"image", 3}}},
      {"camout", {{"rgb", 1}, {"depth", 2}, {"distance", 4}, {"normal", 8}, {"segmentation", 16}}},
      {"texture", {{"2d", 0}, {"cube", 1}, {"skybox", 2}}},
      {"colorspace", {{"auto", 0}, {"linear", 1}, {"sRGB", 2}}},
      {"builtin", {{"none", 0}, {"gradient", 1}, {"checker", 2}, {"flat", 3}}},
      {"mark", {{"none", 0}, {"edge", 1}, {"cross", 2}, {"random", 3}}},
      {"texrole",
       {{"rgb", 1},
        {"occlusion", 2},
        {"roughness", 3},
        {"metallic", 4},
        {"normal", 5},
        {"opacity", 6},
        {"emissive", 7},
        {"rgba", 8},
        {"orm", 9}}},
      {"meshinertia", {{"convex", 0}, {"exact", 1}, {"legacy", 2}, {"shell", 3}}},
      {"meshbuiltin",
       {{"none", 0},
        {"sphere", 1},
        {"hemisphere", 2},
        {"cone", 3},
        {"supersphere", 4},
        {"supertorus", 5},
        {"wedge", 6},
        {"plate", 7},
        {"grid", 8},
        {"box", 9},
        {"cylinder", 10},
        {"ellipsoid", 11},
        {"square", 12},
        {"disc", 13}}},
      {"dyn",
       {{"none", 0},
        {"integrator", 1},
        {"filter", 2},
        {"filterexact", 3},
        {"muscle", 4},
        {"dcmotor", 5},
        {"pid", 6},
        {"user", 7}}},
      {"gain",
       {{"fixed", 0},
        {"affine", 1},
        {"muscle", 2},
        {"dcmotor", 3},
        {"so3", 4},
        {"pid", 5},
        {"user", 6}}},
      {"bias",
       {{"none", 0}, {"affine", 1}, {"muscle", 2}, {"dcmotor", 3}, {"so3", 4}, {"user", 5}}},
      {"interp", {{"zoh", 0}, {"linear", 1}, {"cubic", 2}}},
      {"stage", {{"none", 0}, {"pos", 1}, {"vel", 2}, {"acc", 3}}},
      {"datatype", {{"real", 0}, {"positive", 1}, {"axis", 2}, {"quaternion", 3}}},
      {"frameobj", {{"body", 1}, {"xbody", 2}, {"geom", 5}, {"site", 6}, {"camera", 7}}},
      {"condata",
       {{"found", 0},
        {"force", 1},
        {"torque", 2},
        {"dist", 3},
        {"pos", 4},
        {"normal", 5},
        {"tangent", 6},
        {"linvel", 7},
        {"angvel", 8}}},
      {"raydata",
       {{"dist", 0}, {"dir", 1}, {"origin", 2}, {"point", 3}, {"normal", 4}, {"depth", 5}}},
      {"reduce", {{"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}}},
  };
  return sets;
}

}  // namespace

const std::vector<Keyword>& keyword_set(std::string_view name) {
  const auto found = table().find(name);
  assert(found != table().end());
  return found->second;
}

}  // namespace mjjit::mjcf
