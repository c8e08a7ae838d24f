#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/plan.h"

namespace mjjit {

// How many contacts, rows and near pairs a world has room for. What the user gives is kept; what is
// left out begins with a guess from the scene, is measured by a trial rollout, and is then given
// head-room.

/// What the user asked for, a world; nothing: find it.
struct SizeRequest {
  std::optional<int> nconmax, njmax, nccdmax;
  bool complete() const { return nconmax && njmax; }
};

/// The most that any world wanted at any step, whether it fitted or not.
struct Demand {
  int ncon = 0, nefc = 0, nccd = 0, nprimitive = 0, nhfieldpair = 0;
};

/// One limit that was too small.
struct Overflow {
  std::string limit;  // nconmax
  int room = 0, wanted = 0;
  int steps = 0;       // steps in which some world did not fit
  std::string remedy;  // "--nconmax 48"
};

/// A guess for what is left out, generous for one world of a usual scene.
SizeRequest guess_sizes(const Model& model, const SizeRequest& request);

/// What is left out of `request` from a measured demand, with head-room and never above what the
/// scene can need.
SizeRequest sizes_from_demand(const Model& model, const SizeRequest& request, const Demand& demand);

/// What is left out of `request` at least doubled where `demand` shows that `tried` did not
/// suffice.
SizeRequest enlarged(const Model& model, const SizeRequest& request, const SizeRequest& tried,
                     const Demand& demand);

/// Completes sizes (nccdmax has a default of its own) with the lists that follow from them. Every
/// room is at least 1, as kernels cannot have empty arrays.
RunSizes run_sizes(const Model& model, const SizeRequest& sizes);

/// Limits of `sizes` that `demand` exceeds; steps are left at zero.
std::vector<Overflow> overflows(const Model& model, const SizeRequest& sizes, const Demand& demand);

/// Flags to paste: "--nconmax 24 --njmax 64", and --nccdmax where the scene has convex pairs.
std::string size_flags(const Model& model, const SizeRequest& sizes);

}  // namespace mjjit
