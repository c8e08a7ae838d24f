#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/files.h"
#include "sim/npz.h"
#include "sim/zip_read.h"

namespace mjjit {
namespace {

/// The part of a .npy file before the numbers.
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
    bad_file(path, "'{}' is not a NumPy array", name);
  }
  const int version = npy[6];
  const std::size_t fixed = version == 1 ? 10 : 12;
  if (version < 1 || version > 3 || npy.size() < fixed) {
    bad_file(path, "'{}' has an unknown format version {}", name, version);
  }
  const std::size_t length = number_at(npy, 8, version == 1 ? 2 : 4);
  if (length > npy.size() - fixed) {
    bad_file(path, "'{}' has a damaged header", name);
  }
  Header header;
  header.data_at = fixed + length;
  const std::string_view dict(reinterpret_cast<const char*>(npy.data()) + fixed, length);
  const std::string_view descr = value_of(dict, "descr"), order = value_of(dict, "fortran_order");
  const std::size_t quote = descr.find('\'', 1);
  if (descr.empty() || descr[0] != '\'' || quote == std::string_view::npos ||
      !parse_shape(value_of(dict, "shape"), &header.shape)) {
    bad_file(path, "'{}' has a header that cannot be read, or is not an array of plain numbers",
             name);
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
    {"<f8", 8, load<double>},        {"<f4", 4, load<float>},
    {"<i4", 4, load<std::int32_t>},  {"<i8", 8, load<std::int64_t>},
    {"<i2", 2, load<std::int16_t>},  {"|i1", 1, load<std::int8_t>},
    {"<u4", 4, load<std::uint32_t>}, {"<u8", 8, load<std::uint64_t>},
    {"<u2", 2, load<std::uint16_t>}, {"|u1", 1, load<std::uint8_t>},
    {"|b1", 1, load<std::uint8_t>},
};

NpzArray parse_array(const std::string& path, const std::string& name, const Bytes& npy) {
  const Header header = parse_header(path, name, npy);
  const NumberType* type = nullptr;
  for (const NumberType& candidate : kNumberTypes) {
    type = candidate.descr == header.descr ? &candidate : type;
  }
  if (type == nullptr) {
    bad_file(path, "'{}' has numbers of type '{}'; use float32, float64 or int", name,
             header.descr);
  }
  // an empty array has no values, whatever its other dimensions: the controls of a scene without
  // actuators
  const bool is_empty =
      std::find(header.shape.begin(), header.shape.end(), std::size_t{0}) != header.shape.end();
  constexpr std::size_t longest_empty = 100'000'000;
  std::size_t count = is_empty ? 0 : 1;
  for (const std::size_t size : header.shape) {
    // what is counted fits into the file, so this product can only be trusted below its size
    if (is_empty ? size > longest_empty : count > npy.size() / size) {
      bad_file(path, "'{}' is shorter than its shape", name);
    }
    count *= size;
  }
  if (header.fortran_order && header.shape.size() > 1) {
    bad_file(path, "'{}' is in Fortran order; store it with numpy.ascontiguousarray", name);
  }
  if (npy.size() - header.data_at != count * type->size) {
    bad_file(path, "'{}' holds {} bytes, its shape asks for {}", name, npy.size() - header.data_at,
             count * type->size);
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
  std::vector<NpzArray> arrays;
  for (const ZipEntry& entry : zip_entries(path, file)) {
    const std::size_t stem = entry.name.size() > 4 ? entry.name.size() - 4 : 0;
    if (entry.name.substr(stem) != ".npy") {
      bad_file(path, "'{}' is not a NumPy array", entry.name);
    }
    const std::string name = entry.name.substr(0, stem);
    if (std::any_of(arrays.begin(), arrays.end(),
                    [&](const NpzArray& other) { return other.name == name; })) {
      bad_file(path, "'{}' is there twice", name);
    }
    arrays.push_back(parse_array(path, name, zip_content(path, file, entry)));
  }
  return arrays;
}

}  // namespace mjjit
