#include "base/files.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "catch.h"

using namespace mjjit;

namespace {

/// A folder of its own for a test, gone afterwards.
struct Folder {
  std::string path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "mjjit_files_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("a written file is read back byte by byte, and no temporary file stays", "[files]") {
  const Folder folder;
  const std::string path = folder.path + "/a.bin";
  const std::string text("a\0b\r\n", 5);
  write_file_atomic(path, "old");
  write_file_atomic(path, text);
  CHECK(read_file(path) == text);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path),
                      std::filesystem::directory_iterator()) == 1);
}

TEST_CASE("what is no regular file is written to, and stays what it is", "[files]") {
  write_file_atomic("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK_THROWS_WITH(write_file_atomic("/dev/full", "x"), ContainsSubstring("No space left"));
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("a file that is not there or is a folder is bad input", "[files]") {
  const Folder folder;
  CHECK_THROWS_WITH(read_file(folder.path + "/none"),
                    ContainsSubstring("/none") && ContainsSubstring("does not exist"));
  CHECK_THROWS_WITH(read_file(folder.path), ContainsSubstring("is a folder"));
  CHECK_THROWS_AS(write_file_atomic(folder.path + "/no/such/a", "x"), Error);
}

TEST_CASE("paths are put together without detours", "[files]") {
  CHECK(folder_of("a/b/c.xml") == "a/b/");
  CHECK(folder_of("c.xml").empty());
  CHECK(join_path("a/b/", "../c.xml") == "a/c.xml");
  CHECK(join_path("", "./c.xml") == "c.xml");
  CHECK(join_path("a", "/c.xml") == "/c.xml");
  CHECK(file_name("a/b.obj") == "b.obj");
  CHECK(file_stem("a/b.c.obj") == "b.c");
}

TEST_CASE("what could block or not end, and what would fill the memory, is not read", "[files]") {
  const Folder folder;
  CHECK_THROWS_WITH(read_file("/dev/zero"), "file '/dev/zero' is no regular file");
  const std::string pipe = folder.path + "/pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(file_problem(pipe) == "is no regular file");
  CHECK_THROWS_AS(read_file(pipe), Error);

  const std::string large = folder.path + "/large.stl";
  write_file_atomic(large, "");
  std::filesystem::resize_file(large, kMostFileBytes);
  CHECK(is_file(large));
  std::filesystem::resize_file(large, kMostFileBytes + 1);
  CHECK_FALSE(is_file(large));
  CHECK_THROWS_WITH(read_file(large),
                    ContainsSubstring("has 1073741825 bytes, there can be at most 1073741824"));
}
