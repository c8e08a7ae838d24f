#include <zlib.h>

#include <cstdint>

#include "base/error.h"
#include "base/files.h"
#include "sim/npz.h"

namespace mjjit {
namespace {

using Bytes = std::vector<unsigned char>;

void put(Bytes* out, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i) {
    out->push_back(static_cast<unsigned char>(value >> (8 * i)));
  }
}

void put(Bytes* out, const std::string& text) { out->insert(out->end(), text.begin(), text.end()); }

/// A .npy file of version 1: its header padded so that the numbers begin at a multiple of 64 bytes.
template <typename T>
Bytes npy_bytes(const char* descr, const std::vector<std::size_t>& shape,
                const std::vector<T>& values) {
  std::string sizes;
  for (const std::size_t size : shape) {
    sizes += fmt::format("{},{}", size, shape.size() > 1 ? " " : "");
  }
  if (shape.size() > 1) {
    sizes.resize(sizes.size() - 2);  // only a tuple of one keeps its comma
  }
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, sizes);
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  Bytes out;
  put(&out, "\x93NUMPY");
  put(&out, 0x0001, 2);
  put(&out, header.size(), 2);
  put(&out, header);
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  out.insert(out.end(), bytes, bytes + values.size() * sizeof(T));
  return out;
}

Bytes deflate_bytes(const Bytes& in) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  Bytes out(deflateBound(&stream, in.size()));
  stream.next_in = const_cast<unsigned char*>(in.data());
  stream.avail_in = static_cast<unsigned>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<unsigned>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

constexpr std::uint64_t kDosDate = 0x0021;  // 1 January 1980: the same arrays give the same bytes

/// What the local and the central record of a member have in common.
void put_member(Bytes* out, const std::string& name, unsigned long crc, std::size_t packed,
                std::size_t size) {
  put(out, 20, 2);  // version needed to extract
  put(out, 0, 2);   // flags
  put(out, 8, 2);   // deflated
  put(out, 0, 2);   // time
  put(out, kDosDate, 2);
  put(out, crc, 4);
  put(out, packed, 4);
  put(out, size, 4);
  put(out, name.size(), 2);
  put(out, 0, 2);  // no extra field
}

std::size_t count_of(const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (const std::size_t size : shape) {
    count *= size;
  }
  return count;
}

}  // namespace

void NpzWriter::add_member(const std::string& name, const std::vector<unsigned char>& npy) {
  if (npy.size() >= 0xffffffffu) {
    fail(Exit::input, "array '{}' is larger than the 4 GiB that an NPZ file can hold", name);
  }
  Member member;
  member.name = name + ".npy";
  member.size = npy.size();
  member.crc = crc32(0, npy.data(), static_cast<unsigned>(npy.size()));
  member.packed = deflate_bytes(npy);
  members_.push_back(std::move(member));
}

void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                    const std::vector<double>& values) {
  if (count_of(shape) != values.size()) {
    fail(Exit::device, "internal: array '{}' has {} values, its shape asks for {}", name,
         values.size(), count_of(shape));
  }
  add_member(name, npy_bytes("<f8", shape, values));
}

void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                    const std::vector<int>& values) {
  if (count_of(shape) != values.size()) {
    fail(Exit::device, "internal: array '{}' has {} values, its shape asks for {}", name,
         values.size(), count_of(shape));
  }
  add_member(name, npy_bytes("<i4", shape, values));
}

void NpzWriter::write(const std::string& path) const {
  Bytes file, directory;
  for (const Member& member : members_) {
    const std::size_t offset = file.size();
    put(&file, 0x04034b50, 4);
    put_member(&file, member.name, member.crc, member.packed.size(), member.size);
    put(&file, member.name);
    file.insert(file.end(), member.packed.begin(), member.packed.end());

    put(&directory, 0x02014b50, 4);
    put(&directory, 20, 2);  // version made by
    put_member(&directory, member.name, member.crc, member.packed.size(), member.size);
    put(&directory, 0, 2);  // no comment
    put(&directory, 0, 2);  // disk
    put(&directory, 0, 2);  // internal attributes
    put(&directory, 0, 4);  // external attributes
    put(&directory, offset, 4);
    put(&directory, member.name);
  }
  const std::size_t directory_at = file.size();
  file.insert(file.end(), directory.begin(), directory.end());
  put(&file, 0x06054b50, 4);
  put(&file, 0, 4);  // disks
  put(&file, members_.size(), 2);
  put(&file, members_.size(), 2);
  put(&file, directory.size(), 4);
  put(&file, directory_at, 4);
  put(&file, 0, 2);  // no comment
  if (file.size() >= 0xffffffffu || members_.size() > 65535) {
    fail(Exit::input, "{}: larger than the 4 GiB that an NPZ file can hold", path);
  }

  write_file_atomic(path,
                    std::string_view(reinterpret_cast<const char*>(file.data()), file.size()));
}

}  // namespace mjjit
