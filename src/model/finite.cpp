#include <cmath>
#include <string_view>

#include "model/draft.h"

namespace mjjit {
namespace {

/// An element of the scene, for messages.
struct Owner {
  Source source;
  std::string label;
};

template <typename T>
Owner owner_in(std::string_view kind, const T& element) {
  return {element.source, label(kind, element.name)};
}

/// The element that row `row` of an array is about, by the array's name.
Owner owner_of(const Draft& d, std::string_view array, std::size_t row) {
  const std::string_view kind = array.substr(0, array.find('_'));
  if (kind == "body" && row < d.bodies.size()) {
    return owner_in("body", *d.bodies[row]);
  }
  if (kind == "jnt" && row < d.joints.size()) {
    return owner_in("joint", *d.joints[row]);
  }
  if (kind == "dof" && row < d.m.dof_jntid.size()) {
    return owner_in("joint", *d.joints[d.m.dof_jntid[row]]);
  }
  if (kind == "geom" && row < d.geoms.size()) {
    return owner_in("geom", *d.geoms[row]);
  }
  if (kind == "geompair" && 2 * row < d.m.geompair_geom.size()) {
    return owner_in("geom", *d.geoms[d.m.geompair_geom[2 * row]]);
  }
  if (kind == "site" && row < d.sites.size()) {
    return owner_in("site", *d.sites[row]);
  }
  // of these, unsupported ones may have been left out
  if (kind == "eq" && static_cast<std::size_t>(d.m.neq) == d.spec.equalities.size()) {
    return owner_in("equality", d.spec.equalities[row]);
  }
  if (kind == "actuator" && static_cast<std::size_t>(d.m.nactuator) == d.spec.actuators.size()) {
    return owner_in("actuator", d.spec.actuators[row]);
  }
  return {Source{d.spec.file, 1}, "the scene"};
}

void check(const Draft& d, std::string_view name, const std::vector<double>& values, int columns) {
  for (std::size_t i = 0; i < values.size(); i++) {
    if (!std::isfinite(values[i])) {
      const Owner owner = owner_of(d, name, i / static_cast<std::size_t>(columns));
      fail(owner.source,
           "{}: {} becomes {}: a number given here, or for what it holds, is too large",
           owner.label, name, values[i]);
    }
  }
}

void check(const Draft&, std::string_view, const std::vector<int>&, int) {}

}  // namespace

void check_finite(const Draft& d) {
#define SIZE(name) [[maybe_unused]] const int name = d.m.name;
#define FIELD(type, name, rows, columns) check(d, #name, d.m.name, columns);
#define HOST(type, name, rows, columns) FIELD(type, name, rows, columns)
#include "../../kernels/model_fields.def"
  check(d, "stat_meaninertia", std::vector<double>{d.m.stat_meaninertia}, 1);
}

}  // namespace mjjit
