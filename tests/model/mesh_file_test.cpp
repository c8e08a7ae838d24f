#include "catch.h"
#include "model/mesh.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;

std::string error_of(const std::string& name, const std::string& bytes) {
  const TemporaryFile file(name, bytes);
  return mesh_error(file_spec(file.path()));
}

TEST_CASE("equal corners of an STL become one vertex, in order of appearance", "[mesh]") {
  const TemporaryFile file("box.STL", stl_bytes(box_vertices(), box_faces()));
  const MeshData mesh = compile_mesh(file_spec(file.path()), {});
  CHECK(mesh.vert.size() == 3 * 8);
  CHECK(std::vector<int>(mesh.face.begin(), mesh.face.begin() + 6) ==
        std::vector<int>{0, 1, 2, 1, 3, 2});
  CHECK(mesh.volume == Approx(6));
}

TEST_CASE("quadrilaterals of an OBJ are cut along the shorter diagonal", "[mesh]") {
  const TemporaryFile file("box.obj", obj_text());
  const MeshData mesh = compile_mesh(file_spec(file.path()), {});
  // where both are equal, as here, between the second and the fourth corner
  CHECK(mesh.face == box_faces());
  CHECK(mesh.volume == Approx(6));
}

TEST_CASE("of an OBJ with several objects the first one's faces count", "[mesh]") {
  const std::string all = obj_text();
  const size_t cut = all.find("f 1 3 7 5");
  const TemporaryFile file("two.obj", "o one\n" + all.substr(0, cut) + "o two\n" + all.substr(cut));
  const MeshData mesh = compile_mesh(file_spec(file.path()), {});
  CHECK(mesh.face.size() == 3 * 8);
  CHECK(mesh.vert.size() == 3 * 8);
}

TEST_CASE("vertices of an MSH stay as they are", "[mesh]") {
  std::vector<float> vertices = box_vertices();
  vertices.insert(vertices.end(), {0, 0, 0});  // a repeated one that no face uses
  const TemporaryFile file("box.msh", msh_bytes(vertices, box_faces()));
  const MeshData mesh = compile_mesh(file_spec(file.path()), {});
  CHECK(mesh.vert.size() == 3 * 9);
  CHECK(mesh.face == box_faces());
}

TEST_CASE("content_type serves where a file's name has no extension", "[mesh]") {
  const TemporaryFile file("box", stl_bytes(box_vertices(), box_faces()));
  SpecMesh spec = file_spec(file.path());
  CHECK_THAT(mesh_error(spec), ContainsSubstring("unknown type"));
  spec.content_type = "model/stl";
  CHECK(compile_mesh(spec, {}).volume == Approx(6));
}

TEST_CASE("a missing or unreadable mesh file is named", "[mesh]") {
  CHECK_THAT(
      mesh_error(file_spec("/nowhere/forearm.obj")),
      ContainsSubstring("scene.xml:3: mesh 'part'") && ContainsSubstring("/nowhere/forearm.obj"));
  CHECK_THAT(mesh_error(file_spec(std::filesystem::temp_directory_path().string())),
             ContainsSubstring("is a folder"));
  CHECK_THAT(mesh_error(file_spec("/dev/zero")), ContainsSubstring("is no regular file"));
  CHECK_THAT(error_of("empty.stl", ""),
             ContainsSubstring("empty.stl") && ContainsSubstring("is empty"));
  CHECK_THAT(error_of("part.ply", "ply"), ContainsSubstring("unknown type"));
}

TEST_CASE("an STL whose size does not fit its face count is refused", "[mesh]") {
  const std::string bytes = stl_bytes(box_vertices(), box_faces());
  CHECK_THAT(
      error_of("cut.stl", bytes.substr(0, bytes.size() - 1)),
      ContainsSubstring("does not fit its face count: 12 faces need 684 bytes, the file has 683"));
  CHECK_THAT(error_of("short.stl", "solid"), ContainsSubstring("too short"));
  std::string ascii = "solid part\n";
  while (ascii.size() < 200) {
    ascii += "facet normal 0 0 1\n";
  }
  CHECK_THAT(error_of("ascii.stl", ascii), ContainsSubstring("ASCII"));
  CHECK_THAT(error_of("none.stl", std::string(84, '\0')), ContainsSubstring("0 faces"));
}

TEST_CASE("an OBJ that names vertices it does not have is refused", "[mesh]") {
  CHECK_THAT(error_of("bad.obj", obj_text() + "f 1 2 9\n"), ContainsSubstring("does not exist"));
  CHECK_THAT(error_of("bad.obj", obj_text() + "f 1 2 3 9\n"), ContainsSubstring("does not exist"));
  CHECK_THAT(error_of("bad.obj", obj_text() + "f 0 1 2\n"), ContainsSubstring("not a valid OBJ"));
  CHECK_THAT(error_of("bad.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nv 0 0 1\n"),
             ContainsSubstring("line 3 of"));
  CHECK_THAT(error_of("bad.obj", "v 0 0 0\nv 1 0\n"),
             ContainsSubstring("three finite coordinates"));
}

TEST_CASE("an MSH whose size does not fit its header is refused", "[mesh]") {
  const std::string bytes = msh_bytes(box_vertices(), box_faces());
  CHECK_THAT(error_of("cut.msh", bytes.substr(0, bytes.size() - 4)),
             ContainsSubstring("does not fit its header"));
  CHECK_THAT(error_of("tiny.msh", bytes.substr(0, 9)), ContainsSubstring("too short"));
  CHECK_THAT(error_of("negative.msh", raw_bytes<int32_t>({-5, 0, 0, 1})),
             ContainsSubstring("bad MSH header"));
  CHECK_THAT(error_of("huge.msh", raw_bytes<int32_t>({2000000000, 0, 0, 2000000000})),
             ContainsSubstring("does not fit its header"));
}

TEST_CASE("vertices or faces given twice are refused", "[mesh]") {
  const TemporaryFile file("twice.obj", obj_text());
  SpecMesh spec = file_spec(file.path());
  spec.uservert = box_vertices();
  CHECK_THAT(mesh_error(spec), ContainsSubstring("both by file"));
  spec.uservert.clear();
  spec.userface = box_faces();
  CHECK_THAT(mesh_error(spec), ContainsSubstring("both by file"));
}

}  // namespace
}  // namespace mjjit
