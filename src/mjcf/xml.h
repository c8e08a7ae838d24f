#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mjcf/element.h"

namespace mjjit::mjcf {

/// The root element of an MJCF file with all its <include> elements replaced by what their files
/// hold. A file is looked for beside the main file, then beside the file that includes it; no file
/// may come in twice.
/// @param warnings   gets a line for each text that stands between elements
/// @throws Error{Exit::input} at the place where XML is malformed, a file is missing, empty or
/// comes in twice
Element load_xml(const std::string& path, std::vector<std::string>& warnings);

/// The same for a text; `name` stands for the main file.
Element parse_xml(std::string_view text, const std::string& name,
                  std::vector<std::string>& warnings);

}  // namespace mjjit::mjcf
