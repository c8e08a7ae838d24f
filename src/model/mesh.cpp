#include "model/mesh.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/error.h"
#include "model/hull.h"
#include "model/mesh_inertia.h"
#include "model/mesh_polygons.h"
#include "model/mesh_read.h"

// From the file's vertices (float32) to the model's (float32): everything between is double, in
// this order:
//
//   read ── hull and polygons ── mirror? ── ref frame, scale ── mass properties ── centre,
//   principal axes ── narrow
//
// The hull and its polygons are found on the vertices as read. Their order, which the model shows,
// depends on that.

namespace mjjit {
namespace {

using meshes::HullGraph;
using meshes::InertiaMode;
using meshes::MassProperties;
using meshes::Polygons;
using meshes::Triangle;

/// A mesh on its way.
struct Work {
  std::vector<Vec3> points;
  std::vector<Triangle> faces;
  HullGraph graph;
  Polygons polygons;
};

InertiaMode inertia_mode(const SpecMesh& spec) {
  // a plate has no volume; it is always a shell
  return spec.builtin == "plate" ? InertiaMode::shell : static_cast<InertiaMode>(spec.inertia);
}

Work read(const SpecMesh& spec) {
  meshes::RawMesh raw = meshes::read_raw_mesh(spec);
  Work work;
  work.faces = std::move(raw.faces);
  work.points.resize(raw.vert.size() / 3);
  for (size_t i = 0; i < raw.vert.size(); i++) {
    work.points[i / 3][i % 3] = raw.vert[i];
  }
  return work;
}

void make_hull(const SpecMesh& spec, Work& work) {
  work.graph = meshes::convex_hull(spec, work.points);
  const std::vector<Triangle> triangles = meshes::hull_triangles(work.graph);
  work.polygons = meshes::merge_coplanar(work.points, triangles);
  if (work.faces.empty()) {
    work.faces = triangles;
  }
}

// an odd number of negative scales turns the surface inside out: turn it back
void mirror(Work& work) {
  for (Triangle& face : work.faces) {
    std::swap(face[1], face[2]);
  }
  if (!work.graph.empty()) {
    meshes::mirror_hull(work.graph);
  }
}

// expresses points in the frame (refpos, refquat), then scales them along its axes
void apply_reference_and_scale(const SpecMesh& spec, std::span<Vec3> points) {
  const bool rotated = spec.refquat != Quat{1, 0, 0, 0};
  const meshes::Mat3 frame = meshes::rotation(meshes::normalized(spec.refquat));
  for (Vec3& point : points) {
    point = meshes::minus(point, spec.refpos);
    if (rotated) {
      point = meshes::transposed_times(frame, point);
    }
    for (int i = 0; i < 3; i++) {
      point[i] *= spec.scale[i];
    }
  }
}

// moves the origin to the centre of mass and turns the axes onto the principal ones
void center_and_align(const MassProperties& mass, std::span<Vec3> points) {
  const meshes::Mat3 to_axes =
      meshes::rotation({mass.axes[0], -mass.axes[1], -mass.axes[2], -mass.axes[3]});
  for (Vec3& point : points) {
    point = meshes::times(to_axes, meshes::minus(point, mass.center));
  }
}

// mean of the hull's vertices, which lies inside it
Vec3 middle_of_hull(const Work& work) {
  Vec3 sum = {0, 0, 0};
  if (work.graph.empty()) {
    return sum;
  }
  const std::vector<int> vertices = meshes::hull_vertices(work.graph);
  for (const int v : vertices) {
    for (int i = 0; i < 3; i++) {
      sum[i] += work.points[v][i] / static_cast<double>(vertices.size());
    }
  }
  return sum;
}

// half sizes of the box with these mass properties
Vec3 inertia_box(const MassProperties& mass) {
  const auto& [a, b, c] = mass.inertia;
  const auto half_size = [&](double moments) {
    return 0.5 * std::sqrt(6 * std::max(moments, 0.0) / mass.mass);
  };
  return {half_size(b + c - a), half_size(a + c - b), half_size(a + b - c)};
}

void store_geometry(const Work& work, MeshData& data) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  data.aamm_min = {infinity, infinity, infinity};
  data.aamm_max = {-infinity, -infinity, -infinity};
  data.vert.reserve(3 * work.points.size());
  for (const Vec3& point : work.points) {
    for (int i = 0; i < 3; i++) {
      data.vert.push_back(static_cast<float>(point[i]));
      data.aamm_min[i] = std::min(data.aamm_min[i], point[i]);
      data.aamm_max[i] = std::max(data.aamm_max[i], point[i]);
    }
  }
  data.face.reserve(3 * work.faces.size());
  for (const Triangle& face : work.faces) {
    data.face.insert(data.face.end(), face.begin(), face.end());
  }
}

// polygons, their normals in the final frame, and the polygons of each vertex
void store_polygons(const Work& work, MeshData& data) {
  std::vector<std::vector<int>> polygons_of(work.points.size());
  for (size_t i = 0; i < work.polygons.size(); i++) {
    const std::vector<int>& polygon = work.polygons[i];
    const Vec3 normal = meshes::polygon_normal(work.points, polygon);
    data.polynormal.insert(data.polynormal.end(), normal.begin(), normal.end());
    data.polyvertadr.push_back(static_cast<int>(data.polyvert.size()));
    data.polyvertnum.push_back(static_cast<int>(polygon.size()));
    data.polyvert.insert(data.polyvert.end(), polygon.begin(), polygon.end());
    for (const int v : polygon) {
      polygons_of[v].push_back(static_cast<int>(i));
    }
  }
  for (const std::vector<int>& list : polygons_of) {
    data.polymapadr.push_back(static_cast<int>(data.polymap.size()));
    data.polymapnum.push_back(static_cast<int>(list.size()));
    data.polymap.insert(data.polymap.end(), list.begin(), list.end());
  }
}

void check_attributes(const SpecMesh& spec) {
  for (const auto& [attribute, values] :
       {std::pair("scale", spec.scale), std::pair("refpos", spec.refpos)}) {
    for (const double value : values) {
      if (!std::isfinite(value)) {
        fail(spec.source, "mesh '{}': {} must be finite", spec.name, attribute);
      }
    }
  }
  if (spec.maxhullvert != -1 && spec.maxhullvert < 4) {
    fail(spec.source, "mesh '{}': maxhullvert must be -1 (no limit) or at least 4, and is {}",
         spec.name, spec.maxhullvert);
  }
}

}  // namespace

MeshData compile_mesh(const SpecMesh& spec, const MeshNeeds& needs) {
  check_attributes(spec);
  const InertiaMode mode = inertia_mode(spec);
  Work work = read(spec);
  if (mode == InertiaMode::exact) {
    meshes::require_consistent_orientation(spec, work.points, work.faces);
  }
  if (needs.hull || work.faces.empty() || mode == InertiaMode::convex) {
    make_hull(spec, work);
  }
  if (!(spec.scale[0] * spec.scale[1] * spec.scale[2] > 0)) {
    mirror(work);
  }
  apply_reference_and_scale(spec, work.points);

  const MassProperties mass = meshes::mass_properties(
      spec, mode, work.points,
      mode == InertiaMode::convex ? meshes::hull_triangles(work.graph) : work.faces, work.faces);
  center_and_align(mass, work.points);
  meshes::turn_outward(work.points, middle_of_hull(work), work.polygons);

  MeshData data;
  data.pos = mass.center;
  data.quat = mass.axes;
  data.volume = mass.mass;
  data.inertia = mass.inertia;
  data.inertia_box = inertia_box(mass);
  data.graph = work.graph;
  store_geometry(work, data);
  store_polygons(work, data);
  return data;
}

}  // namespace mjjit
