#pragma once

#include "app.h"

namespace mjjit {

// What can be told about a scene without running it.

/// --compile_only: compiles all modules and prints their figures; an architecture sm_NN needs no
/// GPU. The exit code.
int compile_only(App* app, const Model& model);

/// --dry_run: prints sizes, modules and memory; sizes that a run would find by a trial are guessed.
/// The exit code.
/// @throws Error{Exit::device} when the run would not fit
int dry_run(App* app, const Model& model, const RunSetup& setup);

}  // namespace mjjit
