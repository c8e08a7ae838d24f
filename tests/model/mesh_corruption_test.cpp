#include <random>

#include "catch.h"
#include "model/mesh.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;

// a few bytes changed, a piece cut out or repeated, or the end lost
std::string corrupted(std::string bytes, std::mt19937& random) {
  const auto below = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  for (size_t n = 1 + below(4); n > 0 && !bytes.empty(); n--) {
    const size_t at = below(bytes.size());
    const size_t length = 1 + below(std::min<size_t>(bytes.size() - at, 8));
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes[at] = "-0123456789/. evf\n"[below(18)];
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(below(bytes.size()), bytes.substr(at, length));
        break;
      default:
        if (below(8) == 0) {
          bytes.resize(at);
        }
    }
  }
  return bytes;
}

// each corrupted file either loads or is refused with an error that names its element
void check_corrupted_meshes(const std::string& name, const std::string& good, unsigned seed) {
  CAPTURE(name, seed);
  std::mt19937 random(seed);
  int loaded = 0, refused = 0;
  for (int i = 0; i < 1500; i++) {
    const TemporaryFile file(name, corrupted(good, random));
    SpecMesh spec = file_spec(file.path());
    spec.inertia = i % 4;
    try {
      const MeshData mesh = compile_mesh(spec, {i % 2 == 0});
      CHECK(mesh.volume > 0);
      loaded++;
    } catch (const Error& error) {
      CHECK(error.code() == Exit::input);
      CHECK_THAT(error.what(), ContainsSubstring("scene.xml:3: mesh 'part'"));
      refused++;
    }
  }
  CHECK(loaded > 0);
  CHECK(refused > 0);
}

TEST_CASE("corrupted mesh files load or are refused, and never crash", "[mesh]") {
  check_corrupted_meshes("corrupted.stl", stl_bytes(box_vertices(), box_faces()), 1);
  check_corrupted_meshes("corrupted.obj", obj_text(), 2);
  check_corrupted_meshes("corrupted.msh", msh_bytes(box_vertices(), box_faces()), 3);
}

}  // namespace
}  // namespace mjjit
