// What the phases of the smooth stage hand to each other within one launch.
//
// Two regions of shared memory a world. `kept` lives through the whole launch. `poses` and
// `inertia` share the other one: the tree's inertia matrix is built only when poses, velocities and
// accelerations are no longer needed.
//
//   kept:   body [NBODY][17]   cdof [NV][6]   qvel, passive, actuated, diagonal, qacc [NV]
//   other:  pose [NBODY][7]  cvel [NBODY][6]  cacc [NBODY][6]  com [NBODY][3]  wrench [NBODY][6]  |
//   qM [NMBLOCK]
//
// A body's 17 reals are its inertia (10) and the wrench on it (6); the odd stride keeps lanes that
// own one body each out of each other's memory banks. Models whose work space does not fit use
// smooth_scratch in global memory instead.
#pragma once

#include "model.cuh"

constexpr int POSE = 7;     // reals of a pose: quaternion, position
constexpr int BODY = 17;    // reals of a body's record
constexpr int WRENCH = 10;  // where the wrench begins in it
constexpr bool HAS_WRENCH = HAS_GRAVCOMP || HAS_FLUID;

constexpr int KEPT_REALS = NBODY * BODY + NV * 11;
constexpr int BODY_REALS = NBODY * (POSE + 6 + 6 + 3 + (HAS_WRENCH ? 6 : 0));
constexpr int WORK_REALS = KEPT_REALS + (BODY_REALS > NMBLOCK ? BODY_REALS : NMBLOCK);
constexpr bool WORK_IS_SHARED = NSMOOTHSCRATCH == 0;
static_assert(WORK_IS_SHARED || WORK_REALS <= NSMOOTHSCRATCH, "smooth_scratch is too small");

struct Work {
  real* body;      // [NBODY][17] inertia about the tree's centre of mass, wrench
  real* cdof;      // [NV][6]; before the centre of mass is known: axis and anchor in the parent's
                   // frame, at the first dof
  real* qvel;      // [NV]
  real* passive;   // [NV] passive force
  real* actuated;  // [NV] actuator force
  real* diagonal;  // [NV] diagonal of the inertia matrix
  real* qacc;      // [NV] smooth force, then smooth acceleration
  real* pose;      // [NBODY][7] in the parent's frame, then in the world's
  real* cvel;      // [NBODY][6] relative to the parent, then absolute
  real* cacc;      // [NBODY][6] acceleration without qacc, likewise
  real* com;       // [NBODY][3] centre of mass of the whole subtree, at top-level bodies only
  real* wrench;    // [NBODY][6] of gravity compensation or of the fluid
  real* qM;        // [NMBLOCK], in the place of pose to wrench
};

FN Work carve(real* memory) {
  Work s;
  s.body = memory;
  s.cdof = s.body + NBODY * BODY;
  s.qvel = s.cdof + NV * 6;
  s.passive = s.qvel + NV;
  s.actuated = s.passive + NV;
  s.diagonal = s.actuated + NV;
  s.qacc = s.diagonal + NV;
  s.qM = s.pose = s.qacc + NV;
  s.cvel = s.pose + NBODY * POSE;
  s.cacc = s.cvel + NBODY * 6;
  s.com = s.cacc + NBODY * 6;
  s.wrench = HAS_WRENCH ? s.com + NBODY * 3 : nullptr;
  return s;
}

/// Adds to each body what its parent has, from the top of the tree down: [NBODY][6]. All lanes meet
/// at the end.
FN void sum_down(Group g, const Model& m, real* at) {
  if constexpr (Group::size == 1) {
    for (int b = 1; b < NBODY; ++b) {
      const int parent = m.body_parentid[b];
      for (int c = 0; c < 6; ++c) {
        at[6 * b + c] += at[6 * parent + c];
      }
    }
  } else {
    NO_UNROLL
    for (int level = 1; level < NLEVEL; ++level) {
      const int first = m.level_adr[level];
      const int count = 6 * m.level_num[level];
      NO_UNROLL
      for (int t = g.lane(); t < count; t += g.size) {
        const int b = m.level_body[first + t / 6];
        at[6 * b + t % 6] += at[6 * m.body_parentid[b] + t % 6];
      }
      g.sync();
    }
  }
}

/// Adds each body's first COLUMNS reals to its parent's, from the leaves up, the world left out:
/// [NBODY][STRIDE]. A column belongs to one lane, so that no lane waits for another on the way. All
/// lanes meet at the end.
template <int COLUMNS, int STRIDE>
FN void sum_up(Group g, const Model& m, real* at) {
  NO_UNROLL
  for (int b = NBODY - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent > 0) {
      NO_UNROLL
      for (int c = g.lane(); c < COLUMNS; c += g.size) {
        at[STRIDE * parent + c] += at[STRIDE * b + c];
      }
    }
  }
  g.sync();
}
