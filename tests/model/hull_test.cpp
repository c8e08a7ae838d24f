#include "model/hull.h"

#include <random>
#include <set>

#include "catch.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;
using namespace meshes;

std::vector<Vec3> box_points() {
  const std::vector<float> v = box_vertices();
  std::vector<Vec3> points;
  for (size_t i = 0; i < v.size(); i += 3) {
    points.push_back({v[i], v[i + 1], v[i + 2]});
  }
  return points;
}

std::string hull_error(const std::vector<Vec3>& points) {
  try {
    convex_hull(mesh_spec(), points);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_CASE("the hull of a box has its corners, and triangles in MuJoCo's order", "[hull]") {
  std::vector<Vec3> points = box_points();
  points.push_back({0.5, 1, 1.5});  // inside
  const HullGraph graph = convex_hull(mesh_spec(), points);
  CHECK(graph[0] == 8);
  CHECK(graph[1] == 12);
  CHECK(graph.size() == 2 + 3 * 8 + 6 * 12);
  const std::vector<int> vertices = hull_vertices(graph);
  CHECK(std::set<int>(vertices.begin(), vertices.end()) == std::set<int>{0, 1, 2, 3, 4, 5, 6, 7});

  // m.mesh_graph of MuJoCo 4.0.0 for the same vertices, without the one inside
  const std::vector<Triangle> expected = {{2, 6, 0}, {6, 4, 0}, {4, 5, 0}, {5, 1, 0},
                                          {6, 5, 4}, {5, 6, 7}, {3, 2, 0}, {1, 3, 0},
                                          {3, 6, 2}, {6, 3, 7}, {5, 3, 1}, {3, 5, 7}};
  CHECK(hull_triangles(convex_hull(mesh_spec(), box_points())) == expected);
}

TEST_CASE("each hull vertex lists its neighbours once, and they list it", "[hull]") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Vec3> points(200);
  for (Vec3& p : points) {
    p = {normal(random), normal(random), normal(random)};
  }
  const HullGraph graph = convex_hull(mesh_spec(), points);
  const int num_vertices = graph[0];
  const int* address = graph.data() + 2;
  const int* neighbours = address + 2 * num_vertices;
  std::set<std::pair<int, int>> edges;
  for (int i = 0; i < num_vertices; i++) {
    for (int at = address[i]; neighbours[at] >= 0; at++) {
      CHECK(edges.insert({i, neighbours[at]}).second);
    }
  }
  for (const auto& [a, b] : edges) {
    CHECK(edges.count({b, a}) == 1);
  }
  CHECK(num_vertices - static_cast<int>(edges.size()) / 2 + graph[1] == 2);  // Euler
}

TEST_CASE("maxhullvert limits the number of hull vertices", "[hull]") {
  std::vector<Vec3> points;
  for (int i = 0; i < 100; i++) {
    const double angle = 0.1 * i;
    points.push_back({std::cos(angle), std::sin(angle), i % 2 ? 1. : -1.});
  }
  SpecMesh spec = mesh_spec();
  CHECK(convex_hull(spec, points)[0] == 100);
  for (const int limit : {4, 5, 20}) {
    spec.maxhullvert = limit;
    CHECK(convex_hull(spec, points)[0] == limit);
  }
}

TEST_CASE("points without volume are refused with advice", "[hull]") {
  CHECK_THAT(hull_error({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}),
             ContainsSubstring("small sphere"));
  CHECK_THAT(hull_error({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}),
             ContainsSubstring("thin capsule"));
  CHECK_THAT(hull_error({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}), ContainsSubstring("flat"));
}

TEST_CASE("mirroring turns the triangles over and keeps their first corner", "[hull]") {
  HullGraph graph = convex_hull(mesh_spec(), box_points());
  mirror_hull(graph);
  CHECK(hull_triangles(graph)[0] == Triangle{2, 0, 6});
}

}  // namespace
}  // namespace mjjit
