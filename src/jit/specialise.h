#pragma once

#include <string>

#include "jit/plan.h"

namespace mjjit {

/// The generated header sizes.h: a line `constexpr int NV = 27;` for every size of model_fields.def
/// and of the run, and a line for every switch (which features of the kernels the scene uses).
/// Values such as masses or gains are not in it, so that changing one recompiles nothing.
/// @param sizes  after complete_sizes()
std::string sizes_header(const Model& model, const RunSizes& sizes);

/// Reals of work space that smooth and integrate need for one world (kernels/workspace.cuh asserts
/// that it suffices).
/// @param lanes_factor  on a device whose groups factor trees side by side, which need room for
///                      only those at a time
int work_reals(const Model& model, bool lanes_factor);

}  // namespace mjjit
