#pragma once

#include <span>
#include <vector>

#include "model/mesh_math.h"

namespace mjjit::meshes {

/// Flat sides of a convex hull: coplanar triangles that meet along edges are merged into one
/// polygon, which is what multi-point contact between convex bodies clips. Vertices run
/// counter-clockwise seen from outside.
using Polygons = std::vector<std::vector<int>>;

/// Merges triangles whose normals agree within 0.01 rad (both angles of the normal are rounded to
/// that grid) into polygons; triangles of equal normal that do not touch make polygons of their
/// own. Polygons, and vertices within each, come in the order of MuJoCo's mesh_poly* fields.
/// @param points     [n] vertices as read, before scale and reference frame
/// @param triangles  the hull, over the points
Polygons merge_coplanar(std::span<const Vec3> points, std::span<const Triangle> triangles);

/// Turns over, keeping their first vertex, the polygons that do not face away from a point inside
/// the hull: all of them after mirroring, and slivers whose orientation the hull left open.
void turn_outward(std::span<const Vec3> points, const Vec3& inside, Polygons& polygons);

/// Normal of a polygon, the mean over its area; the x axis where it has none.
Vec3 polygon_normal(std::span<const Vec3> points, const std::vector<int>& polygon);

}  // namespace mjjit::meshes
