// Where the solver starts: from the last step's accelerations or from the unconstrained ones, whichever costs less.
// MuJoCo compares the whole world's cost. In double we do the same, in constraint.cu, so that iterations and digits agree
// with it; in float each island chooses for itself, which spares a pass over all rows.
#pragma once

#include "primal.cuh"

constexpr bool START_OF_WORLD = NTREE > 1 && sizeof(real) == 8;

/// Residuals from J a: out = scale (J a - aref). All lanes call it.
FN void subtract_reference(const Group& g, const Data& d, int w, const Rows& rows, real* out) {
  for (int k = g.lane(); k < rows.count; k += g.size) {
    out[k] -= rows.scale[k] * at_world(d.efc_aref, w, NJMAX)[rows.row(k)];
  }
  g.sync();
}

/// Sets qacc, Ma and the rows' x. Before: qacc is the warm start, search the unconstrained acceleration. All lanes call it.
template <typename System>
FN void take_start(const Group& g, const Model& m, const Data& d, int w, System& s, const Rows& rows) {
  const int n = s.size();
  bool warm = !(m.opt_disableflags[0] & DSBL_WARMSTART);
  if constexpr (START_OF_WORLD) {
    warm = d.solver_start[w] != 0;
  }
  if (warm) {
    s.mul_M(s.qacc, s.Ma);
    s.mul_J(s.qacc, rows.x);
    g.sync();
    subtract_reference(g, d, w, rows, rows.x);
  }
  if (!warm || !START_OF_WORLD) {
    s.mul_J(s.search, rows.v);
    g.sync();
    subtract_reference(g, d, w, rows, rows.v);
  }
  if (warm && !START_OF_WORLD) {
    for (int i = g.lane(); i < n; i += g.size) {
      s.grad[i] = s.Ma[i] - s.qfrc_smooth[i];
      s.Mv[i] = s.qacc[i] - s.search[i];
    }
    g.sync();
    const real gauss = real(0.5) * dot_n(g, s.grad, s.Mv, n);
    warm = !(rows_cost(g, rows, rows.x) + gauss > rows_cost(g, rows, rows.v));
  }
  if (!warm) {
    for (int i = g.lane(); i < n; i += g.size) {
      s.qacc[i] = s.search[i];
      s.Ma[i] = s.qfrc_smooth[i];
    }
    for (int k = g.lane(); k < rows.count; k += g.size) {
      rows.x[k] = rows.v[k];
    }
  }
  g.sync();
}
