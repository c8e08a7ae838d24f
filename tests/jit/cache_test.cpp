#include "jit/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "catch.h"
#include "jit/program.h"
#include "temporary_folder.h"

using namespace mjjit;
namespace fs = std::filesystem;

namespace {

const std::string key = "0123456789abcdef0123456789abcdef";
const std::string other_key = "ffffffffffffffffffffffffffffffff";

std::vector<char> bytes(const std::string& text) { return {text.begin(), text.end()}; }

/// A cache in a folder, and the warnings it gave.
struct Subject {
  std::vector<std::string> warnings;
  KernelCache cache;
  explicit Subject(const fs::path& folder)
      : cache(folder, [this](const std::string& text) { warnings.push_back(text); }) {}
};

}  // namespace

TEST_CASE("what was stored is read back, by another cache object too", "[jit]") {
  const TemporaryFolder folder;
  Subject first(folder.path / "a" / "cache");
  CHECK_FALSE(first.cache.read("solver", key));
  first.cache.write("solver", key, bytes("image"));
  CHECK(first.cache.read("solver", key) == bytes("image"));
  Subject second(folder.path / "a" / "cache");
  CHECK(second.cache.read("solver", key) == bytes("image"));
  CHECK_FALSE(second.cache.read("solver", other_key));
  CHECK_FALSE(second.cache.read("smooth", key));
  CHECK(first.warnings.empty());
}

TEST_CASE("the cache folder and its entries are for the user alone", "[jit]") {
  const TemporaryFolder folder;
  Subject subject(folder.path / "cache");
  subject.cache.write("solver", key, bytes("image"));
  struct stat info;
  REQUIRE(stat((folder.path / "cache").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  REQUIRE(stat((folder.path / "cache" / entry_name("solver", key)).c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("a damaged entry is a miss and is replaced by the next write", "[jit]") {
  const TemporaryFolder folder;
  const fs::path file = folder.path / entry_name("solver", key);
  Subject subject(folder.path);
  const std::string image(1000, 'x');
  subject.cache.write("solver", key, bytes(image));
  const std::string whole = TemporaryFolder::read(file);

  std::string changed = whole;
  changed[changed.size() / 2] ^= 1;
  const std::string bad[] = {
      "",          "x",     whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 1),
      whole + "x", changed, std::string(whole.size(), '\0')};
  for (const std::string& text : bad) {
    TemporaryFolder::write(file, text);
    CHECK_FALSE(subject.cache.read("solver", key));
    subject.cache.write("solver", key, bytes(image));
    CHECK(subject.cache.read("solver", key) == bytes(image));
  }
}

TEST_CASE("an entry under another's name is a miss", "[jit]") {
  const TemporaryFolder folder;
  Subject subject(folder.path);
  subject.cache.write("solver", key, bytes("image"));
  fs::copy_file(folder.path / entry_name("solver", key),
                folder.path / entry_name("solver", other_key));
  CHECK_FALSE(subject.cache.read("solver", other_key));
}

TEST_CASE("a folder that others may write to is not used", "[jit]") {
  const TemporaryFolder folder;
  Subject(folder.path).cache.write("solver", key, bytes("image"));
  for (const fs::perms extra : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(folder.path, fs::perms::owner_all | extra);
    Subject subject(folder.path);
    CHECK_FALSE(subject.cache.read("solver", key));
    subject.cache.write("smooth", key, bytes("image"));
    CHECK(subject.warnings.size() == 1);
    CHECK_FALSE(fs::exists(folder.path / entry_name("smooth", key)));
  }
}

TEST_CASE("an entry that others may write to is not read", "[jit]") {
  const TemporaryFolder folder;
  Subject subject(folder.path);
  subject.cache.write("solver", key, bytes("image"));
  fs::permissions(folder.path / entry_name("solver", key),
                  fs::perms::owner_all | fs::perms::others_write);
  CHECK_FALSE(subject.cache.read("solver", key));
}

TEST_CASE("a link in place of an entry is not followed, and is replaced", "[jit]") {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  Subject(elsewhere.path).cache.write("solver", key, bytes("foreign"));
  fs::create_symlink(elsewhere.path / entry_name("solver", key),
                     folder.path / entry_name("solver", key));
  Subject subject(folder.path);
  CHECK_FALSE(subject.cache.read("solver", key));
  subject.cache.write("solver", key, bytes("own"));
  CHECK(subject.cache.read("solver", key) == bytes("own"));
  CHECK(Subject(elsewhere.path).cache.read("solver", key) == bytes("foreign"));
}

TEST_CASE("a folder that cannot be made costs one warning", "[jit]") {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder.path / "file", "");
  Subject subject(folder.path / "file" / "cache");
  CHECK_FALSE(subject.cache.read("solver", key));
  subject.cache.write("solver", key, bytes("image"));
  subject.cache.write("smooth", key, bytes("image"));
  REQUIRE(subject.warnings.size() == 1);
  CHECK_THAT(subject.warnings[0], ContainsSubstring("file/cache"));
}

TEST_CASE("an entry that cannot be stored costs one warning and leaves no file", "[jit]") {
  const TemporaryFolder folder;
  // a folder of that name, with something in it, cannot be replaced by a file
  fs::create_directories(folder.path / entry_name("solver", key) / "inside");
  Subject subject(folder.path);
  subject.cache.write("solver", key, bytes("image"));
  subject.cache.write("solver", key, bytes("image"));
  CHECK(subject.warnings.size() == 1);
  CHECK(TemporaryFolder::names(folder.path).size() == 1);
  subject.cache.write("smooth", key, bytes("image"));
  CHECK(subject.cache.read("smooth", key) == bytes("image"));
}

TEST_CASE("without a folder nothing is stored and nothing is said", "[jit]") {
  Subject subject("");
  subject.cache.write("solver", key, bytes("image"));
  CHECK_FALSE(subject.cache.read("solver", key));
  CHECK(subject.warnings.empty());
}

TEST_CASE("threads that write and read one entry see all of it or nothing", "[jit]") {
  const TemporaryFolder folder;
  const std::vector<char> images[2] = {std::vector<char>(20000, 'a'),
                                       std::vector<char>(30000, 'b')};
  std::atomic<int> bad = 0;
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Subject subject(folder.path);
        for (int i = 0; i < 50; ++i) {
          subject.cache.write("solver", key, images[t % 2]);
          const auto seen = subject.cache.read("solver", key);
          (seen == images[0] || seen == images[1] ? good : bad)++;
        }
      });
    }
  }
  CHECK(good == 200);
  CHECK(bad == 0);
  CHECK(TemporaryFolder::names(folder.path).size() == 1);
}

TEST_CASE("clearing removes entries and leftovers of ours, and nothing else", "[jit]") {
  const TemporaryFolder folder;
  Subject subject(folder.path);
  subject.cache.write("solver", key, bytes("image"));
  subject.cache.write("narrowphase_convex", other_key, bytes("image"));
  const std::vector<std::string> foreign = {"lock", "notes.mjjit", "solver-0123.mjjit",
                                            std::string(".").append(entry_name("x", key))};
  for (const std::string& name : foreign) {
    TemporaryFolder::write(folder.path / name, "foreign");
  }
  TemporaryFolder::write(folder.path / ".mjjit-tmp-1-0.mjjit", "half an entry");
  fs::create_directory(folder.path / entry_name("folder", key));
  fs::create_symlink("/nonexistent", folder.path / "dangling");

  CHECK(clear_cache(folder.path) == 2);
  CHECK(TemporaryFolder::names(folder.path).size() == foreign.size() + 2);
  CHECK_FALSE(subject.cache.read("solver", key));
  CHECK(clear_cache(folder.path) == 0);
  CHECK(clear_cache(folder.path / "missing") == 0);
}

TEST_CASE("a temporary file that a killed process left is removed when it is old", "[jit]") {
  const TemporaryFolder folder;
  for (const char* name : {".mjjit-tmp-1-0.mjjit", ".mjjit-tmp-2-0.mjjit"}) {
    TemporaryFolder::write(folder.path / name, "half an entry");
  }
  fs::last_write_time(folder.path / ".mjjit-tmp-1-0.mjjit",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  Subject(folder.path).cache.write("solver", key, bytes("image"));
  CHECK_FALSE(fs::exists(folder.path / ".mjjit-tmp-1-0.mjjit"));
  CHECK(fs::exists(folder.path / ".mjjit-tmp-2-0.mjjit"));
}

TEST_CASE("the default folder follows XDG_CACHE_HOME, then HOME", "[jit]") {
  const char* xdg = getenv("XDG_CACHE_HOME");
  const char* home = getenv("HOME");
  const std::string old_xdg = xdg != nullptr ? xdg : "", old_home = home != nullptr ? home : "";

  setenv("HOME", "/home/user", 1);
  setenv("XDG_CACHE_HOME", "/elsewhere", 1);
  CHECK(default_cache_dir() == "/elsewhere/mjjit");
  setenv("XDG_CACHE_HOME", "relative", 1);
  CHECK(default_cache_dir() == "/home/user/.cache/mjjit");
  unsetenv("XDG_CACHE_HOME");
  CHECK(default_cache_dir() == "/home/user/.cache/mjjit");
  unsetenv("HOME");
  CHECK(default_cache_dir().empty());

  if (xdg != nullptr) {
    setenv("XDG_CACHE_HOME", old_xdg.c_str(), 1);
  }
  if (home != nullptr) {
    setenv("HOME", old_home.c_str(), 1);
  }
}
