// The kernel dialect on CUDA: a group is GROUP_SIZE lanes (a warp, an aligned part of one, or
// several warps for large models); a block holds BLOCK_SIZE / GROUP_SIZE groups. GROUP_SIZE and
// BLOCK_SIZE are given for each module by its compile options. A group of more than one warp fills
// its block. See dialect_cpu.cuh for the other half; what they declare is the same.
#pragma once

using real = MJJIT_REAL;  // float or double, a compile option

#define FN static __device__ __forceinline__
#define FN_NOINLINE static __device__ __noinline__
#define FN_MEMBER __device__ __forceinline__  // a member function
#define NO_UNROLL _Pragma("unroll 1")
#define UNROLL _Pragma("unroll")
#define UNROLL_BY_8 _Pragma("unroll 8")
#define RESTRICT __restrict__

static_assert(GROUP_SIZE == BLOCK_SIZE ||
                  (GROUP_SIZE <= 32 && (GROUP_SIZE & (GROUP_SIZE - 1)) == 0),
              "a group is a part of a warp, or fills its block");

#ifndef KERNEL_BOUNDS
#define KERNEL_BOUNDS BLOCK_SIZE  // a file may add how many blocks are to fit at a time
#endif

// memory that the lanes of a group share; lives until the kernel's end
#define SHARED(type, name, count)                                                        \
  __shared__ type name##_block[((count) > 0 ? (count) : 1) * (BLOCK_SIZE / GROUP_SIZE)]; \
  type* const name = name##_block + (threadIdx.x / GROUP_SIZE) * ((count) > 0 ? (count) : 1)

/// One group of lanes, which owns one part of one world.
struct Group {
  int world_;
  int part_;
  static constexpr int size = GROUP_SIZE;
  static constexpr int warps = (GROUP_SIZE + 31) / 32;
  static constexpr int warp_lanes = GROUP_SIZE < 32 ? GROUP_SIZE : 32;  // lanes of one warp
  // the group's lanes of this lane's warp, as its votes and shuffles name them
  static __device__ unsigned mask() {
    if constexpr (GROUP_SIZE < 32) {
      return ((1u << GROUP_SIZE) - 1) << first_bit();
    } else {
      return 0xffffffffu;
    }
  }
  static __device__ int first_bit() { return threadIdx.x % 32 / warp_lanes * warp_lanes; }
  __device__ int lane() const { return threadIdx.x % GROUP_SIZE; }
  __device__ int world() const { return world_; }
  __device__ int part() const { return part_; }
  __device__ void sync() const {
    if constexpr (GROUP_SIZE <= 32) {
      __syncwarp(mask());
    } else {
      __syncthreads();
    }
  }

  // combines N values over all lanes, each pairwise within a warp and then warp by warp: a fixed
  // order, so that every lane and every run gets the same bits
  template <int N, typename T, typename Op>
  __device__ void reduce(T (&x)[N], Op op) const {
    UNROLL
    for (int offset = warp_lanes / 2; offset > 0; offset /= 2) {
      UNROLL
      for (int n = 0; n < N; ++n) {
        x[n] = op(x[n], __shfl_xor_sync(mask(), x[n], offset));
      }
    }
    if constexpr (GROUP_SIZE > 32) {
      __shared__ T partial[warps * N];
      __syncthreads();
      if (threadIdx.x % 32 == 0) {
        for (int n = 0; n < N; ++n) {
          partial[threadIdx.x / 32 * N + n] = x[n];
        }
      }
      __syncthreads();
      for (int n = 0; n < N; ++n) {
        x[n] = partial[n];
      }
      NO_UNROLL
      for (int i = 1; i < warps; ++i) {
        for (int n = 0; n < N; ++n) {
          x[n] = op(x[n], partial[i * N + n]);
        }
      }
    }
  }
  template <int N, typename T>
  __device__ void sum_all(T (&x)[N]) const {
    reduce(x, [](T a, T b) { return a + b; });
  }
  template <typename T>
  __device__ T sum(T x) const {
    T all[1] = {x};
    sum_all(all);
    return all[0];
  }
  template <typename T>
  __device__ T max(T x) const {
    T all[1] = {x};
    reduce(all, [](T a, T b) { return a > b ? a : b; });
    return all[0];
  }
  template <typename T>
  __device__ T min(T x) const {
    T all[1] = {x};
    reduce(all, [](T a, T b) { return a < b ? a : b; });
    return all[0];
  }
  __device__ unsigned warp_mask(bool x) const {
    return (__ballot_sync(mask(), x) & mask()) >> first_bit();
  }
  __device__ bool any(bool x) const {
    if constexpr (GROUP_SIZE <= 32) {
      return __any_sync(mask(), x);
    } else {
      return __syncthreads_or(x);
    }
  }
  __device__ bool all(bool x) const { return !any(!x); }
  template <typename T>
  __device__ T broadcast(T x, int lane) const {
    if constexpr (GROUP_SIZE <= 32) {
      return __shfl_sync(mask(), x, lane, warp_lanes);
    } else {
      __shared__ T value;
      __syncthreads();
      if (int(threadIdx.x) == lane) {
        value = x;
      }
      __syncthreads();
      return value;
    }
  }

  // lanes before this one that say yes; total gets the number of all that do
  __device__ int count_before(bool x, int* total) const {
    if constexpr (GROUP_SIZE <= 32) {
      const unsigned votes = warp_mask(x);
      *total = __popc(votes);
      return __popc(votes & ((1u << lane()) - 1));
    } else {
      return exclusive_scan(x ? 1 : 0, total);
    }
  }

  // sum over the lanes before this one; total gets the sum over all
  __device__ int exclusive_scan(int x, int* total) const {
    int inclusive = x;
    const int in_warp = threadIdx.x % warp_lanes;
    UNROLL
    for (int offset = 1; offset < warp_lanes; offset *= 2) {
      const int below = __shfl_up_sync(mask(), inclusive, offset, warp_lanes);
      inclusive += in_warp >= offset ? below : 0;
    }
    if constexpr (GROUP_SIZE <= 32) {
      *total = __shfl_sync(mask(), inclusive, warp_lanes - 1, warp_lanes);
      return inclusive - x;
    } else {
      __shared__ int partial[32];
      __syncthreads();
      if (in_warp == 31) {
        partial[threadIdx.x / 32] = inclusive;
      }
      __syncthreads();
      int before = 0;
      int all = 0;
      NO_UNROLL
      for (int i = 0; i < warps; ++i) {
        before += i < int(threadIdx.x / 32) ? partial[i] : 0;
        all += partial[i];
      }
      *total = all;
      return before + inclusive - x;
    }
  }
};

/// A group of one lane, for what lanes do each on its own.
struct Lane {
  static constexpr int size = 1;
  __device__ int lane() const { return 0; }
  __device__ void sync() const {}
  template <typename T>
  __device__ T min(T x) const {
    return x;
  }
  __device__ bool any(bool x) const { return x; }
  template <typename T>
  __device__ T broadcast(T x, int /*lane*/) const {
    return x;
  }
  __device__ int exclusive_scan(int x, int* total) const {
    *total = x;
    return 0;
  }
};

// One kernel: PARTS groups a world, each with the lanes the module was given. `m` and `d` are the
// model and the data. Neighbouring groups have the same part of neighbouring worlds.
#define KERNEL(name, PARTS)                                                                \
  static __device__ __forceinline__ void name##_group(const Group g, const Model& m,       \
                                                      const Data& d);                      \
  extern "C" __global__ __launch_bounds__(KERNEL_BOUNDS) void name(                        \
      const __grid_constant__ Model m, const __grid_constant__ Data d) {                   \
    const long long index =                                                                \
        (static_cast<long long>(blockIdx.x) * BLOCK_SIZE + threadIdx.x) / GROUP_SIZE;      \
    if (index >= static_cast<long long>(d.nworld) * (PARTS)) {                             \
      return;                                                                              \
    }                                                                                      \
    const int part = (PARTS) == 1 ? 0 : int(index / d.nworld);                             \
    name##_group(Group{int(index - static_cast<long long>(part) * d.nworld), part}, m, d); \
  }                                                                                        \
  static __device__ __forceinline__ void name##_group(const Group g, const Model& m, const Data& d)

// One kernel over the items of all worlds, a thread an item: the worlds' first min(count, CAPACITY)
// entries. Neighbouring threads take the same entry of neighbouring worlds, which is mostly the
// same pair in a similar pose: full warps whose lanes do alike, where a world's own entries would
// leave most lanes without work.
#define ITEM_KERNEL(name, COUNT_FIELD, CAPACITY)                                                  \
  static __device__ __forceinline__ void name##_item(int world, int item, const Model& m,         \
                                                     const Data& d);                              \
  extern "C" __global__ __launch_bounds__(BLOCK_SIZE) void name(const __grid_constant__ Model m,  \
                                                                const __grid_constant__ Data d) { \
    const unsigned blocks = (unsigned(d.nworld) + BLOCK_SIZE - 1) / BLOCK_SIZE; /* of an item */  \
    const int item = int(blockIdx.x / blocks);                                                    \
    const int world = int(blockIdx.x % blocks * BLOCK_SIZE + threadIdx.x);                        \
    if (world < d.nworld && item < d.COUNT_FIELD[world]) {                                        \
      name##_item(world, item, m, d);                                                             \
    }                                                                                             \
  }                                                                                               \
  static __device__ __forceinline__ void name##_item(int world, int item, const Model& m,         \
                                                     const Data& d)

FN real r_sqrt(real x) {
  if constexpr (sizeof(real) == 4) {
    return sqrtf(x);
  } else {
    return sqrt(x);
  }
}
FN real r_fast_divide(real a, real b) {
  if constexpr (sizeof(real) == 4) {
    return __fdividef(a, b);
  } else {
    return a / b;
  }
}
FN real r_abs(real x) { return x < 0 ? -x : x; }
FN real r_sin(real x) {
  if constexpr (sizeof(real) == 4) {
    return sinf(x);
  } else {
    return sin(x);
  }
}
FN real r_cos(real x) {
  if constexpr (sizeof(real) == 4) {
    return cosf(x);
  } else {
    return cos(x);
  }
}
// both from one reduction of the angle
FN void r_sincos(real x, real* sine, real* cosine) {
  if constexpr (sizeof(real) == 4) {
    float s, c;
    sincosf(x, &s, &c);
    *sine = s;
    *cosine = c;
  } else {
    double s, c;
    sincos(x, &s, &c);
    *sine = s;
    *cosine = c;
  }
}
FN real r_tan(real x) {
  if constexpr (sizeof(real) == 4) {
    return tanf(x);
  } else {
    return tan(x);
  }
}
FN real r_acos(real x) {
  if constexpr (sizeof(real) == 4) {
    return acosf(x);
  } else {
    return acos(x);
  }
}
FN real r_asin(real x) {
  if constexpr (sizeof(real) == 4) {
    return asinf(x);
  } else {
    return asin(x);
  }
}
FN real r_exp(real x) {
  if constexpr (sizeof(real) == 4) {
    return expf(x);
  } else {
    return exp(x);
  }
}
FN real r_log(real x) {
  if constexpr (sizeof(real) == 4) {
    return logf(x);
  } else {
    return log(x);
  }
}
FN real r_floor(real x) {
  if constexpr (sizeof(real) == 4) {
    return floorf(x);
  } else {
    return floor(x);
  }
}
FN real r_atan2(real x, real y) {
  if constexpr (sizeof(real) == 4) {
    return atan2f(x, y);
  } else {
    return atan2(x, y);
  }
}
// not inlined: its hundred instructions would be there once a call
FN_NOINLINE real r_pow(real x, real y) {
  if constexpr (sizeof(real) == 4) {
    return powf(x, y);
  } else {
    return pow(x, y);
  }
}
FN int lowest_bit(unsigned x) { return __ffs(x) - 1; }
FN bool r_isfinite(real x) { return x - x == 0; }
template <typename T>
FN T r_min(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
FN T r_max(T a, T b) {
  return a > b ? a : b;
}
// totals over all worlds; integers, so that the order of the worlds cannot matter
FN void atomic_add(int* at, int x) { atomicAdd(at, x); }
FN void atomic_max(int* at, int x) { atomicMax(at, x); }
