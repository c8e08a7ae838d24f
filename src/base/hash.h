#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace mjjit {

/// XXH3 with 128 bits over pieces of data given one after the other.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void add(const void* data, std::size_t bytes);
  /// Adds a text and its length, so that ("ab", "c") and ("a", "bc") differ.
  void add(std::string_view text);

  /// 32 hex digits, as `xxh128sum` prints them; more may be added afterwards.
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// 32 hex digits of the XXH3-128 of some bytes.
std::string hash_hex(const void* data, std::size_t bytes);

}  // namespace mjjit
