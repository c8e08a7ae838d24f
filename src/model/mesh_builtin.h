#pragma once

#include "model/mesh_read.h"

namespace mjjit::meshes {

/// The shape that a mesh element with builtin="…" asks for: hemisphere (resolution), sphere
/// (subdivisions), supersphere (resolution, e, n), supertorus (resolution, radius, s, t), cone
/// (edges, top radius), wedge (two resolutions, two fields of view in degrees, gamma) or plate (two
/// resolutions). Sizes are of order 1 m; the element's scale follows.
/// @throws Error{Exit::input} for a wrong number of parameters or one out of range
/// Source: MuJoCo's XML reference, asset/mesh/builtin
RawMesh make_builtin_mesh(const SpecMesh& spec);

}  // namespace mjjit::meshes
