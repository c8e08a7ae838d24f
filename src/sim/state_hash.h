#pragma once

#include <string>
#include <vector>

namespace mjjit {

/// XXH3-128 over byte blocks taken as one stream, as 32 hexadecimal digits: the state hash of a run
/// is that of its qpos, qvel and act, each of all worlds in order, in the precision of the run,
/// little-endian.
std::string hash_of(const std::vector<std::vector<char>>& blocks);

}  // namespace mjjit
