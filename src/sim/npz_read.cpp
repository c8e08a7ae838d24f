// Reading NPZ. The zip's central directory is trusted for nothing that is not checked: every offset and length is compared
// with the file's size first, and each member's checksum with its content.
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "sim/npz.h"

namespace mjjit {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t kEndSize = 22, kCentralSize = 46, kLocalSize = 30;  // zip records without their names

template <typename... Args>
[[noreturn]] void bad(const std::string& path, fmt::format_string<Args...> text, Args&&... args) {
  fail(Exit::input, "{}: {}", path, fmt::format(text, std::forward<Args>(args)...));
}

std::uint32_t number_at(const Bytes& bytes, std::size_t at, int width) {
  std::uint32_t value = 0;
  for (int i = 0; i < width; ++i) {
    value |= static_cast<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]) << (8 * i);
  }
  return value;
}

/// Place of the record that ends a zip file; a comment may follow it.
std::size_t find_end(const std::string& path, const Bytes& file) {
  const std::size_t lowest = file.size() > kEndSize + 65535 ? file.size() - kEndSize - 65535 : 0;
  for (std::size_t at = file.size() >= kEndSize ? file.size() - kEndSize + 1 : 0; at-- > lowest;) {
    if (number_at(file, at, 4) == 0x06054b50) {
      return at;
    }
  }
  bad(path, "is not an NPZ file, or is cut short: it has no zip directory");
}

struct Entry {
  std::string name;
  int method = 0;
  std::size_t packed_size = 0, size = 0, local_offset = 0;
  std::uint32_t crc = 0;
};

/// Inflates raw deflate data that must give exactly `size` bytes.
Bytes inflate_member(const std::string& path, const Entry& entry, const unsigned char* data) {
  // deflate packs at most 1032 to 1: a larger claim is a damaged or hostile file
  if (entry.size / 1100 > entry.packed_size + 1) {
    bad(path, "'{}' claims to unpack to {} bytes from {}", entry.name, entry.size, entry.packed_size);
  }
  Bytes out(entry.size);
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    bad(path, "'{}' cannot be unpacked", entry.name);
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
    bad(path, "'{}' is damaged: it does not unpack to {} bytes", entry.name, entry.size);
  }
  return out;
}

/// The entry at `at` of the directory; moves `at` behind it.
Entry read_entry(const std::string& path, const Bytes& file, std::size_t* at) {
  if (*at + kCentralSize > file.size() || number_at(file, *at, 4) != 0x02014b50) {
    bad(path, "has a damaged zip directory");
  }
  Entry entry;
  const std::size_t name_size = number_at(file, *at + 28, 2);
  const std::size_t record_size = kCentralSize + name_size + number_at(file, *at + 30, 2) + number_at(file, *at + 32, 2);
  if (*at + record_size > file.size()) {
    bad(path, "has a damaged zip directory");
  }
  entry.name.assign(reinterpret_cast<const char*>(file.data()) + *at + kCentralSize, name_size);
  entry.method = static_cast<int>(number_at(file, *at + 10, 2));
  entry.crc = number_at(file, *at + 16, 4);
  entry.packed_size = number_at(file, *at + 20, 4);
  entry.size = number_at(file, *at + 24, 4);
  entry.local_offset = number_at(file, *at + 42, 4);
  if (number_at(file, *at + 8, 2) & 1) {
    bad(path, "'{}' is encrypted", entry.name);
  }
  if (entry.packed_size == 0xffffffff || entry.size == 0xffffffff || entry.local_offset == 0xffffffff) {
    bad(path, "'{}' is larger than 4 GiB", entry.name);
  }
  *at += record_size;
  return entry;
}

/// Content of a member, checked.
Bytes unpack(const std::string& path, const Bytes& file, const Entry& entry) {
  if (entry.local_offset + kLocalSize > file.size() || number_at(file, entry.local_offset, 4) != 0x04034b50) {
    bad(path, "'{}' is not where the zip directory says", entry.name);
  }
  const std::size_t data_at = entry.local_offset + kLocalSize + number_at(file, entry.local_offset + 26, 2) +
                              number_at(file, entry.local_offset + 28, 2);
  if (data_at > file.size() || entry.packed_size > file.size() - data_at) {
    bad(path, "'{}' is cut short", entry.name);
  }
  const unsigned char* data = file.data() + data_at;
  Bytes content;
  if (entry.method == 0 && entry.size == entry.packed_size) {
    content.assign(data, data + entry.size);
  } else if (entry.method == 8) {
    content = inflate_member(path, entry, data);
  } else {
    bad(path, "'{}' is packed in a way that NumPy does not use (method {})", entry.name, entry.method);
  }
  if (crc32(0, content.data(), static_cast<unsigned>(content.size())) != entry.crc) {
    bad(path, "'{}' is damaged: its checksum differs", entry.name);
  }
  return content;
}

// the part of a .npy file before the numbers

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data_at = 0;
};

/// Text behind `'key':` in a header's dictionary, blanks skipped; empty when the key is not there.
std::string_view value_of(std::string_view dict, std::string_view key) {
  const std::size_t at = dict.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) {
    return {};
  }
  std::string_view rest = dict.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

/// Sizes of "(3, 4)", "(3,)" or "()"; false when it is none of these.
bool parse_shape(std::string_view text, std::vector<std::size_t>* shape) {
  const std::size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == std::string_view::npos) {
    return false;
  }
  text = text.substr(1, end - 1);
  while (!text.empty()) {
    std::size_t size = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) {
      return false;
    }
    shape->push_back(size);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (!text.empty() && text[0] != ',') {
      return false;
    }
    text.remove_prefix(text.empty() ? 0 : 1);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return true;
}

Header parse_header(const std::string& path, const std::string& name, const Bytes& npy) {
  if (npy.size() < 10 || std::memcmp(npy.data(), "\x93NUMPY", 6) != 0) {
    bad(path, "'{}' is not a NumPy array", name);
  }
  const int version = npy[6];
  const std::size_t fixed = version == 1 ? 10 : 12;
  if (version < 1 || version > 3 || npy.size() < fixed) {
    bad(path, "'{}' has an unknown format version {}", name, version);
  }
  const std::size_t length = number_at(npy, 8, version == 1 ? 2 : 4);
  if (length > npy.size() - fixed) {
    bad(path, "'{}' has a damaged header", name);
  }
  Header header;
  header.data_at = fixed + length;
  const std::string_view dict(reinterpret_cast<const char*>(npy.data()) + fixed, length);
  const std::string_view descr = value_of(dict, "descr"), order = value_of(dict, "fortran_order");
  const std::size_t quote = descr.find('\'', 1);
  if (descr.empty() || descr[0] != '\'' || quote == std::string_view::npos ||
      !parse_shape(value_of(dict, "shape"), &header.shape)) {
    bad(path, "'{}' has a header that cannot be read, or is not an array of plain numbers", name);
  }
  header.descr = descr.substr(1, quote - 1);
  header.fortran_order = order.substr(0, 4) == "True";
  return header;
}

template <typename T>
double load(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

struct NumberType {
  std::string_view descr;
  std::size_t size;
  double (*load)(const unsigned char*);
};

constexpr NumberType kNumberTypes[] = {
    {"<f8", 8, load<double>},        {"<f4", 4, load<float>},         {"<i4", 4, load<std::int32_t>},
    {"<i8", 8, load<std::int64_t>},  {"<i2", 2, load<std::int16_t>},  {"|i1", 1, load<std::int8_t>},
    {"<u4", 4, load<std::uint32_t>}, {"<u8", 8, load<std::uint64_t>}, {"<u2", 2, load<std::uint16_t>},
    {"|u1", 1, load<std::uint8_t>},  {"|b1", 1, load<std::uint8_t>},
};

NpzArray parse_array(const std::string& path, const std::string& name, const Bytes& npy) {
  const Header header = parse_header(path, name, npy);
  const NumberType* type = nullptr;
  for (const NumberType& candidate : kNumberTypes) {
    type = candidate.descr == header.descr ? &candidate : type;
  }
  if (type == nullptr) {
    bad(path, "'{}' has numbers of type '{}'; use float32, float64 or int", name, header.descr);
  }
  std::size_t count = 1;
  for (const std::size_t size : header.shape) {
    // what is counted fits into the file, so this product can only be trusted below its size
    if (size != 0 && count > npy.size() / size) {
      bad(path, "'{}' is shorter than its shape", name);
    }
    count *= size;
  }
  if (header.fortran_order && header.shape.size() > 1) {
    bad(path, "'{}' is in Fortran order; store it with numpy.ascontiguousarray", name);
  }
  if (npy.size() - header.data_at != count * type->size) {
    bad(path, "'{}' holds {} bytes, its shape asks for {}", name, npy.size() - header.data_at, count * type->size);
  }
  NpzArray array{name, header.shape, std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    array.values[i] = type->load(npy.data() + header.data_at + i * type->size);
  }
  return array;
}

}  // namespace

std::vector<NpzArray> read_npz(const std::string& path) {
  const std::string text = read_file(path);
  const Bytes file(text.begin(), text.end());
  const std::size_t end = find_end(path, file);
  const std::size_t count = number_at(file, end + 10, 2);
  std::size_t at = number_at(file, end + 16, 4);
  std::vector<NpzArray> arrays;
  for (std::size_t i = 0; i < count; ++i) {
    const Entry entry = read_entry(path, file, &at);
    const std::size_t stem = entry.name.size() > 4 ? entry.name.size() - 4 : 0;
    if (entry.name.substr(stem) != ".npy") {
      bad(path, "'{}' is not a NumPy array", entry.name);
    }
    arrays.push_back(parse_array(path, entry.name.substr(0, stem), unpack(path, file, entry)));
  }
  return arrays;
}

}  // namespace mjjit
