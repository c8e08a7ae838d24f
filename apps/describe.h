#pragma once

#include <string>

#include "options.h"
#include "report/result.h"
#include "sim/session.h"

namespace mjjit {

/// The blocks "Model" and "Option"; with `info` every size and option, and which geom types may
/// collide.
std::string model_text(const Model& model, bool info);

/// The block "Data": worlds and sizes.
std::string data_text(const SizeRequest& sizes, const RunSizes& room, int nworld);

/// "Rolling out 1000 steps at dt = 0.005..."
std::string rolling_text(const std::string& function, int nstep, double timestep);

/// --dry_run: the modules of the plan with their kernels, in the order they would be compiled.
std::string plan_text(const Plan& plan);

}  // namespace mjjit
