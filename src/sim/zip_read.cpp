// Reading zip files. The central directory is trusted for nothing that is not checked: every offset
// and length is compared with the file's size first, and each member's checksum with its content.
#include "sim/zip_read.h"

#include <zlib.h>

#include "base/files.h"

namespace mjjit {
namespace {

constexpr std::size_t kEndSize = 22, kCentralSize = 46, kLocalSize = 30;  // records without names

/// Place of the record that ends a zip file; a comment may follow it.
std::size_t find_end(const std::string& path, const Bytes& file) {
  const std::size_t lowest = file.size() > kEndSize + 65535 ? file.size() - kEndSize - 65535 : 0;
  for (std::size_t at = file.size() >= kEndSize ? file.size() - kEndSize + 1 : 0; at-- > lowest;) {
    if (number_at(file, at, 4) == 0x06054b50) {
      return at;
    }
  }
  bad_file(path, "is not an NPZ file, or is cut short: it has no zip directory");
}

/// Inflates raw deflate data that must give exactly `size` bytes.
Bytes inflate_member(const std::string& path, const ZipEntry& entry, const unsigned char* data) {
  // deflate packs at most 1032 to 1: a larger claim is a damaged or hostile file
  if (entry.size > kMostFileBytes) {
    bad_file(path, "'{}' unpacks to {} bytes, there can be at most {}", entry.name, entry.size,
             kMostFileBytes);
  }
  if (entry.size / 1100 > entry.packed_size + 1) {
    bad_file(path, "'{}' claims to unpack to {} bytes from {}", entry.name, entry.size,
             entry.packed_size);
  }
  Bytes out(entry.size);
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    bad_file(path, "'{}' cannot be unpacked", entry.name);
  }
  stream.next_in = const_cast<unsigned char*>(data);
  stream.avail_in = static_cast<unsigned>(entry.packed_size);
  unsigned char nothing = 0;  // an empty member still needs a place to write to
  stream.next_out = out.empty() ? &nothing : out.data();
  stream.avail_out = static_cast<unsigned>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool complete = status == Z_STREAM_END && stream.total_out == entry.size;
  inflateEnd(&stream);
  if (!complete) {
    bad_file(path, "'{}' is damaged: it does not unpack to {} bytes", entry.name, entry.size);
  }
  return out;
}

/// The entry at `at` of the directory; moves `at` behind it.
ZipEntry read_entry(const std::string& path, const Bytes& file, std::size_t* at) {
  if (*at + kCentralSize > file.size() || number_at(file, *at, 4) != 0x02014b50) {
    bad_file(path, "has a damaged zip directory");
  }
  ZipEntry entry;
  const std::size_t name_size = number_at(file, *at + 28, 2);
  const std::size_t record_size =
      kCentralSize + name_size + number_at(file, *at + 30, 2) + number_at(file, *at + 32, 2);
  if (*at + record_size > file.size()) {
    bad_file(path, "has a damaged zip directory");
  }
  entry.name.assign(reinterpret_cast<const char*>(file.data()) + *at + kCentralSize, name_size);
  entry.method = static_cast<int>(number_at(file, *at + 10, 2));
  entry.crc = number_at(file, *at + 16, 4);
  entry.packed_size = number_at(file, *at + 20, 4);
  entry.size = number_at(file, *at + 24, 4);
  entry.local_offset = number_at(file, *at + 42, 4);
  if (number_at(file, *at + 8, 2) & 1) {
    bad_file(path, "'{}' is encrypted", entry.name);
  }
  if (entry.packed_size == 0xffffffff || entry.size == 0xffffffff ||
      entry.local_offset == 0xffffffff) {
    bad_file(path, "'{}' is larger than 4 GiB", entry.name);
  }
  *at += record_size;
  return entry;
}

}  // namespace

std::uint32_t number_at(const Bytes& bytes, std::size_t at, int width) {
  std::uint32_t value = 0;
  for (int i = 0; i < width; ++i) {
    value |= static_cast<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]) << (8 * i);
  }
  return value;
}

std::vector<ZipEntry> zip_entries(const std::string& path, const Bytes& file) {
  const std::size_t end = find_end(path, file);
  const std::size_t count = number_at(file, end + 10, 2);
  std::size_t at = number_at(file, end + 16, 4);
  std::vector<ZipEntry> entries;
  for (std::size_t i = 0; i < count; ++i) {
    entries.push_back(read_entry(path, file, &at));
  }
  return entries;
}

Bytes zip_content(const std::string& path, const Bytes& file, const ZipEntry& entry) {
  if (entry.local_offset + kLocalSize > file.size() ||
      number_at(file, entry.local_offset, 4) != 0x04034b50) {
    bad_file(path, "'{}' is not where the zip directory says", entry.name);
  }
  const std::size_t data_at = entry.local_offset + kLocalSize +
                              number_at(file, entry.local_offset + 26, 2) +
                              number_at(file, entry.local_offset + 28, 2);
  if (data_at > file.size() || entry.packed_size > file.size() - data_at) {
    bad_file(path, "'{}' is cut short", entry.name);
  }
  const unsigned char* data = file.data() + data_at;
  Bytes content;
  if (entry.method == 0 && entry.size == entry.packed_size) {
    content.assign(data, data + entry.size);
  } else if (entry.method == 8) {
    content = inflate_member(path, entry, data);
  } else {
    bad_file(path, "'{}' is packed in a way that NumPy does not use (method {})", entry.name,
             entry.method);
  }
  if (crc32(0, content.data(), static_cast<unsigned>(content.size())) != entry.crc) {
    bad_file(path, "'{}' is damaged: its checksum differs", entry.name);
  }
  return content;
}

}  // namespace mjjit
