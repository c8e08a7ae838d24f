#include "model/mesh_obj.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.h"

// the loader is a header; this is the one file that compiles it
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

namespace mjjit::meshes {
namespace {

// first line of a message of the loader, without its full stop
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == '.' || line.back() == ' ')) {
    line.pop_back();
  }
  return line;
}

// the next word of a line, taken off its front
std::string_view take_word(std::string_view& line) {
  const size_t start = std::min(line.find_first_not_of(" \t\r"), line.size());
  const size_t end = std::min(line.find_first_of(" \t\r", start), line.size());
  const std::string_view word = line.substr(start, end - start);
  line.remove_prefix(end);
  return word;
}

bool is_finite_number(std::string_view word) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error != std::errc::invalid_argument && end == word.data() + word.size() &&
         std::isfinite(value);
}

// the loader reads what is no number as 0; refuse it before
void check_vertex_lines(const SpecMesh& spec, std::string_view text) {
  for (int number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (take_word(line) != "v") {
      continue;
    }
    for (int i = 0; i < 3; i++) {
      if (const std::string_view word = take_word(line); !is_finite_number(word)) {
        fail(spec.source,
             "mesh '{}': line {} of '{}': a vertex needs three finite coordinates, not '{}'",
             spec.name, number, spec.file, word);
      }
    }
  }
}

}  // namespace

RawMesh parse_obj(const SpecMesh& spec, const std::string& bytes) {
  check_vertex_lines(spec, bytes);
  tinyobj::ObjReader reader;
  if (!reader.ParseFromString(bytes, "")) {
    fail(spec.source, "mesh '{}': '{}' is not a valid OBJ file: {}", spec.name, spec.file,
         first_line(reader.Error()));
  }
  // the loader leaves out faces with wrong vertices and says so only in a warning
  const std::string& warning = reader.Warning();
  for (const char* sign : {"Vertex indices out of bounds", "Face with invalid vertex index"}) {
    if (const size_t at = warning.find(sign); at != std::string::npos) {
      fail(spec.source, "mesh '{}': a face of '{}' names a vertex that does not exist: {}",
           spec.name, spec.file, first_line(warning.substr(at)));
    }
  }

  RawMesh mesh;
  mesh.vert = reader.GetAttrib().vertices;
  if (reader.GetShapes().empty()) {
    return mesh;
  }
  const std::vector<tinyobj::index_t>& corners = reader.GetShapes()[0].mesh.indices;
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    mesh.faces.push_back(
        {corners[i].vertex_index, corners[i + 1].vertex_index, corners[i + 2].vertex_index});
  }
  return mesh;
}

}  // namespace mjjit::meshes
