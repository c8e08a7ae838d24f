#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mjjit {

/// One array of an NPZ file; values are row-major, whatever number type the file held.
struct NpzArray {
  std::string name;
  std::vector<std::size_t> shape;  // empty: a scalar
  std::vector<double> values;
};

/// Reads every array of an NPZ file (a zip of .npy members, stored or deflated).
/// Takes little-endian floats of 4 and 8 bytes, integers of 1 to 8 bytes and booleans, in C order.
/// @throws Error{Exit::input} naming the file, the member and what is wrong with it
std::vector<NpzArray> read_npz(const std::string& path);

/// Collects arrays and writes them as an NPZ file. The same arrays give the same bytes.
class NpzWriter {
 public:
  void add(const std::string& name, const std::vector<std::size_t>& shape,
           const std::vector<double>& values);
  void add(const std::string& name, const std::vector<std::size_t>& shape,
           const std::vector<int>& values);
  void add_scalar(const std::string& name, double value) {
    add(name, {}, std::vector<double>{value});
  }
  void add_scalar(const std::string& name, int value) { add(name, {}, std::vector<int>{value}); }

  /// Writes a temporary file beside `path` and renames it, so that no reader sees half a file.
  /// @throws Error{Exit::input} naming the file when it cannot be written
  void write(const std::string& path) const;

 private:
  struct Member {
    std::string name;
    std::vector<unsigned char> packed;  // deflated .npy
    std::size_t size = 0;               // before deflating
    unsigned long crc = 0;
  };
  void add_member(const std::string& name, const std::vector<unsigned char>& npy);
  std::vector<Member> members_;
};

}  // namespace mjjit
