#pragma once

#include <cstdint>

namespace mjjit {

// The most that a scene may hold, in one place. Each is beyond what a GPU could simulate, so a
// scene that asks for more has a slip in it; without a limit the host's memory would be full before
// anything could be said.

/// Of one kind of element, once parts are replicated and attached.
inline constexpr int kMostElements = 1'000'000;

/// Bodies, the world among them: a pair of them has a signature of 16 bits each.
inline constexpr int kMostBodies = 65533;

/// Numbers of one array whose length the scene only names: the heights of all height fields (one of
/// 8192 × 8192), custom numbers, keyframes, sensor values.
inline constexpr std::int64_t kMostNumbers = std::int64_t{1} << 26;

/// Pairs of geoms that may touch.
inline constexpr std::int64_t kMostPairs = std::int64_t{1} << 25;

}  // namespace mjjit
