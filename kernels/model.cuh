// The kernels' view of the model and of the batched state: one pointer an array, made from the
// field lists.
#pragma once

#include "counters.cuh"
#include "dialect.h"
#include "sizes.h"
#include "structs.cuh"

/// First element of world w in an array of `count` elements a world. 64-bit: all worlds together
/// can pass 2^31.
template <typename T>
FN T* at_world(T* array, int w, int count) {
  return array + static_cast<long long>(w) * count;
}
