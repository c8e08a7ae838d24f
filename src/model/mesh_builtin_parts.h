#pragma once

#include "base/error.h"
#include "model/mesh_read.h"

// What the files that make built-in shapes share.
namespace mjjit::meshes {

inline constexpr int kMaxResolution =
    2000;  // four million vertices; beyond it a typing error is more likely than a wish

/// The parameters of a built-in shape, checked as they are taken.
class Parameters {
 public:
  Parameters(const SpecMesh& spec, size_t expected) : spec_(spec) {
    if (spec.params.size() != expected) {
      fail(spec.source, "mesh '{}': builtin '{}' takes {} parameters in params, and has {}",
           spec.name, spec.builtin, expected, spec.params.size());
    }
  }

  /// parameter i, fraction dropped, which must lie in low..high
  int whole(size_t i, const char* what, int low, int high) const {
    return static_cast<int>(within(i, what, low, high));
  }

  /// parameter i, which must lie in low..high
  double within(size_t i, const char* what, double low, double high) const {
    const double value = spec_.params[i];
    if (!(value >= low && value <= high)) {
      fail(spec_.source, "mesh '{}': builtin '{}': {} must be in {} to {}, and is {}", spec_.name,
           spec_.builtin, what, low, high, value);
    }
    return value;
  }

  /// parameter i, which must be above 0 and at most high
  double positive(size_t i, const char* what, double high) const {
    const double value = within(i, what, 0, high);
    if (value == 0) {
      fail(spec_.source, "mesh '{}': builtin '{}': {} must be greater than 0", spec_.name,
           spec_.builtin, what);
    }
    return value;
  }

 private:
  const SpecMesh& spec_;
};

inline void add_vertex(RawMesh& mesh, double x, double y, double z) {
  for (const double value : {x, y, z}) {
    mesh.vert.push_back(static_cast<float>(value));
  }
}

RawMesh make_hemisphere(const SpecMesh& spec);
RawMesh make_sphere(const SpecMesh& spec);
RawMesh make_supersphere(const SpecMesh& spec);
RawMesh make_supertorus(const SpecMesh& spec);

}  // namespace mjjit::meshes
