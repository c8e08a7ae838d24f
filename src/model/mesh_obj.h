#pragma once

#include <string>

#include "model/mesh_read.h"

namespace mjjit::meshes {

/// Mesh of a Wavefront OBJ file: all its vertices, and the faces of its first object or group, cut
/// into triangles.
/// @throws Error{Exit::input} where a line cannot be read, or a face names a vertex that is not
/// there
RawMesh parse_obj(const SpecMesh& spec, const std::string& bytes);

}  // namespace mjjit::meshes
