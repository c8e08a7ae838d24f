#include "model/mesh_builtin.h"

#include <cmath>
#include <map>
#include <numbers>

#include "model/mesh_builtin_parts.h"

namespace mjjit::meshes {
namespace {

using std::numbers::pi;

// count + 1 numbers from -1 to 1, added up step by step as the reference does
std::vector<double> bin_edges(int count) {
  std::vector<double> edges(static_cast<size_t>(count) + 1);
  double at = -1;
  for (double& edge : edges) {
    edge = at;
    at += 2.0 / count;
  }
  return edges;
}

// patch of the unit sphere seen from its centre along -z: angles spread over the field of view,
// denser in the middle the larger gamma is
RawMesh make_wedge(const SpecMesh& spec) {
  const Parameters parameters(spec, 5);
  const int columns = parameters.whole(0, "the horizontal resolution", 1, kMaxResolution);
  const int rows = parameters.whole(1, "the vertical resolution", 1, kMaxResolution);
  const double fov[2] = {parameters.positive(2, "the horizontal field of view", 180),
                         parameters.positive(3, "the vertical field of view", 90)};
  const double gamma = parameters.within(4, "gamma", 0, 1);

  const auto angles = [gamma](int count, double degrees) {
    std::vector<double> edges = bin_edges(count);
    for (double& x : edges) {
      x = (gamma == 0 ? x : gamma * std::pow(x, 5) + (1 - gamma) * x) * (degrees * pi / 180);
    }
    return edges;
  };
  const std::vector<double> x = angles(columns, fov[0]), y = angles(rows, fov[1]);
  RawMesh mesh;
  for (int i = 0; i < columns; i++) {
    for (int j = 0; j < rows; j++) {
      const double azimuth = 0.5 * (x[i + 1] + x[i]), elevation = 0.5 * (y[j + 1] + y[j]);
      add_vertex(mesh, std::cos(elevation) * std::sin(azimuth), std::sin(elevation),
                 -std::cos(elevation) * std::cos(azimuth));
    }
  }
  return mesh;
}

// square of cells at z = -1, a vertex at the middle of each cell
RawMesh make_plate(const SpecMesh& spec) {
  const Parameters parameters(spec, 2);
  const int columns = parameters.whole(0, "the horizontal resolution", 1, kMaxResolution);
  const int rows = parameters.whole(1, "the vertical resolution", 1, kMaxResolution);
  RawMesh mesh;
  for (int i = 0; i < columns; i++) {
    for (int j = 0; j < rows; j++) {
      add_vertex(mesh, -1 + (i + 0.5) * (2. / columns), -1 + (j + 0.5) * (2. / rows), -1);
      if (i > 0 && j > 0) {
        const int before = (i - 1) * rows + j, here = i * rows + j;
        mesh.faces.push_back({before - 1, here - 1, before});
        mesh.faces.push_back({here, before, here - 1});
      }
    }
  }
  return mesh;
}

// two polygons, or a polygon and a point, to be joined by their convex hull
RawMesh make_cone(const SpecMesh& spec) {
  const Parameters parameters(spec, 2);
  const int edges = parameters.whole(0, "the number of edges", 3, kMaxResolution);
  const double radius = parameters.within(1, "the radius of the top", 0, 1);
  RawMesh mesh;
  for (int i = 0; i < edges; i++) {
    add_vertex(mesh, std::cos(2 * i * pi / edges), std::sin(2 * i * pi / edges), -1);
  }
  if (radius == 0) {
    add_vertex(mesh, 0, 0, 1);
    return mesh;
  }
  for (int i = edges; i < 2 * edges; i++) {
    add_vertex(mesh, radius * std::cos(2 * i * pi / edges), radius * std::sin(2 * i * pi / edges),
               1);
  }
  return mesh;
}

}  // namespace

RawMesh make_builtin_mesh(const SpecMesh& spec) {
  using Maker = RawMesh (*)(const SpecMesh&);
  static const std::map<std::string, Maker> makers = {{"hemisphere", make_hemisphere},
                                                      {"sphere", make_sphere},
                                                      {"supersphere", make_supersphere},
                                                      {"supertorus", make_supertorus},
                                                      {"wedge", make_wedge},
                                                      {"plate", make_plate},
                                                      {"cone", make_cone}};
  for (const char* missing : {"box", "cylinder", "ellipsoid", "grid", "square", "disc"}) {
    if (spec.builtin == missing) {
      fail(spec.source, "mesh '{}': builtin '{}' is not supported yet", spec.name, spec.builtin);
    }
  }
  const auto maker = makers.find(spec.builtin);
  if (maker == makers.end()) {
    fail(spec.source,
         "mesh '{}': builtin '{}' is unknown; there are sphere, hemisphere, cone, supersphere, "
         "supertorus, wedge and "
         "plate",
         spec.name, spec.builtin);
  }
  return maker->second(spec);
}

}  // namespace mjjit::meshes
