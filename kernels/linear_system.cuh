// The linear system of an implicit integrator: its matrix as the integrators begin it, and how it
// is solved when it is not symmetric; when it is, factor.cuh solves it.
#pragma once

#include "factor.cuh"
#include "passive.cuh"

constexpr bool HAS_BIAS_DERIVATIVE =
    INTEGRATOR == INT_IMPLICIT || (INTEGRATOR == INT_IMPLICITFAST && HAS_FREE_BODY);
constexpr bool HAS_BODY_DERIVATIVE =
    HAS_BIAS_DERIVATIVE ||
    (HAS_FLUID && (INTEGRATOR == INT_IMPLICIT || INTEGRATOR == INT_IMPLICITFAST));
constexpr int MOTION = 36;  // where the inertia begins in a body's record of 46
constexpr int RECORD = 47;  // an odd stride, see workspace.cuh
constexpr int IMPLICIT_REALS =
    INTEGRATOR == INT_EULER && !HAS_DAMPING
        ? 0
        : NMBLOCK + 2 * NV + (HAS_BODY_DERIVATIVE ? NBODY * RECORD + 6 * NV : 0);
static_assert(WORK_IS_SHARED || IMPLICIT_REALS <= NSMOOTHSCRATCH, "smooth_scratch is too small");

struct Implicit {
  real* A;         // [NMBLOCK] the trees' blocks; their diagonals are kept apart
  real* diagonal;  // [NV]
  real* x;         // [NV] force, then acceleration
  real* body;      // [NBODY][47] G (36), inertia (10)
  real* w;         // [NV][6]
};

FN Implicit carve_implicit(real* memory) {
  Implicit s;
  if constexpr (IMPLICIT_REALS == 0) {
    return {nullptr, nullptr, nullptr, nullptr, nullptr};
  }
  s.A = memory;
  s.diagonal = s.A + NMBLOCK;
  s.x = s.diagonal + NV;
  s.w = HAS_BODY_DERIVATIVE ? s.x + NV : nullptr;
  s.body = HAS_BODY_DERIVATIVE ? s.w + 6 * NV : nullptr;
  return s;
}

/// Matrix and right-hand side with implicit joint damping: M + h diag(damping), qfrc_smooth +
/// qfrc_constraint.
FN void load_system(Group g, const Model& m, const Data& d, int w, const Implicit& s) {
  const real h = m.opt_timestep[0];
  const bool damped = HAS_DAMPING && !(m.opt_disableflags[0] & DSBL_DAMPER);
  const real* qM = at_world(d.qM, w, NMBLOCK);
  const real* qvel = at_world(d.qvel, w, NV);
  const real* qfrc_smooth = at_world(d.qfrc_smooth, w, NV);
  const real* qfrc_constraint = at_world(d.qfrc_constraint, w, NV);
  NO_UNROLL
  for (int i = g.lane(); i < NMBLOCK; i += g.size) {
    s.A[i] = qM[i];
  }
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    const TreeBlock at = tree_block(m, m.dof_treeid[i]);
    const real damping =
        damped ? damper_derivative(m.dof_damping[i], m.dof_dampingpoly + 2 * i, qvel[i]) : real(0);
    s.diagonal[i] = qM[at.madr + (i - at.first) * (at.n + 1)] + h * damping;
    s.x[i] = qfrc_smooth[i] + qfrc_constraint[i];
  }
  g.sync();
}

/// Solves A x = b for one tree whose block need not be symmetric, in place of b, by elimination
/// from the last dof to the first; that order leaves no fill-in, and needs no pivoting for a small
/// step. TOGETHER: all lanes work on it, else one.
template <bool TOGETHER>
FN void solve_unsymmetric(Group g, const Model& m, real* A, const real* diagonal, real* x,
                          int tree) {
  const int lane = TOGETHER ? g.lane() : 0;
  const int lanes = TOGETHER ? int(Group::size) : 1;
  const TreeBlock at = tree_block(m, tree);
  real* block = A + at.madr;
  real* rhs = x + at.first;
  NO_UNROLL
  for (int i = lane; i < at.n; i += lanes) {
    block[i * (at.n + 1)] = diagonal[at.first + i];
  }
  if constexpr (TOGETHER) {
    g.sync();
  }

  // each row is subtracted from those of the dofs that move its own
  NO_UNROLL
  for (int k = at.n - 1; k > 0; --k) {
    const real* row = block + k * at.n;
    for (int i = m.dof_parentid[at.first + k] - at.first; i >= 0;
         i = m.dof_parentid[at.first + i] - at.first) {
      const real scale = block[i * at.n + k] / row[k];
      NO_UNROLL
      for (int j = lane; j <= k; j += lanes) {
        if (j < k) {
          block[i * at.n + j] -= scale * row[j];
        } else {
          rhs[i] -= scale * rhs[k];
        }
      }
    }
    if constexpr (TOGETHER) {
      g.sync();
    }
  }

  // what is left is lower triangular
  NO_UNROLL
  for (int i = 0; i < at.n; ++i) {
    real sum = 0;
    NO_UNROLL
    for (int j = lane; j < i; j += lanes) {
      sum += block[i * at.n + j] * rhs[j];
    }
    if constexpr (TOGETHER) {
      sum = g.sum(sum);
    }
    if (lane == 0) {
      rhs[i] = (rhs[i] - sum) / block[i * (at.n + 1)];
    }
    if constexpr (TOGETHER) {
      g.sync();
    }
  }
}
