#pragma once

#include <span>
#include <vector>

#include "mjcf/spec.h"
#include "model/mesh_math.h"

namespace mjjit::meshes {

/// A convex hull as the mesh_graph field of MuJoCo's model holds it, one list of int:
///
///     numvert, numface,
///     vert_edgeadr[numvert]             where in edge_localid the neighbours of a hull vertex
///     start vert_globalid[numvert]            its number among the mesh's vertices
///     edge_localid[numvert + 3 numface] neighbours of each hull vertex as hull vertices, -1 after
///     each list face_globalid[3 numface]          triangles, counter-clockwise from outside, as
///     the mesh's vertices
using HullGraph = std::vector<int>;

/// Convex hull of points, by Qhull with the options that MuJoCo gives it, so that vertices,
/// neighbours and triangles come in the same order.
/// @param spec    the mesh, for its name, maxhullvert (negative: no limit) and place
/// @param points  [at least 4] any unit
/// @throws Error{Exit::input} where the points lie in one point, line or plane, naming what would
/// serve instead
HullGraph convex_hull(const SpecMesh& spec, std::span<const Vec3> points);

/// The vertices of a hull, as the mesh's vertices.
std::vector<int> hull_vertices(const HullGraph& graph);

/// The triangles of a hull, over the mesh's vertices.
std::vector<Triangle> hull_triangles(const HullGraph& graph);

/// Turns the triangles of a hull over, as mirroring its points asks for.
void mirror_hull(HullGraph& graph);

}  // namespace mjjit::meshes
