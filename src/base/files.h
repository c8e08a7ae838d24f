#pragma once

#include <string>
#include <string_view>

namespace mjjit {

/// Whether there is a regular file (or a link to one) at a path.
bool is_file(const std::string& path);

/// Why there is none: "does not exist", "is a folder" or "is no regular file".
std::string file_problem(const std::string& path);

/// A whole file, byte by byte.
/// @throws Error{Exit::input} naming the path where it cannot be opened or read
std::string read_file(const std::string& path);

/// Writes a file so that readers see either the old one or all of the new one: a temporary
/// neighbour, then a rename. What is there and no regular file is written to directly.
/// @throws Error{Exit::input} naming the path and the cause
void write_file_atomic(const std::string& path, std::string_view text);

/// The folder of a path with a trailing '/'; empty for a bare file name.
std::string folder_of(const std::string& path);

/// A path inside a folder, without "." and ".." where they can be resolved; an absolute path stays
/// as it is.
std::string join_path(const std::string& folder, const std::string& path);

/// The last part of a path, and that without its extension.
std::string file_name(const std::string& path);
std::string file_stem(const std::string& path);

}  // namespace mjjit
