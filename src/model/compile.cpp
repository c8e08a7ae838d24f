#include "model/draft.h"

namespace mjjit {
namespace {

/// Features that the reader met and could not turn into the spec: an error each, or a warning each.
void refuse_unsupported(Draft& d) {
  for (const SpecUnsupported& feature : d.spec.unsupported) {
    refuse(d, feature.source, feature.what, "it is left out");
  }
}

}  // namespace

Model compile(const Spec& spec, bool ignore_unsupported) {
  Model model;
  model.modelname = spec.modelname;
  Draft d{spec, model, ignore_unsupported};
  refuse_unsupported(d);
  compile_options(d);

  // the tree, from names to masses
  number_bodies(d);
  compile_joints(d);
  number_trees(d);
  compile_meshes(d);
  compile_hfields(d);
  compile_geoms(d);
  compile_sites(d);
  check_finite(d);
  compile_inertia(d);
  compile_reference(d);

  // what refers to the tree
  compile_pairs(d);
  compile_equalities(d);
  compile_actuators(d);
  compile_sensors(d);
  compile_numerics(d);
  check_finite(d);

  // what follows from all of it at the reference configuration
  compile_constants(d);
  compile_keyframes(d);
  list_geom_pairs(d);
  list_pair_runs(d);
  size_hessian(d);
  check_finite(d);
  return model;
}

}  // namespace mjjit
