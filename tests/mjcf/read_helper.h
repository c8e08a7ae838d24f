#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "base/error.h"
#include "catch.h"
#include "mjcf/read.h"

namespace mjjit {

/// Reads a scene given as the content of its root element.
inline Spec read_scene(const std::string& content) {
  return read_mjcf_text("<mujoco model=\"test\">" + content + "</mujoco>");
}

/// The same with the content of <worldbody>.
inline Spec read_world(const std::string& content) {
  return read_scene("<worldbody>" + content + "</worldbody>");
}

/// What reading complains about; empty where it does not.
inline std::string complaint(const std::string& content) {
  try {
    read_scene(content);
  } catch (const Error& error) {
    CHECK(error.code() == Exit::input);
    return error.what();
  }
  return "";
}

inline std::string world_complaint(const std::string& content) {
  return complaint("<worldbody>" + content + "</worldbody>");
}

/// Files in a folder of their own, which goes with the object.
class SceneFolder {
 public:
  explicit SceneFolder(std::initializer_list<std::pair<std::string, std::string>> files) {
    std::string name = (std::filesystem::temp_directory_path() / "mjjit_scene_XXXXXX").string();
    path_ = mkdtemp(name.data());
    for (const auto& [file, text] : files) {
      std::filesystem::create_directories(std::filesystem::path(path_ + "/" + file).parent_path());
      std::ofstream(path_ + "/" + file) << text;
    }
  }
  ~SceneFolder() { std::filesystem::remove_all(path_); }
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;

  Spec read(const std::string& file = "scene.xml") const { return read_mjcf(path_ + "/" + file); }

  std::string complaint(const std::string& file = "scene.xml") const {
    try {
      read(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::string path_;
};

template <std::size_t n>
void check_close(const std::array<double, n>& values, const std::array<double, n>& expected) {
  for (std::size_t i = 0; i < n; i++) {
    INFO("element " << i);
    CHECK(values[i] == Approx(expected[i]).margin(1e-9));
  }
}

inline constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

}  // namespace mjjit
