// What the phases of the smooth stage hand to each other within one launch.
//
// Two regions of shared memory a world. `kept` lives through the whole launch. `poses` and
// `inertia` share the other one: the tree's inertia matrix is built only when poses, velocities and
// accelerations are no longer needed.
//
//   kept:   body [NBODY][17]   cdof [NV][6]   qvel, passive, actuated, diagonal, qacc [NV]
//   other:  pose [NBODY][7]  cvel [NBODY][6]  cacc [NBODY][6]  com [NBODY][3]  wrench [NBODY][6]
//           above [NBODY]  |  qM [MATRIX_REALS]
//
// A body's 17 reals are its inertia (10) and the wrench on it (6); the odd stride keeps lanes that
// own one body each out of each other's memory banks. Models whose work space does not fit use
// smooth_scratch in global memory instead.
#pragma once

#include "factor_lanes.cuh"

constexpr int POSE = 7;     // reals of a pose: quaternion, position
constexpr int BODY = 17;    // reals of a body's record
constexpr int WRENCH = 10;  // where the wrench begins in it
constexpr bool HAS_WRENCH = HAS_GRAVCOMP || HAS_FLUID;

// matrices that are there at a time: those of the trees that lie side by side, or all
constexpr int MATRIX_REALS = FITS_LANES ? TREES_AT_ONCE * TREE_WIDTH * TREE_WIDTH : NMBLOCK;

constexpr int KEPT_REALS = NBODY * BODY + NV * 11;
constexpr int BODY_REALS = NBODY * (POSE + 6 + 6 + 3 + (HAS_WRENCH ? 6 : 0) + 1);
constexpr int WORK_REALS = KEPT_REALS + (BODY_REALS > MATRIX_REALS ? BODY_REALS : MATRIX_REALS);
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
  int* above;      // [NBODY] the ancestor that a walk up the tree has come to, or -1
  real* qM;        // [MATRIX_REALS], in the place of pose to above
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
  real* rest = s.com + NBODY * 3;
  s.wrench = HAS_WRENCH ? rest : nullptr;
  s.above = reinterpret_cast<int*>(HAS_WRENCH ? rest + NBODY * 6 : rest);
  return s;
}

/// Number of doublings after which steps of one reach over `length` of them.
constexpr int doublings(int length) {
  int count = 0;
  for (int reach = 1; reach < length; reach *= 2) {
    ++count;
  }
  return count;
}

/// Begins a walk up the tree in strides that double: s.above gets each body's parent, or -1 where
/// that is below `top`. All lanes meet at the end.
FN void begin_walk(Group g, const Model& m, const Work& s, int top) {
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    const int parent = b > 0 ? m.body_parentid[b] : -1;
    s.above[b] = parent >= top ? parent : -1;
  }
  g.sync();
}

/// Adds to each body what its ancestors have, from the top of the tree down: [NBODY][6]. All lanes
/// meet at the end.
FN void sum_down(Group g, const Model& m, const Work& s, real* at) {
  if constexpr (Group::size == 1) {
    for (int b = 1; b < NBODY; ++b) {
      const int parent = m.body_parentid[b];
      for (int c = 0; c < 6; ++c) {
        at[6 * b + c] += at[6 * parent + c];
      }
    }
  } else {
    begin_walk(g, m, s, 0);
    NO_UNROLL
    for (int round = doublings(NLEVEL); round > 0; --round) {
      // from the last bodies on: ancestors come before, and still have what the last round left
      NO_UNROLL
      for (int first = (NBODY - 1) / g.size * g.size; first >= 0; first -= g.size) {
        const int b = first + g.lane();
        const int above = b < NBODY ? s.above[b] : -1;
        real sum[6];
        int next = -1;
        if (above >= 0) {
          next = s.above[above];
          for (int c = 0; c < 6; ++c) {
            sum[c] = at[6 * b + c] + at[6 * above + c];
          }
        }
        g.sync();
        if (above >= 0) {
          s.above[b] = next;
          for (int c = 0; c < 6; ++c) {
            at[6 * b + c] = sum[c];
          }
        }
        g.sync();
      }
    }
  }
}

/// Adds each body's first COLUMNS reals to its parent's, from the leaves up, the world left out:
/// [NBODY][STRIDE]. A column belongs to one lane, so that no lane waits for another on the way. All
/// lanes meet at the end.
template <int COLUMNS, int STRIDE>
FN void sum_up(Group g, const Model& m, real* at) {
  if constexpr (Group::size == 1) {
    for (int b = NBODY - 1; b > 0; --b) {
      const int parent = m.body_parentid[b];
      for (int c = 0; parent > 0 && c < COLUMNS; ++c) {
        at[STRIDE * parent + c] += at[STRIDE * b + c];
      }
    }
  } else {
    NO_UNROLL
    for (int c = g.lane(); c < COLUMNS; c += g.size) {
      UNROLL_BY_8  // the parents' numbers come from memory together
          for (int b = NBODY - 1; b > 0; --b) {
        const int parent = m.body_parentid[b];
        if (parent > 0) {
          at[STRIDE * parent + c] += at[STRIDE * b + c];
        }
      }
    }
    g.sync();
  }
}
