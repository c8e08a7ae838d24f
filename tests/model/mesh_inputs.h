#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/mesh.h"

// Small meshes and files that the tests of mesh reading share.
namespace mjjit::test {

/// A file with the given bytes in the folder for temporary files, removed at the end of the scope.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& bytes)
      : path_(std::filesystem::temp_directory_path() / ("mjjit_test_" + name)) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Memory of plain values, as files hold them.
template <typename T>
std::string raw_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Box of 1 × 2 × 3 m with a corner at the origin: vertex 4 i + 2 j + k is the corner (i, 2 j, 3
/// k).
inline std::vector<float> box_vertices() {
  std::vector<float> vertices;
  for (const float x : {0.f, 1.f}) {
    for (const float y : {0.f, 2.f}) {
      for (const float z : {0.f, 3.f}) {
        vertices.insert(vertices.end(), {x, y, z});
      }
    }
  }
  return vertices;
}

/// Its sides as triangles that face outward.
inline std::vector<int> box_faces() {
  return {0, 1, 2, 1, 3, 2, 4, 6, 5, 6, 7, 5, 0, 4, 1, 4, 5, 1,
          2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 5, 7, 3};
}

inline SpecMesh mesh_spec(std::vector<float> vertices = {}, std::vector<int> faces = {}) {
  SpecMesh spec;
  spec.source = {"scene.xml", 3};
  spec.name = "part";
  spec.uservert = std::move(vertices);
  spec.userface = std::move(faces);
  return spec;
}

inline SpecMesh file_spec(const std::string& path) {
  SpecMesh spec = mesh_spec();
  spec.file = path;
  return spec;
}

/// Binary STL: header, face count, then for each face a normal (unused), its corners and two bytes.
inline std::string stl_bytes(const std::vector<float>& vertices, const std::vector<int>& faces) {
  std::string bytes(80, ' ');
  bytes += raw_bytes<uint32_t>({static_cast<uint32_t>(faces.size() / 3)});
  for (size_t i = 0; i < faces.size(); i += 3) {
    std::vector<float> face(3, 0.f);
    for (int j = 0; j < 3; j++) {
      const auto corner = vertices.begin() + 3 * faces[i + j];
      face.insert(face.end(), corner, corner + 3);
    }
    bytes += raw_bytes(face) + std::string(2, '\0');
  }
  return bytes;
}

/// MuJoCo's MSH: counts of vertices, normals, texture coordinates, faces; then the lists.
inline std::string msh_bytes(const std::vector<float>& vertices, const std::vector<int>& faces) {
  const std::vector<int32_t> header = {static_cast<int32_t>(vertices.size() / 3), 0, 0,
                                       static_cast<int32_t>(faces.size() / 3)};
  return raw_bytes(header) + raw_bytes(vertices) + raw_bytes(faces);
}

/// OBJ with the box's sides as quadrilaterals.
inline std::string obj_text() {
  std::string text;
  const std::vector<float> v = box_vertices();
  for (size_t i = 0; i < v.size(); i += 3) {
    text += fmt::format("v {} {} {}\n", v[i], v[i + 1], v[i + 2]);
  }
  return text + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
}

/// What compile_mesh throws; empty where it does not throw.
inline std::string mesh_error(const SpecMesh& spec, bool hull = false) {
  try {
    compile_mesh(spec, {hull});
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace mjjit::test
