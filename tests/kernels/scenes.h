#pragma once

#include <string>

#include "kernels/reference.h"
#include "reference_scenes.h"

/// The reference run of a scene of tests/data in double precision, with the tolerance that fits it:
/// 1e-8 of a field's largest value, 1e-5 where meshes decide (MuJoCo keeps their vertices in
/// float32).
inline Reference reference(const std::string& name, const std::string& precision = "double") {
  const std::string replay = name == "pinch" ? MJJIT_TEST_DATA "/scenes/pinch_start.npz" : "";
  Reference run(name, reference_scenes().at(name), precision, replay);
  if (precision == "float") {
    run.rtol = 2e-4;
    run.atol = 1e-5;
  } else if (is_decided_by_meshes(name)) {
    run.rtol = 1e-5;
    run.atol = 1e-6;
  }
  return run;
}
