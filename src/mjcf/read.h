#pragma once

#include <string>
#include <string_view>

#include "mjcf/spec.h"

namespace mjjit {

/// Reads an MJCF file with everything it includes and attaches.
/// @param path   the scene, as the user named it; file names in errors are relative to how this was
/// written
/// @throws Error{Exit::input} "FILE:LINE: <element> 'name': …" for whatever is wrong with the input
Spec read_mjcf(const std::string& path);

/// The same for a text held in memory, for tests; relative files are looked for in the current
/// folder.
Spec read_mjcf_text(std::string_view text, const std::string& name = "scene.xml");

}  // namespace mjjit
