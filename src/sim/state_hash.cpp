#include "sim/state_hash.h"

#include "base/hash.h"

namespace mjjit {

std::string hash_of(const std::vector<std::vector<char>>& blocks) {
  Hasher hasher;
  for (const std::vector<char>& block : blocks) {
    hasher.add(block.data(), block.size());
  }
  return hasher.hex();
}

}  // namespace mjjit
