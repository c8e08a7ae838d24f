#pragma once

#include <map>
#include <string>

#include "kernels/reference.h"

/// The reference run of a scene of tests/data in double precision, with the tolerance that fits it:
/// 1e-8 of a field's largest value, 1e-5 where meshes decide (MuJoCo keeps their vertices in
/// float32).
inline Reference reference(const std::string& name, const std::string& precision = "double") {
  static const std::map<std::string, std::string> scenes = {
      {"humanoid", MJJIT_SCENES "/humanoid/humanoid.xml"},
      {"three_humanoids", MJJIT_SCENES "/humanoid/three_humanoids.xml"},
      {"aloha_pot", MJJIT_SCENES "/aloha_pot/scene.xml"},
      {"pinch", MJJIT_SCENES "/aloha_pot/scene.xml"},
      {"mixed", MJJIT_TEST_DATA "/scenes/mixed.xml"},
      {"swim", MJJIT_TEST_DATA "/scenes/swim.xml"},
      {"pile", MJJIT_TEST_DATA "/scenes/pile.xml"},
  };
  const std::string replay = name == "pinch" ? MJJIT_TEST_DATA "/scenes/pinch_start.npz" : "";
  Reference run(name, scenes.at(name), precision, replay);
  if (precision == "float") {
    run.rtol = 2e-4;
    run.atol = 1e-5;
  } else if (name == "aloha_pot" || name == "pinch" || name == "mixed") {
    run.rtol = 1e-5;
    run.atol = 1e-6;
  }
  return run;
}
