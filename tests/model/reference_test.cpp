// The compiled model beside MuJoCo's: every m.<field> of tests/data/<name>.npz, under the names of
// --dump.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include "catch.h"
#include "mjcf/read.h"
#include "model/model.h"
#include "reference_scenes.h"
#include "sim/dump.h"
#include "sim/npz.h"

using namespace mjjit;

namespace {

using Arrays = std::map<std::string, NpzArray>;

Arrays load(const std::string& path) {
  Arrays arrays;
  for (NpzArray& array : read_npz(path)) {
    const std::string name = array.name;
    arrays.emplace(name, std::move(array));
  }
  return arrays;
}

Arrays compiled(const std::string& scene) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("mjjit-model-" + std::to_string(getpid()) + ".npz");
  NpzWriter writer;
  dump_model(compile(read_mjcf(scene)), &writer);
  writer.write(path.string());
  Arrays arrays = load(path.string());
  std::filesystem::remove(path);
  return arrays;
}

/// Fields that our model does not have: those of features that the reader refuses, whose values
/// must say that the feature is not in use, and those that only place things in MuJoCo's memory or
/// serve what is not simulated.
const std::map<std::string, std::optional<double>>& left_out() {
  static const std::map<std::string, std::optional<double>> fields = {
      {"m.actuator_armature", 0},     // attribute refused
      {"m.actuator_damping", 0},      // attribute refused
      {"m.actuator_dampingpoly", 0},  // attribute refused
      {"m.geom_adhesion", 0},         // attribute refused
      {"m.pair_adhesion", 0},         // attribute refused
      {"m.geom_surfacevel", 0},       // attribute refused
      {"m.jnt_springyield", 0},       // attribute refused
      {"m.site_dataid", -1},          // site with a mesh: attribute refused
      {"m.actuator_outnum", 1},       // actuators of several forces: refused
      {"m.actuator_outadr", {}},      // with one force each it counts up
      {"m.actuator_ctrlspec", {}},    // what a control is a value of: for show
      {"m.jnt_actuatorid", -1},       // the actuator of a joint's own attributes: refused
      {"m.dof_length", {}},           // scales angles to metres, for sleep: refused
  };
  return fields;
}

/// Largest difference relative to atol + rtol × the largest value: at most 1 is a pass.
double error(const NpzArray& want, const NpzArray& have, double rtol, double atol) {
  if (want.values.size() != have.values.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < want.values.size(); ++i) {
    const double away = std::abs(want.values[i] - have.values[i]);
    largest = std::max(largest, std::abs(want.values[i]));
    worst = away <= worst         ? worst
            : std::isfinite(away) ? away
                                  : std::numeric_limits<double>::infinity();
  }
  return worst / (atol + rtol * largest);
}

void check_left_out(const std::string& name, const NpzArray& want) {
  const auto known = left_out().find(name);
  REQUIRE(known != left_out().end());
  for (const double value : want.values) {
    CHECK(value == known->second.value_or(value));
  }
}

}  // namespace

TEST_CASE("compiled models are MuJoCo's, field by field", "[model]") {
  for (const auto& [name, scene] : reference_scenes()) {
    const Arrays want = load(std::string(MJJIT_TEST_DATA) + "/" + name + ".npz");
    const Arrays have = compiled(scene);
    const bool meshes = is_decided_by_meshes(name);
    int compared = 0;
    for (const auto& [field, array] : want) {
      if (!field.starts_with("m.")) {
        continue;
      }
      INFO(name << " " << field);
      const auto ours = have.find(field);
      if (ours == have.end()) {
        check_left_out(field, array);
        continue;
      }
      CHECK(error(array, ours->second, meshes ? 1e-5 : 1e-8, meshes ? 1e-6 : 1e-9) <= 1);
      ++compared;
    }
    INFO(name);
    CHECK(compared > 100);
  }
}
