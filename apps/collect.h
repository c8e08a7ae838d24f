#pragma once

#include "options.h"
#include "report/result.h"
#include "sim/rollout.h"

namespace mjjit {

/// Figures of compiled modules; `bytes` are their sizes where the images are still there.
std::vector<ModuleFigures> module_figures(const std::vector<CompiledModule>& modules);
ModuleFigures module_figures(const CompiledModule& module);

/// A result with what is known before anything runs: scene, sizes asked for, environment.
Result start_result(const Options& options, const Model& model, const Environment& environment);

/// Adds the device to a result's environment.
/// @param arch  compiled for; empty: the device's own
void add_device(const DeviceInfo& device, const std::string& arch, Result* result);
/// Adds the arrays and their totals.
void add_memory(const std::vector<Array>& arrays, Result* result);
/// Adds a compiled program.
void add_program(const Program& program, Result* result);
/// Adds all that a rollout found.
void add_rollout(const Rollout& rollout, const Model& model, Result* result);

}  // namespace mjjit
