#include "model/mesh_polygons.h"

#include <cmath>

#include "catch.h"
#include "model/hull.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;
using namespace meshes;

TEST_CASE("the triangles of a box merge into six sides, in MuJoCo's order", "[mesh]") {
  const MeshData mesh = compile_mesh(mesh_spec(box_vertices(), box_faces()), {true});
  // m.mesh_polyvert and m.mesh_polynormal of MuJoCo 4.0.0; the frame keeps the axes, so normals are
  // along them
  CHECK(mesh.polyvertnum == std::vector<int>(6, 4));
  CHECK(mesh.polyvertadr == std::vector<int>{0, 4, 8, 12, 16, 20});
  CHECK(mesh.polyvert ==
        std::vector<int>{3, 1, 5, 7, 3, 2, 0, 1, 6, 2, 3, 7, 5, 4, 6, 7, 4, 5, 1, 0, 2, 6, 4, 0});
  const std::vector<double> normals = {0, 0, 1, -1, 0, 0, 0, 1, 0, 1, 0, 0, 0, -1, 0, 0, 0, -1};
  for (size_t i = 0; i < normals.size(); i++) {
    CHECK(mesh.polynormal[i] == Approx(normals[i]).margin(1e-12));
  }
  // each corner belongs to three sides
  CHECK(mesh.polymapnum == std::vector<int>(8, 3));
  CHECK(std::vector<int>(mesh.polymap.begin(), mesh.polymap.begin() + 3) ==
        std::vector<int>{1, 4, 5});
}

TEST_CASE("triangles merge only where they touch", "[mesh]") {
  // two squares in one plane, apart from each other
  std::vector<Vec3> points;
  for (const double x : {0., 5.}) {
    points.insert(points.end(), {{x, 0, 0}, {x + 1, 0, 0}, {x + 1, 1, 0}, {x, 1, 0}});
  }
  const std::vector<Triangle> apart = {{0, 1, 2}, {4, 5, 6}, {0, 2, 3}, {4, 6, 7}};
  Polygons polygons = merge_coplanar(points, apart);
  REQUIRE(polygons.size() == 2);
  CHECK(polygons[0].size() == 4);
  CHECK(polygons[1].size() == 4);

  // a strip between them joins both
  std::vector<Triangle> joined = apart;
  joined.insert(joined.end(), {{1, 4, 7}, {1, 7, 2}});
  polygons = merge_coplanar(points, joined);
  REQUIRE(polygons.size() == 1);
  CHECK(polygons[0].size() == 8);
}

TEST_CASE("triangles of directions further apart than the grid stay apart", "[mesh]") {
  const auto roof = [](double angle) {
    const std::vector<Vec3> points = {
        {-1, 0, -std::tan(angle)}, {0, 0, 0}, {0, 1, 0}, {1, 0, -std::tan(angle)}};
    return merge_coplanar(points, std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}).size();
  };
  CHECK(roof(0.0001) == 1);
  CHECK(roof(0.1) == 2);
}

TEST_CASE("the normal of a polygon is the mean over its area", "[mesh]") {
  // the first three corners lie almost on a line, and even turn the wrong way
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 1e-9, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  const Vec3 normal = polygon_normal(points, {0, 1, 2, 3, 4});
  CHECK(normal[2] == Approx(1));
  Polygons polygons = {{0, 4, 3, 2, 1}};
  turn_outward(points, {0, 0, -1}, polygons);
  CHECK(polygons[0] == std::vector<int>{0, 1, 2, 3, 4});
}

}  // namespace
}  // namespace mjjit
