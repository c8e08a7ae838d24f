#pragma once

#include <string>
#include <vector>

#include "mjcf/spec.h"
#include "model/mesh_math.h"

namespace mjjit::meshes {

/// A mesh as its source gives it: no scale, no reference frame, vertices as they stand.
struct RawMesh {
  std::vector<float> vert;      // [3 × number of vertices]
  std::vector<Triangle> faces;  // empty: only a cloud of vertices, to be wrapped in its convex hull
};

/// Reads a mesh from its file (the extension says the format), its inline lists, or makes the
/// built-in shape.
/// @return vertices all finite, at least four; vertex numbers of faces all in range
/// @throws Error{Exit::input} at the mesh's element
RawMesh read_raw_mesh(const SpecMesh& spec);

/// The bytes of the file at an element's path.
/// @param what  "mesh 'foot'", "hfield 'terrain'": who asks, for messages
/// @throws Error{Exit::input} where the file cannot be opened or is empty
std::string read_asset(const Source& source, const std::string& what, const std::string& path);

/// The extension of a path in lower case, with its dot; empty where there is none.
std::string extension_of(const std::string& path);

}  // namespace mjjit::meshes
