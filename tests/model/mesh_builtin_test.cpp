#include <cmath>

#include "catch.h"
#include "model/mesh.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;

SpecMesh builtin_spec(const std::string& shape, std::vector<double> params) {
  SpecMesh spec = mesh_spec();
  spec.builtin = shape;
  spec.params = std::move(params);
  return spec;
}

TEST_CASE("made shapes have the sizes that their parameters ask for", "[mesh]") {
  struct Shape {
    const char* name;
    std::vector<double> params;
    size_t vertices, faces;
  };
  // sphere: an icosahedron, each subdivision makes four faces of one; hemisphere: 4 (r + 1)² faces
  // and as many on the flat side as the rim has edges; supersphere and supertorus: grids of n × n;
  // cone: hull of two polygons
  const std::vector<Shape> shapes = {{"sphere", {0}, 12, 20},
                                     {"sphere", {1}, 42, 80},
                                     {"hemisphere", {2}, 26, 36 + 12},
                                     {"supersphere", {5, 1, 1}, 22, 40},
                                     {"supertorus", {6, .4, 1, 1}, 36, 72},
                                     {"cone", {5, 0}, 6, 8},
                                     {"cone", {5, 0.5}, 10, 16}};
  for (const Shape& shape : shapes) {
    CAPTURE(shape.name);
    const MeshData mesh = compile_mesh(builtin_spec(shape.name, shape.params), {});
    CHECK(mesh.vert.size() == 3 * shape.vertices);
    CHECK(mesh.face.size() == 3 * shape.faces);
  }
}

TEST_CASE("an icosahedron in the unit sphere has its volume", "[mesh]") {
  // edge a of an icosahedron with circumradius 1, and 5 (3 + √5) / 12 · a³
  const double edge = 1 / std::sin(2 * 3.14159265358979323846 / 5);
  CHECK(compile_mesh(builtin_spec("sphere", {0}), {}).volume ==
        Approx(5 * (3 + std::sqrt(5.)) / 12 * std::pow(edge, 3)).epsilon(1e-6));
}

TEST_CASE("a plate is a shell and a wedge is the hull of its points", "[mesh]") {
  // vertices at the middles of 4 × 2 cells of [-1, 1]²: a rectangle of 1.5 × 1
  CHECK(compile_mesh(builtin_spec("plate", {4, 2}), {}).volume == Approx(1.5 * 1));
  const MeshData wedge = compile_mesh(builtin_spec("wedge", {3, 4, 60, 45, 0}), {});
  CHECK(wedge.vert.size() == 3 * 12);
  CHECK(wedge.graph[0] == 12);  // all lie on a sphere
}

TEST_CASE("wrong parameters of a made shape are refused", "[mesh]") {
  const auto check = [](const std::string& shape, std::vector<double> params, const char* text) {
    CHECK_THAT(mesh_error(builtin_spec(shape, std::move(params))),
               ContainsSubstring("scene.xml:3: mesh 'part'") && ContainsSubstring(text));
  };
  check("sphere", {}, "takes 1 parameters");
  check("sphere", {5}, "0 to 4");
  check("sphere", {NAN}, "0 to 4");
  check("hemisphere", {-1}, "0 to 10");
  check("supersphere", {2, 1, 1}, "resolution");
  check("supertorus", {12, 0, 1, 1}, "greater than 0");
  check("cone", {2, 1}, "edges");
  check("cone", {4, 2}, "0 to 1");
  check("wedge", {7, 9, 100, 60, 1.3}, "gamma");
  check("plate", {1e9, 1}, "resolution");
  check("prism", {1}, "unknown");
  check("box", {3, 3, 3, 1, 1, 1}, "not supported yet");
}

}  // namespace
}  // namespace mjjit
