#pragma once

#include <string>
#include <vector>

#include "jit/embedded.h"
#include "jit/plan.h"

namespace mjjit {

/// A file as the compiler gets it; the first of a module's files is the one to compile.
struct SourceFile {
  std::string name;
  std::string text;
};

/// The kernel file of a module and everything it includes, directly or not: the dialect of the back
/// end under the name dialect.h, and sizes.h with only those constants that the module's files
/// name, so that a size or a switch that a module does not look at does not recompile it.
/// @throws Error{Exit::device} naming an include that is not among `files`
std::vector<SourceFile> module_sources(const std::string& file, Backend backend,
                                       const std::string& sizes_h,
                                       const std::vector<EmbeddedFile>& files);

/// The file names in the #include "…" lines of a text, in order.
std::vector<std::string> included_names(std::string_view text);

/// Lines `constexpr … NAME = …;` of the header whose NAME stands as a word in one of the files;
/// other lines stay.
std::string used_constants(const std::string& header, const std::vector<SourceFile>& files);

}  // namespace mjjit
