#include "model/mesh_read.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "model/mesh_builtin.h"
#include "model/mesh_msh.h"
#include "model/mesh_obj.h"
#include "model/mesh_stl.h"

namespace mjjit::meshes {
namespace {

// a mesh file by its extension; where that says nothing, by content_type
RawMesh parse_file(const SpecMesh& spec, const std::string& bytes) {
  const std::string extension = extension_of(spec.file);
  const auto is = [&](const char* known, const char* type) {
    return extension == known || (extension.empty() && spec.content_type == type);
  };
  if (is(".stl", "model/stl")) {
    return parse_stl(spec, bytes);
  }
  if (is(".obj", "model/obj")) {
    return parse_obj(spec, bytes);
  }
  if (is(".msh", "model/vnd.mujoco.msh")) {
    return parse_msh(spec, bytes);
  }
  fail(spec.source, "mesh '{}': '{}' has an unknown type{}; STL (binary), OBJ and MSH can be read",
       spec.name, spec.file,
       spec.content_type.empty() ? "" : fmt::format(" (content_type \"{}\")", spec.content_type));
}

// faces of the face attribute
std::vector<Triangle> inline_faces(const SpecMesh& spec) {
  if (spec.userface.size() % 3 != 0) {
    fail(spec.source, "mesh '{}': face has {} numbers, which is not a multiple of 3", spec.name,
         spec.userface.size());
  }
  std::vector<Triangle> faces;
  for (size_t i = 0; i < spec.userface.size(); i += 3) {
    faces.push_back({spec.userface[i], spec.userface[i + 1], spec.userface[i + 2]});
  }
  return faces;
}

// file and inline lists together: each list may come from one of them only
RawMesh load(const SpecMesh& spec) {
  if (!spec.builtin.empty()) {
    return make_builtin_mesh(spec);
  }
  RawMesh mesh;
  if (!spec.file.empty()) {
    mesh =
        parse_file(spec, read_asset(spec.source, fmt::format("mesh '{}'", spec.name), spec.file));
    if (!spec.uservert.empty() && !mesh.vert.empty()) {
      fail(spec.source, "mesh '{}': vertices are given both by file '{}' and by vertex", spec.name,
           spec.file);
    }
    if (!spec.userface.empty() && !mesh.faces.empty()) {
      fail(spec.source, "mesh '{}': faces are given both by file '{}' and by face", spec.name,
           spec.file);
    }
  }
  if (mesh.vert.empty()) {
    mesh.vert = spec.uservert;
  }
  if (mesh.faces.empty()) {
    mesh.faces = inline_faces(spec);
  }
  return mesh;
}

}  // namespace

RawMesh read_raw_mesh(const SpecMesh& spec) {
  RawMesh mesh = load(spec);
  if (mesh.vert.size() % 3 != 0) {
    fail(spec.source, "mesh '{}': vertex has {} numbers, which is not a multiple of 3", spec.name,
         mesh.vert.size());
  }
  for (size_t i = 0; i < mesh.vert.size(); i++) {
    if (!std::isfinite(mesh.vert[i])) {
      fail(spec.source, "mesh '{}': vertex {} is not finite", spec.name, i / 3);
    }
  }
  const int num_vertices = static_cast<int>(mesh.vert.size() / 3);
  if (num_vertices < 4) {
    fail(spec.source, "mesh '{}': at least 4 vertices are needed, {} are there", spec.name,
         num_vertices);
  }
  for (size_t i = 0; i < mesh.faces.size(); i++) {
    for (const int v : mesh.faces[i]) {
      if (v < 0 || v >= num_vertices) {
        fail(spec.source,
             "mesh '{}': face {} names vertex {}, which does not exist (vertices are 0 to {})",
             spec.name, i, v, num_vertices - 1);
      }
    }
  }
  return mesh;
}

std::string read_asset(const Source& source, const std::string& what, const std::string& path) {
  if (const std::string problem = file_problem(path); !problem.empty()) {
    fail(source, "{}: file '{}' {}", what, path, problem);
  }
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) {
    fail(source, "{}: file '{}' cannot be opened", what, path);
  }
  std::string bytes(static_cast<size_t>(std::max<std::streamoff>(in.tellg(), 0)), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    fail(source, "{}: file '{}' cannot be read", what, path);
  }
  if (bytes.empty()) {
    fail(source, "{}: file '{}' is empty", what, path);
  }
  return bytes;
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return extension;
}

}  // namespace mjjit::meshes
