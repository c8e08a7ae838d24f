#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mjjit {

/// The largest file that is read: far beyond a mesh, a height field or a replay, and little enough
/// to be held in memory some times over.
inline constexpr std::uintmax_t kMostFileBytes = std::uintmax_t{1} << 30;

/// Whether there is a file at a path that can be read: a regular one (a pipe would block, a device
/// need not end), or a link to one, that is not too large.
bool is_file(const std::string& path);

/// Why there is none: "does not exist", "is a folder", ...; empty where there is one.
std::string file_problem(const std::string& path);

/// A whole file, byte by byte.
/// @throws Error{Exit::input} naming the path where is_file() does not hold, or reading fails
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
