#include "model/mesh_stl.h"

#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "base/error.h"

namespace mjjit::meshes {
namespace {

constexpr size_t kHeaderBytes = 84;  // 80 of text, then the face count
constexpr size_t kFaceBytes = 50;    // normal, three corners, two bytes of attributes
constexpr uint32_t kMaxFaces = 200000;
constexpr float kMaxCoordinate = 1073741824.F;  // 2^30

using Corner = std::array<float, 3>;

struct CornerHash {
  size_t operator()(const Corner& corner) const {
    size_t hash = 0;
    for (const float x : corner) {
      hash = hash * 1000003 ^ std::hash<float>()(x);
    }
    return hash;
  }
};

// number of faces that the header promises, checked against the size of the file
uint32_t face_count(const SpecMesh& spec, const std::string& bytes) {
  if (bytes.size() < kHeaderBytes) {
    fail(spec.source,
         "mesh '{}': '{}' is too short for a binary STL: {} bytes, of which the header alone takes "
         "{}",
         spec.name, spec.file, bytes.size(), kHeaderBytes);
  }
  uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof(count));
  const size_t expected = kHeaderBytes + kFaceBytes * size_t{count};
  if (bytes.size() != expected) {
    const bool ascii = bytes.compare(0, 5, "solid") == 0;
    fail(spec.source,
         "mesh '{}': the size of '{}' does not fit its face count: {} faces need {} bytes, the "
         "file has {}{}",
         spec.name, spec.file, count, expected, bytes.size(),
         ascii ? "; perhaps it is an ASCII STL, and only binary STL can be read" : "");
  }
  if (count < 1 || count > kMaxFaces) {
    fail(spec.source, "mesh '{}': '{}' has {} faces; an STL file may have 1 to {}", spec.name,
         spec.file, count, kMaxFaces);
  }
  return count;
}

}  // namespace

RawMesh parse_stl(const SpecMesh& spec, const std::string& bytes) {
  const uint32_t count = face_count(spec, bytes);
  RawMesh mesh;
  mesh.faces.resize(count);
  std::unordered_map<Corner, int, CornerHash> known;
  for (uint32_t i = 0; i < count; i++) {
    std::array<Corner, 3> corners;
    std::memcpy(&corners, bytes.data() + kHeaderBytes + kFaceBytes * i + sizeof(Corner),
                sizeof(corners));
    for (int j = 0; j < 3; j++) {
      for (const float x : corners[j]) {
        if (!(std::abs(x) <= kMaxCoordinate)) {
          fail(spec.source,
               "mesh '{}': face {} of '{}' has the coordinate {}, which is not finite or beyond "
               "2^30",
               spec.name, i, spec.file, x);
        }
      }
      // equal corners share a vertex
      const auto [place, is_new] = known.try_emplace(corners[j], static_cast<int>(known.size()));
      if (is_new) {
        mesh.vert.insert(mesh.vert.end(), corners[j].begin(), corners[j].end());
      }
      mesh.faces[i][j] = place->second;
    }
  }
  return mesh;
}

}  // namespace mjjit::meshes
