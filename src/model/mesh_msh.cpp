#include "model/mesh_msh.h"

#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace mjjit::meshes {

RawMesh parse_msh(const SpecMesh& spec, const std::string& bytes) {
  struct Header {
    int32_t vertices, normals, texcoords, faces;
  } n;
  if (bytes.size() < sizeof(n)) {
    fail(spec.source,
         "mesh '{}': '{}' is too short for an MSH file: {} bytes, of which the header alone takes "
         "{}",
         spec.name, spec.file, bytes.size(), sizeof(n));
  }
  std::memcpy(&n, bytes.data(), sizeof(n));
  const bool counts_fit = n.vertices >= 4 && n.faces >= 0 &&
                          (n.normals == 0 || n.normals == n.vertices) &&
                          (n.texcoords == 0 || n.texcoords == n.vertices);
  if (!counts_fit) {
    fail(spec.source,
         "mesh '{}': '{}' has a bad MSH header: {} vertices (at least 4), {} normals and {} "
         "texture coordinates "
         "(none, or one a vertex), {} faces",
         spec.name, spec.file, n.vertices, n.normals, n.texcoords, n.faces);
  }

  // what the header promises must be the file's length
  const size_t vertex_bytes = 12 * size_t(n.vertices);
  const size_t skipped_bytes = 12 * size_t(n.normals) + 8 * size_t(n.texcoords);
  const size_t face_bytes = 12 * size_t(n.faces);
  const size_t expected = sizeof(n) + vertex_bytes + skipped_bytes + face_bytes;
  if (bytes.size() != expected) {
    fail(spec.source,
         "mesh '{}': the size of '{}' does not fit its header: {} bytes expected, the file has {}",
         spec.name, spec.file, expected, bytes.size());
  }

  RawMesh mesh;
  mesh.vert.resize(3 * size_t(n.vertices));
  mesh.faces.resize(size_t(n.faces));
  std::memcpy(mesh.vert.data(), bytes.data() + sizeof(n), vertex_bytes);
  if (n.faces > 0) {
    static_assert(sizeof(Triangle) == 12);
    std::memcpy(mesh.faces.data(), bytes.data() + sizeof(n) + vertex_bytes + skipped_bytes,
                face_bytes);
  }
  return mesh;
}

}  // namespace mjjit::meshes
