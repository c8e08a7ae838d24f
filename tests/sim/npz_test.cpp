#include "sim/npz.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "catch.h"

using namespace mjjit;

namespace {

/// A file name of this process in the folder for temporary files; removed at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(
            (std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name)).string()) {
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string written(const TemporaryFile& file, const std::string& bytes) {
  write_file_atomic(file.path(), bytes);
  return file.path();
}

}  // namespace

TEST_CASE("arrays come back from an NPZ file as they went in", "[sim]") {
  const TemporaryFile file("round.npz");
  NpzWriter out;
  out.add("d.qpos", {2, 3}, std::vector<double>{1, -2.5, 1e300, 0, 5, 6});
  out.add("m.ids", {4}, std::vector<int>{-1, 0, 7, 2147483647});
  out.add_scalar("m.nq", 3);
  out.add("d.empty", {0, 5}, std::vector<double>{});
  out.write(file.path());

  const std::vector<NpzArray> arrays = read_npz(file.path());
  REQUIRE(arrays.size() == 4);
  CHECK(arrays[0].name == "d.qpos");
  CHECK(arrays[0].shape == std::vector<std::size_t>{2, 3});
  CHECK(arrays[0].values == std::vector<double>{1, -2.5, 1e300, 0, 5, 6});
  CHECK(arrays[1].values == std::vector<double>{-1, 0, 7, 2147483647});
  CHECK(arrays[2].shape.empty());
  CHECK(arrays[2].values == std::vector<double>{3});
  CHECK(arrays[3].shape == std::vector<std::size_t>{0, 5});
  CHECK(arrays[3].values.empty());
}

TEST_CASE("an empty array keeps its shape, however long its other dimension", "[sim]") {
  const TemporaryFile file("empty.npz");
  NpzWriter out;
  out.add("ctrl", {5000, 0}, std::vector<double>{});  // a scene without actuators
  out.write(file.path());
  const std::vector<NpzArray> arrays = read_npz(file.path());
  REQUIRE(arrays.size() == 1);
  CHECK(arrays[0].shape == std::vector<std::size_t>{5000, 0});
  CHECK(arrays[0].values.empty());
}

TEST_CASE("the same arrays give the same bytes of an NPZ file", "[sim]") {
  const TemporaryFile a("a.npz"), b("b.npz");
  NpzWriter out;
  out.add("x", {3}, std::vector<double>{1, 2, 3});
  out.write(a.path());
  out.write(b.path());
  CHECK(read_file(a.path()) == read_file(b.path()));
}

TEST_CASE("an NPZ file cut short or changed anywhere is an error, never a crash", "[sim]") {
  const TemporaryFile whole("whole.npz"), bad("bad.npz");
  NpzWriter out;
  out.add("ctrl", {5, 2}, std::vector<double>(10, 0.25));
  out.add("times", {5}, std::vector<double>{0, 1, 2, 3, 4});
  out.write(whole.path());
  const std::string bytes = read_file(whole.path());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS_AS(read_npz(written(bad, bytes.substr(0, size))), Error);
  }
  // a changed byte is found by the checksums, or does not matter (times and version numbers of the
  // zip records)
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    try {
      read_npz(written(bad, changed));
    } catch (const Error& error) {
      CHECK(error.code() == Exit::input);
      CHECK_THAT(error.what(), ContainsSubstring(bad.path()));
    }
  }
}

TEST_CASE("a file that is no NPZ file is named in the error", "[sim]") {
  const TemporaryFile file("text.npz");
  CHECK_THROWS_WITH(read_npz(written(file, "hello")), ContainsSubstring("is not an NPZ file"));
  CHECK_THROWS_WITH(read_npz("no/such.npz"), ContainsSubstring("no/such.npz"));
}
