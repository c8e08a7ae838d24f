#pragma once

#include "report/result.h"

namespace mjjit {

/// What can be known without a device: host, operating system, processor, and how this binary was
/// built.
/// @param commit, version, build  from the build: the commit hash, the project's version, "Release"
/// @param argc, argv              the command line, as the program got it
Environment host_environment(const char* commit, const char* version, const char* build, int argc,
                             const char* const* argv);

}  // namespace mjjit
