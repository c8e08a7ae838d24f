// The kernel dialect on the CPU: a group is one lane, a world is handled by one call, and each
// kernel is a C function that the host calls once a world. Every loop over lanes is a plain loop
// here. See dialect_cuda.cuh for the other half.
#pragma once

#include <math.h>
#include <stddef.h>

using real = MJJIT_REAL;  // float or double, a compile option

#define FN static inline
#define FN_NOINLINE static __attribute__((noinline))
#define FN_MEMBER inline  // a member function
#define NO_UNROLL
#define UNROLL _Pragma("GCC unroll 64")
#define UNROLL_BY_8 _Pragma("GCC unroll 8")
#define RESTRICT __restrict__

// memory that the lanes of a group share; lives until the kernel's end
#define SHARED(type, name, count) type name[(count) > 0 ? (count) : 1]

/// One group of lanes: on the CPU a single lane that owns one part of one world.
struct Group {
  int world_;
  int part_;
  static constexpr int size = 1;
  int lane() const { return 0; }
  int world() const { return world_; }  // which world the group works on
  int part() const { return part_; }    // which of the kernel's PARTS of that world
  void sync() const {}  // all lanes meet; shared and global writes before it are seen after it
  template <typename T>
  T sum(T x) const {
    return x;
  }  // over the lanes, in a fixed order; every lane gets it
  template <int N, typename T>
  void sum_all(T (&)[N]) const {}  // the same for N values at once
  template <typename T>
  T max(T x) const {
    return x;
  }
  template <typename T>
  T min(T x) const {
    return x;
  }
  // bit i: lane i of the group's lanes in this lane's warp
  unsigned warp_mask(bool x) const { return x ? 1 : 0; }
  bool any(bool x) const { return x; }
  bool all(bool x) const { return x; }
  template <typename T>
  T broadcast(T x, int /*lane*/) const {
    return x;
  }
  // lanes before this one that say yes; total gets the number of all that do
  int count_before(bool x, int* total) const {
    *total = x ? 1 : 0;
    return 0;
  }
  // sum over the lanes before this one; total gets the sum over all
  int exclusive_scan(int x, int* total) const {
    *total = x;
    return 0;
  }
};

/// A group of one lane, for what lanes do each on its own.
using Lane = Group;

// One kernel: PARTS groups a world, each with the lanes the module was given. `m` and `d` are the
// model and the data.
#define KERNEL(name, PARTS)                                                                  \
  static inline void name##_group(const Group g, const Model& m, const Data& d);             \
  extern "C" __attribute__((visibility("default"))) void name(const Model* m, const Data* d, \
                                                              int world) {                   \
    for (int part = 0; part < (PARTS); ++part) {                                             \
      name##_group(Group{world, part}, *m, *d);                                              \
    }                                                                                        \
  }                                                                                          \
  static inline void name##_group(const Group g, const Model& m, const Data& d)

// One kernel over a list of items (a world's ccd_pair list): the body runs once an item, on a
// single lane. On the CPU the items are those of the one world; on CUDA they are spread over all
// threads.
#define ITEM_KERNEL(name, COUNT_FIELD, CAPACITY)                                               \
  static inline void name##_item(int world, int item, const Model& m, const Data& d);          \
  extern "C" __attribute__((visibility("default"))) void name(const Model* m, const Data* d,   \
                                                              int world) {                     \
    const int count = d->COUNT_FIELD[world] < (CAPACITY) ? d->COUNT_FIELD[world] : (CAPACITY); \
    for (int item = 0; item < count; ++item) {                                                 \
      name##_item(world, item, *m, *d);                                                        \
    }                                                                                          \
  }                                                                                            \
  static inline void name##_item(int world, int item, const Model& m, const Data& d)

FN real r_sqrt(real x) { return sizeof(real) == 4 ? real(sqrtf(float(x))) : real(sqrt(double(x))); }
FN real r_fast_divide(real a, real b) { return a / b; }  // within two units in the last place
FN real r_abs(real x) { return x < 0 ? -x : x; }
FN real r_sin(real x) { return sizeof(real) == 4 ? real(sinf(float(x))) : real(sin(double(x))); }
FN real r_cos(real x) { return sizeof(real) == 4 ? real(cosf(float(x))) : real(cos(double(x))); }
FN void r_sincos(real x, real* sine, real* cosine) {
  *sine = r_sin(x);
  *cosine = r_cos(x);
}
FN real r_tan(real x) { return sizeof(real) == 4 ? real(tanf(float(x))) : real(tan(double(x))); }
FN real r_acos(real x) { return sizeof(real) == 4 ? real(acosf(float(x))) : real(acos(double(x))); }
FN real r_asin(real x) { return sizeof(real) == 4 ? real(asinf(float(x))) : real(asin(double(x))); }
FN real r_atan2(real y, real x) {
  return sizeof(real) == 4 ? real(atan2f(float(y), float(x))) : real(atan2(double(y), double(x)));
}
FN real r_exp(real x) { return sizeof(real) == 4 ? real(expf(float(x))) : real(exp(double(x))); }
FN real r_log(real x) { return sizeof(real) == 4 ? real(logf(float(x))) : real(log(double(x))); }
FN real r_pow(real x, real y) {
  return sizeof(real) == 4 ? real(powf(float(x), float(y))) : real(pow(double(x), double(y)));
}
FN real r_floor(real x) {
  return sizeof(real) == 4 ? real(floorf(float(x))) : real(floor(double(x)));
}
FN int lowest_bit(unsigned x) { return __builtin_ctz(x); }  // of a number that is not 0
FN bool r_isfinite(real x) { return __builtin_isfinite(x); }
template <typename T>
FN T r_min(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
FN T r_max(T a, T b) {
  return a > b ? a : b;
}
// totals over all worlds; integers, so that the order of the worlds cannot matter
FN void atomic_add(int* at, int x) { __atomic_fetch_add(at, x, __ATOMIC_RELAXED); }
FN void atomic_max(int* at, int x) {
  int seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (seen < x &&
         !__atomic_compare_exchange_n(at, &seen, x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
