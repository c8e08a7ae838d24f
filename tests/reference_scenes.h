#pragma once

#include <map>
#include <string>

/// The scenes of tests/data/<name>.npz, as scripts/make_references.py lists them.
inline const std::map<std::string, std::string>& reference_scenes() {
  static const std::map<std::string, std::string> scenes = {
      {"humanoid", MJJIT_SCENES "/humanoid/humanoid.xml"},
      {"three_humanoids", MJJIT_SCENES "/humanoid/three_humanoids.xml"},
      {"aloha_pot", MJJIT_SCENES "/aloha_pot/scene.xml"},
      {"pinch", MJJIT_SCENES "/aloha_pot/scene.xml"},
      {"mixed", MJJIT_TEST_DATA "/scenes/mixed.xml"},
      {"swim", MJJIT_TEST_DATA "/scenes/swim.xml"},
      {"pile", MJJIT_TEST_DATA "/scenes/pile.xml"},
  };
  return scenes;
}

/// Whether meshes, whose vertices MuJoCo keeps in float32, decide a scene's numbers.
inline bool is_decided_by_meshes(const std::string& name) {
  return name == "aloha_pot" || name == "pinch" || name == "mixed";
}
