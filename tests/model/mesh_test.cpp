#include "model/mesh.h"

#include <cmath>

#include "catch.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;

enum Inertia { kConvex = 0, kExact = 1, kLegacy = 2, kShell = 3 };

SpecMesh box_spec(int inertia = kLegacy) {
  SpecMesh spec = mesh_spec(box_vertices(), box_faces());
  spec.inertia = inertia;
  return spec;
}

void check_vec(const Vec3& actual, const Vec3& expected, double margin = 1e-12) {
  for (int i = 0; i < 3; i++) {
    CHECK(actual[i] == Approx(expected[i]).margin(margin));
  }
}

// L-shaped prism of height 1: the unit square [0, 2]² without [1, 2]², which legacy counts
// differently
SpecMesh notched_spec(int inertia) {
  std::vector<float> v;
  for (const float z : {0.f, 1.f}) {
    for (const auto& [x, y] : {std::pair{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}) {
      v.insert(v.end(), {static_cast<float>(x), static_cast<float>(y), z});
    }
  }
  std::vector<int> f;
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    f.insert(f.end(), {a, c, b, a + 6, b + 6, c + 6});
  }
  for (int i = 0; i < 6; i++) {
    const int j = (i + 1) % 6;
    f.insert(f.end(), {i, j, i + 6, j, j + 6, i + 6});
  }
  SpecMesh spec = mesh_spec(v, f);
  spec.inertia = inertia;
  return spec;
}

TEST_CASE("a box mesh has the volume, centre and moments of the box", "[mesh]") {
  for (const int inertia : {kConvex, kExact, kLegacy}) {
    const MeshData mesh = compile_mesh(box_spec(inertia), {});
    CHECK(mesh.volume == Approx(1. * 2 * 3));
    check_vec(mesh.pos, {0.5, 1, 1.5});
    // volume / 12 · (sum of the squares of two sides), largest first
    check_vec(mesh.inertia, {6. / 12 * (4 + 9), 6. / 12 * (1 + 9), 6. / 12 * (1 + 4)});
    check_vec(mesh.inertia_box, {0.5, 1, 1.5});
    check_vec(mesh.aamm_min, {-0.5, -1, -1.5});
    check_vec(mesh.aamm_max, {0.5, 1, 1.5});
  }
}

TEST_CASE("a box shell has the area of its sides", "[mesh]") {
  const MeshData mesh = compile_mesh(box_spec(kShell), {});
  CHECK(mesh.volume == Approx(2. * (1 * 2 + 2 * 3 + 1 * 3)));
  check_vec(mesh.pos, {0.5, 1, 1.5});
}

TEST_CASE("principal axes come with the largest moment first", "[mesh]") {
  SpecMesh spec = box_spec();
  spec.scale = {3, 1, 1. / 3};  // sides 3, 2, 1: the largest moment is about z
  const MeshData mesh = compile_mesh(spec, {});
  check_vec(mesh.inertia, {6. / 12 * (9 + 4), 6. / 12 * (9 + 1), 6. / 12 * (4 + 1)}, 1e-7);
  // mesh_quat of MuJoCo 4.0.0
  CHECK(mesh.quat[0] == Approx(0).margin(1e-12));
  CHECK(mesh.quat[1] == Approx(std::sqrt(0.5)));
  CHECK(mesh.quat[2] == Approx(0).margin(1e-12));
  CHECK(mesh.quat[3] == Approx(std::sqrt(0.5)));
  check_vec(mesh.aamm_max, {0.5, 1, 1.5}, 1e-7);
}

TEST_CASE("a mesh with a notch tells its inertia modes apart", "[mesh]") {
  CHECK(compile_mesh(notched_spec(kExact), {}).volume == Approx(3));
  // the hull adds the triangle (2, 1) (1, 2) (1, 1)
  CHECK(compile_mesh(notched_spec(kConvex), {}).volume == Approx(3.5));
  CHECK(compile_mesh(notched_spec(kShell), {}).volume == Approx(2 * 3 + 8));
  check_vec(compile_mesh(notched_spec(kExact), {}).pos, {5. / 6, 5. / 6, 0.5});
}

TEST_CASE("legacy inertia counts faces that point inward like the others", "[mesh]") {
  SpecMesh spec = box_spec(kLegacy);
  std::swap(spec.userface[0], spec.userface[1]);
  CHECK(compile_mesh(spec, {}).volume == Approx(6));
  spec.inertia = kExact;
  CHECK_THAT(mesh_error(spec),
             ContainsSubstring("exact") && ContainsSubstring("scene.xml:3: mesh 'part'"));
}

TEST_CASE("faces that all point inward are a negative volume", "[mesh]") {
  SpecMesh spec = box_spec(kExact);
  for (size_t i = 0; i < spec.userface.size(); i += 3) {
    std::swap(spec.userface[i], spec.userface[i + 1]);
  }
  CHECK_THAT(mesh_error(spec), ContainsSubstring("negative"));
}

TEST_CASE("an odd number of negative scales keeps faces, hull and polygons outward", "[mesh]") {
  SpecMesh spec = box_spec(kExact);
  spec.scale = {1, -1, 1};
  const MeshData mesh = compile_mesh(spec, {true});
  CHECK(mesh.volume == Approx(6));
  check_vec(mesh.pos, {0.5, -1, 1.5});

  const auto outward = [&](int a, int b, int c) {
    double p[3][3];
    for (int i = 0; i < 3; i++) {
      p[0][i] = mesh.vert[3 * a + i];
      p[1][i] = mesh.vert[3 * b + i] - p[0][i];
      p[2][i] = mesh.vert[3 * c + i] - p[0][i];
    }
    return p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
               p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]) >
           0;
  };
  for (size_t i = 0; i < mesh.face.size(); i += 3) {
    CHECK(outward(mesh.face[i], mesh.face[i + 1], mesh.face[i + 2]));
  }
  for (size_t i = mesh.graph.size() - 3 * mesh.graph[1]; i < mesh.graph.size(); i += 3) {
    CHECK(outward(mesh.graph[i], mesh.graph[i + 1], mesh.graph[i + 2]));
  }
  for (const int at : mesh.polyvertadr) {
    CHECK(outward(mesh.polyvert[at], mesh.polyvert[at + 1], mesh.polyvert[at + 2]));
  }
}

TEST_CASE("the reference frame is taken off before the scale", "[mesh]") {
  SpecMesh spec = box_spec();
  spec.refpos = {0.5, 1, 1.5};
  spec.refquat = {0, 0, 0, 2};  // half a turn about z, not normalised
  spec.scale = {2, 2, 2};
  check_vec(compile_mesh(spec, {}).pos, {0, 0, 0});
  spec.refpos = {0, 0, 0};
  check_vec(compile_mesh(spec, {}).pos, {-1, -2, 3});
}

TEST_CASE("a mesh without faces gets those of its hull", "[mesh]") {
  const MeshData mesh = compile_mesh(mesh_spec(box_vertices()), {});
  CHECK(mesh.face.size() == 3 * 12);
  CHECK(mesh.face == std::vector<int>(mesh.graph.end() - 36, mesh.graph.end()));
  CHECK(mesh.volume == Approx(6));
}

TEST_CASE("a hull is made only where it is needed", "[mesh]") {
  CHECK(compile_mesh(box_spec(kLegacy), {}).graph.empty());
  CHECK(compile_mesh(box_spec(kLegacy), {}).polyvertnum.empty());
  CHECK(compile_mesh(box_spec(kLegacy), {true}).graph.size() == 2 + 3 * 8 + 6 * 12);
  CHECK(!compile_mesh(box_spec(kConvex), {}).graph.empty());
}

TEST_CASE("a flat mesh loads as a shell and says what to do otherwise", "[mesh]") {
  SpecMesh spec = mesh_spec({0, 0, 0, 0.5, 0, 0, 0.5, 0, 0.75, 0, 0, 0.75}, {0, 1, 2, 0, 2, 3});
  spec.inertia = kShell;
  CHECK(compile_mesh(spec, {}).volume == Approx(0.5 * 0.75));
  CHECK_THAT(mesh_error(spec, true), ContainsSubstring("flat") && ContainsSubstring("'part'"));
  spec.inertia = kLegacy;
  CHECK_THAT(mesh_error(spec), ContainsSubstring("inertia=\"shell\""));
}

TEST_CASE("unusable vertices and faces are reported at the element", "[mesh]") {
  const auto check = [](const SpecMesh& spec, const char* text) {
    CHECK_THAT(mesh_error(spec),
               ContainsSubstring("scene.xml:3: mesh 'part'") && ContainsSubstring(text));
  };
  check(mesh_spec(), "at least 4 vertices");
  check(mesh_spec({0, 0, 0, 1, 0, 0, 0, 1, 0}), "at least 4 vertices");
  check(mesh_spec({0, 0, 0, 1}), "multiple of 3");
  check(mesh_spec(box_vertices(), {0, 1}), "multiple of 3");
  check(mesh_spec(box_vertices(), {0, 1, 8}), "vertex 8");
  check(mesh_spec(box_vertices(), {0, 1, -1}), "vertex -1");
  SpecMesh spec = box_spec();
  spec.uservert[4] = NAN;
  check(spec, "vertex 1 is not finite");
  spec = box_spec();
  spec.maxhullvert = 3;
  check(spec, "maxhullvert");
  spec = box_spec(kShell);
  spec.scale = {0, 0, 0};
  check(spec, "area is too small");
}

}  // namespace
}  // namespace mjjit
