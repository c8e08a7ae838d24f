#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <new>

namespace mjjit {

namespace {

/// Most significant digit first on every machine.
std::string to_hex(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) {
      throw std::bad_alloc();
    }
    XXH3_128bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {}
Hasher::~Hasher() = default;

void Hasher::add(const void* data, std::size_t bytes) {
  if (bytes > 0) {  // an empty vector may give a null pointer
    XXH3_128bits_update(state_->xxh, data, bytes);
  }
}

void Hasher::add(std::string_view text) {
  const std::uint64_t size = text.size();
  add(&size, sizeof(size));
  add(text.data(), text.size());
}

std::string Hasher::hex() const { return to_hex(XXH3_128bits_digest(state_->xxh)); }

std::string hash_hex(const void* data, std::size_t bytes) {
  return to_hex(XXH3_128bits(data, bytes));
}

}  // namespace mjjit
