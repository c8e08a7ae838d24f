#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace mjjit {

using Bytes = std::vector<unsigned char>;

/// One member of a zip file, as its directory describes it.
struct ZipEntry {
  std::string name;
  int method = 0;
  std::size_t packed_size = 0, size = 0, local_offset = 0;
  std::uint32_t crc = 0;
};

/// The directory of a zip file held in memory.
/// @throws Error{Exit::input} naming `path` when it is none, is cut short, encrypted, or larger
/// than 4 GiB
std::vector<ZipEntry> zip_entries(const std::string& path, const Bytes& file);

/// Content of a member, stored or deflated, its checksum compared.
/// @throws Error{Exit::input} naming `path` and the member
Bytes zip_content(const std::string& path, const Bytes& file, const ZipEntry& entry);

/// A little-endian number of `width` bytes.
std::uint32_t number_at(const Bytes& bytes, std::size_t at, int width);

/// Throws what is wrong with a file: "PATH: text".
template <typename... Args>
[[noreturn]] void bad_file(const std::string& path, fmt::format_string<Args...> text,
                           Args&&... args) {
  fail(Exit::input, "{}: {}", path, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace mjjit
