#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "mjcf/spec.h"
#include "model/mesh.h"
#include "model/model.h"

namespace mjjit {

/// Mass and principal inertia of a geom about its own frame; zero where the geom gives its body no
/// mass.
struct GeomMass {
  double mass = 0;
  Vec3 inertia = {0, 0, 0};
};

/// Ids by name of one kind of element.
class NameTable {
 public:
  explicit NameTable(std::string kind) : kind_(std::move(kind)) {}

  /// Takes the next id for a name; elements without a name have ids too.
  /// @throws Error{Exit::input} at `source` where the name is taken
  void add(const std::string& name, const Source& source);

  /// @return the id, -1 where there is no such name
  int find(const std::string& name) const;

  const std::string& kind() const { return kind_; }

 private:
  struct Entry {
    int id;
    Source source;
  };
  std::string kind_;
  int count_ = 0;
  std::unordered_map<std::string, Entry> entries_;
};

/// What the steps of compile() share: the scene, the model under construction, and what the model
/// does not hold. Each step reads what earlier ones filled in; compile.cpp has the order.
struct Draft {
  const Spec& spec;
  Model& m;
  bool ignore_unsupported;

  // elements of the tree by id
  std::vector<const SpecBody*> bodies = {};
  std::vector<const SpecJoint*> joints = {};
  std::vector<const SpecGeom*> geoms = {};
  std::vector<const SpecSite*> sites = {};

  NameTable body_ids{"body"}, joint_ids{"joint"}, geom_ids{"geom"}, site_ids{"site"};
  NameTable mesh_ids{"mesh"}, hfield_ids{"hfield"}, actuator_ids{"actuator"}, camera_ids{"camera"};

  std::vector<MeshData> meshes = {};
  std::vector<GeomMass> geom_mass = {};
};

/// "geom 'foot'" for messages; only the kind where there is no name.
std::string label(std::string_view kind, const std::string& name);

/// Settings of the compiler that hold for a body: those of the model that it was attached from.
const SpecCompiler& compiler_of(const Draft& d, int body);

/// A feature that is not there: an error, or a warning of the model where the user said to ignore
/// such things.
/// @param what        the feature, "attribute 'plugin' of <geom>"
/// @param consequence what becomes of it when it is ignored, "the actuator makes no force"
void refuse(Draft& d, const Source& at, const std::string& what, const std::string& consequence);

/// Refuses a model in which a sum or product overflowed: the arrays that are filled in so far.
/// @throws Error{Exit::input} naming the element and the array
void check_finite(const Draft& d);  // finite.cpp

// the steps, one or two a file

void compile_options(Draft& d);     // options.cpp
void number_bodies(Draft& d);       // tree.cpp
void compile_joints(Draft& d);      // joints.cpp
void number_trees(Draft& d);        // tree.cpp
void compile_meshes(Draft& d);      // assets.cpp
void compile_hfields(Draft& d);     // assets.cpp
void compile_geoms(Draft& d);       // geoms.cpp
void compile_sites(Draft& d);       // sites.cpp
void compile_inertia(Draft& d);     // inertia.cpp
void compile_reference(Draft& d);   // joints.cpp
void compile_pairs(Draft& d);       // pairs.cpp
void compile_equalities(Draft& d);  // equality.cpp
void compile_actuators(Draft& d);   // actuators.cpp
void compile_sensors(Draft& d);     // sensors.cpp
void compile_numerics(Draft& d);    // keyframes.cpp
void compile_constants(Draft& d);   // constants.cpp
/// Room for a Hessian over all dofs, for contacts that couple trees; small models keep it on chip.
void size_hessian(Draft& d);       // constants.cpp
void compile_keyframes(Draft& d);  // keyframes.cpp
void list_geom_pairs(Draft& d);    // geompairs.cpp
void list_pair_runs(Draft& d);     // pairruns.cpp

}  // namespace mjjit
