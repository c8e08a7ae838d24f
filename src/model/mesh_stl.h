#pragma once

#include <string>

#include "model/mesh_read.h"

namespace mjjit::meshes {

/// Mesh of a binary STL file; corners with equal coordinates become one vertex, numbered in order
/// of appearance.
/// @param bytes  the whole file: 80 bytes of header, face count (uint32), 50 bytes a face, little
/// endian
/// @throws Error{Exit::input} where the size does not fit the face count (as it does not in an
/// ASCII STL)
RawMesh parse_stl(const SpecMesh& spec, const std::string& bytes);

}  // namespace mjjit::meshes
