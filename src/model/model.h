#pragma once

#include <string>
#include <vector>

#include "mjcf/spec.h"

namespace mjjit {

/// The compiled model: what MuJoCo's compiler makes of the scene, in double, under MuJoCo's field
/// names. Sizes are plain members (m.nbody), options are opt_<name>, arrays are row-major vectors
/// [rows × columns]. The list, with a comment on each field, is kernels/model_fields.def.
struct Model {
  using real = double;
#define SIZE(name) int name = 0;
#define OPT(type, name, columns) type opt_##name[columns] = {};
#define FIELD(type, name, rows, columns) std::vector<type> name;
#define HOST(type, name, rows, columns) std::vector<type> name;
#include "../../kernels/model_fields.def"
  double stat_meaninertia = 0;

  // names by id, for messages and reports
  std::string modelname;
  std::vector<std::string> body_name, geom_name;
  std::vector<std::string> warnings;
};

/// Compiles a scene.
/// @throws Error{Exit::input} "FILE:LINE: element 'name': …"; also for a feature listed in
/// spec.unsupported, unless ignore_unsupported turns those into entries of Model::warnings
Model compile(const Spec& spec, bool ignore_unsupported = false);

}  // namespace mjjit
