// Where the solver starts: from the last step's accelerations or from the unconstrained ones,
// whichever costs less. MuJoCo compares the whole world's cost. In double we do the same, in
// constraint.cu, so that iterations and digits agree with it; in float each island chooses for
// itself, which spares a pass over all rows.
#pragma once

#include "primal.cuh"

constexpr bool START_OF_WORLD = NTREE > 1 && sizeof(real) == 8;

/// Sets qacc, Ma and the rows' x. Before: qacc is the warm start, search the unconstrained
/// acceleration. All lanes call it.
template <typename System>
FN void take_start(const Group& g, const Model& m, const Data& d, System& s, const Rows& rows) {
  const int n = s.size();
  bool warm = !(m.opt_disableflags[0] & DSBL_WARMSTART);
  if constexpr (START_OF_WORLD) {
    warm = d.solver_start[g.world()] != 0;
  }

  // residuals of the warm start into x, of the other into v, as far as they matter
  const bool compare = warm && !START_OF_WORLD;
  const real* aref = at_world(d.efc_aref, g.world(), NJMAX);
  NO_UNROLL
  for (int i = warm ? 0 : 1; i < (warm && !compare ? 1 : 2); ++i) {
    real* out = i == 0 ? rows.x : rows.v;
    s.mul_J(i == 0 ? s.qacc : s.search, out);
    NO_UNROLL
    for (int k = g.lane(); k < rows.count; k += g.size) {
      out[k] -= rows.scale[k] * aref[rows.row(k)];
    }
  }
  if (warm) {
    s.mul_M(s.qacc, s.Ma);
  }
  g.sync();
  if (compare) {
    NO_UNROLL
    for (int i = g.lane(); i < n; i += g.size) {
      s.grad[i] = s.Ma[i] - s.qfrc_smooth[i];
      s.Mv[i] = s.qacc[i] - s.search[i];
    }
    g.sync();
    const real gauss = real(0.5) * dot_n(g, s.grad, s.Mv, n);
    warm = !(rows_cost_difference(g, rows, rows.x, rows.v) + gauss > 0);
  }
  if (!warm) {
    NO_UNROLL
    for (int i = g.lane(); i < n; i += g.size) {
      s.qacc[i] = s.search[i];
      s.Ma[i] = s.qfrc_smooth[i];
    }
    NO_UNROLL
    for (int k = g.lane(); k < rows.count; k += g.size) {
      rows.x[k] = rows.v[k];
    }
  }
  g.sync();
}
