#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "model/mesh_builtin_parts.h"

namespace mjjit::meshes {
namespace {

using std::numbers::pi;

// cosine and sine with their sizes raised to a power: the section of a superquadric
double power_cos(double angle, double power) {
  return std::copysign(std::pow(std::abs(std::cos(angle)), power), std::cos(angle));
}

double power_sin(double angle, double power) {
  return std::copysign(std::pow(std::abs(std::sin(angle)), power), std::sin(angle));
}

// upper half of a unit sphere: the upper half of an octahedron, each side cut into rows, put onto
// the sphere
void add_hemisphere_vertices(int resolution, RawMesh& mesh) {
  constexpr double equator[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  add_vertex(mesh, 0, 0, 1);
  for (int row = 0; row <= resolution; row++) {
    const double down = static_cast<double>(row + 1) / (resolution + 1);
    for (int side = 0; side < 4; side++) {
      const Vec3 start = {down * equator[side][0], down * equator[side][1], 1 - down};
      const Vec3 end = {down * equator[side + 1][0], down * equator[side + 1][1], 1 - down};
      const Vec3 step = {(end[0] - start[0]) / (row + 1), (end[1] - start[1]) / (row + 1), 0};
      for (int i = 0; i <= row; i++) {
        const Vec3 p = {start[0] + i * step[0], start[1] + i * step[1], start[2]};
        const double norm = length(p);
        add_vertex(mesh, p[0] / norm, p[1] / norm, p[2] / norm);
      }
    }
  }
}

// unit icosahedron; in float32 throughout, so that its corners are those of the reference
RawMesh make_icosahedron() {
  const auto phi = static_cast<float>((1.0 + std::sqrt(5.0)) / 2.0);
  RawMesh mesh;
  mesh.vert = {-1, phi,  0, 1, phi,  0,   -1, -phi, 0,   1, -phi, 0,    0, -1, phi,  0, 1, phi, 0,
               -1, -phi, 0, 1, -phi, phi, 0,  -1,   phi, 0, 1,    -phi, 0, -1, -phi, 0, 1};
  const double norm = std::sqrt(1.0 + static_cast<double>(phi * phi));
  for (float& x : mesh.vert) {
    x = static_cast<float>(x / norm);
  }
  mesh.faces = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

// vertex halfway between a and b, put onto the unit sphere; made once for both faces that share the
// edge
int edge_midpoint(int a, int b, std::map<std::pair<int, int>, int>& known, RawMesh& mesh) {
  const auto [place, is_new] =
      known.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vert.size() / 3));
  if (is_new) {
    float mid[3];
    for (int i = 0; i < 3; i++) {
      mid[i] = (mesh.vert[3 * a + i] + mesh.vert[3 * b + i]) / 2.0F;
    }
    const float norm = std::sqrt(mid[0] * mid[0] + mid[1] * mid[1] + mid[2] * mid[2]);
    for (const float x : mid) {
      mesh.vert.push_back(x / norm);
    }
  }
  return place->second;
}

}  // namespace

RawMesh make_hemisphere(const SpecMesh& spec) {
  const int resolution = Parameters(spec, 1).whole(0, "the resolution", 0, 10);
  RawMesh mesh;
  add_hemisphere_vertices(resolution, mesh);

  // round the pole
  for (int i = 0; i < 4; i++) {
    mesh.faces.push_back({0, 1 + i, 1 + (i + 1) % 4});
  }
  // between each row (of 4 (row + 1) vertices) and the next
  for (int row = 0; row < resolution; row++) {
    const int upper = 2 * row * (row + 1) + 1, upper_count = 4 * (row + 1);
    const int lower = upper + upper_count, lower_count = 4 * (row + 2);
    for (int side = 0; side < 4; side++) {
      for (int i = 0; i < row + 2; i++) {
        const int u = i + (row + 1) * side, l = i + (row + 2) * side;
        const int below = lower + l % lower_count, next_below = lower + (l + 1) % lower_count;
        mesh.faces.push_back({upper + u % upper_count, below, next_below});
        if (i < row + 1) {
          mesh.faces.push_back(
              {upper + u % upper_count, next_below, upper + (u + 1) % upper_count});
        }
      }
    }
  }
  // the flat side, round a vertex at the centre
  const int rim = 2 * resolution * (resolution + 1) + 1, rim_count = 4 * (resolution + 1);
  const int centre = static_cast<int>(mesh.vert.size() / 3);
  add_vertex(mesh, 0, 0, 0);
  for (int i = 0; i < rim_count; i++) {
    mesh.faces.push_back({rim + i, centre, rim + (i + 1) % rim_count});
  }
  return mesh;
}

RawMesh make_sphere(const SpecMesh& spec) {
  const int subdivisions = Parameters(spec, 1).whole(0, "the number of subdivisions", 0, 4);
  RawMesh mesh = make_icosahedron();
  for (int level = 0; level < subdivisions; level++) {
    std::map<std::pair<int, int>, int> known;
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : mesh.faces) {
      const int ab = edge_midpoint(a, b, known, mesh);
      const int bc = edge_midpoint(b, c, known, mesh);
      const int ca = edge_midpoint(c, a, known, mesh);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.faces = std::move(finer);
  }
  return mesh;
}

RawMesh make_supersphere(const SpecMesh& spec) {
  const Parameters parameters(spec, 3);
  const int n = parameters.whole(0, "the resolution", 3, kMaxResolution);
  const double e_ring = parameters.within(1, "e", 0, 1e6),
               e_profile = parameters.within(2, "n", 0, 1e6);
  RawMesh mesh;

  // south pole, rings of n vertices, north pole
  add_vertex(mesh, 0, 0, -1);
  for (int i = 1; i < n; i++) {
    const double v = -pi / 2 + i * pi / n;
    for (int j = 0; j < n; j++) {
      const double u = -pi + j * 2 * pi / n;
      add_vertex(mesh, power_cos(v, e_profile) * power_cos(u, e_ring),
                 power_cos(v, e_profile) * power_sin(u, e_ring), power_sin(v, e_profile));
    }
  }
  add_vertex(mesh, 0, 0, 1);

  for (int j = 0; j < n; j++) {
    mesh.faces.push_back({0, 1 + (j + 1) % n, 1 + j});
  }
  for (int i = 0; i < n - 2; i++) {
    const int lower = 1 + i * n, upper = lower + n;
    for (int j = 0; j < n; j++) {
      const int next = (j + 1) % n;
      mesh.faces.push_back({lower + j, lower + next, upper + j});
      mesh.faces.push_back({lower + next, upper + next, upper + j});
    }
  }
  const int last = 1 + (n - 2) * n, pole = last + n;
  for (int j = 0; j < n; j++) {
    mesh.faces.push_back({last + j, last + (j + 1) % n, pole});
  }
  return mesh;
}

RawMesh make_supertorus(const SpecMesh& spec) {
  const Parameters parameters(spec, 4);
  const int n = parameters.whole(0, "the resolution", 3, kMaxResolution);
  const double radius = parameters.positive(1, "the radius", 1);
  const double s = parameters.positive(2, "s", 1e6), t = parameters.positive(3, "t", 1e6);
  RawMesh mesh;
  for (int i = 0; i < n; i++) {
    const double u = 2 * pi * i / n;
    for (int j = 0; j < n; j++) {
      const double v = 2 * pi * j / n;
      const double from_axis = 1 + radius * power_cos(v, s);
      add_vertex(mesh, from_axis * power_cos(u, t), from_axis * power_sin(u, t),
                 radius * power_sin(v, s));
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const int here = i * n, ahead = (i + 1) % n * n, up = (j + 1) % n;
      mesh.faces.push_back({here + j, ahead + j, here + up});
      mesh.faces.push_back({ahead + j, ahead + up, here + up});
    }
  }
  return mesh;
}

}  // namespace mjjit::meshes
