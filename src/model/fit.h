#pragma once

#include "mjcf/spec.h"
#include "model/mesh.h"

namespace mjjit {

/// Measures of the primitive geom that stands for a mesh, and its centre in the mesh's frame.
struct Fit {
  Vec3 size;
  Vec3 center;
};

/// Fits a primitive to a mesh: to the box with the same inertia, or with fit_aabb to the bounding
/// box.
/// @param size   the geom's own size; measures that the kind does not have keep it
/// @param scale  what all measures are multiplied with
/// @throws Error{Exit::input} for kinds that cannot be fitted
Fit fit_to_mesh(int type, const MeshData& mesh, bool fit_aabb, double scale, Vec3 size,
                const Source& at, const std::string& element);

}  // namespace mjjit
