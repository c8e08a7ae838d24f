#pragma once

#include <string>

#include "model/mesh_read.h"

namespace mjjit::meshes {

/// Mesh of MuJoCo's own binary format: four int32 (number of vertices, normals, texture
/// coordinates, faces), then float32 vertices, normals and texture coordinates, then int32 faces.
/// @throws Error{Exit::input} where the size does not fit the header
RawMesh parse_msh(const SpecMesh& spec, const std::string& bytes);

}  // namespace mjjit::meshes
