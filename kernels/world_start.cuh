// MuJoCo's choice of the solver's start, over all trees of a world together; see start.cuh for
// where it is used.
#pragma once

#include "start.cuh"

/// J a of a row, over the trees that it touches.
FN real row_dot(const Model& m, const Data& d, int w, int row, const real* a) {
  const int* tree = at_world(d.efc_tree, w, NJMAX * NTREEROW) + row * NTREEROW;
  const real* J = at_world(d.efc_J, w, NJMAX * NTREEROW * NVTREE) + row * NTREEROW * NVTREE;
  real sum = 0;
  for (int slot = 0; slot < NTREEROW; ++slot) {
    for (int i = 0; tree[slot] >= 0 && i < m.tree_dofnum[tree[slot]]; ++i) {
      sum += J[slot * NVTREE + i] * a[m.tree_dofadr[tree[slot]] + i];
    }
  }
  return sum;
}

/// Cost of the world's rows at the accelerations a. All lanes call it.
FN real world_cost(const Group& g, const Model& m, const Data& d, int nrow, const real* a) {
  const int w = g.world();
  const real* D = at_world(d.efc_D, w, NJMAX);
  const real* aref = at_world(d.efc_aref, w, NJMAX);
  real cost = 0;
  NO_UNROLL
  for (int r = g.lane(); r < nrow; r += g.size) {
    const int type = at_world(d.efc_type, w, NJMAX)[r];
    const real x = r_sqrt(D[r]) * (row_dot(m, d, w, r, a) - aref[r]);
    const real bound = at_world(d.efc_frictionloss, w, NJMAX)[r] / r_sqrt(D[r]);
    if (type == CNSTR_FRICTION_DOF && r_abs(x) >= bound) {
      cost += bound * (r_abs(x) - real(0.5) * bound);
    } else if (type == CNSTR_EQUALITY || type == CNSTR_FRICTION_DOF) {
      cost += real(0.5) * x * x;
    } else if (type != CNSTR_CONTACT_ELLIPTIC) {
      cost += x < 0 ? real(0.5) * x * x : real(0);
    } else if (ELLIPTIC) {
      // a contact counts at its first row
      const int contact = at_world(d.efc_id, w, NJMAX)[r];
      if (at_world(d.contact_efc_address, w, NCONMAX)[contact] != r) {
        continue;
      }
      real tt = 0;
      for (int k = r + 1; k < r + at_world(d.contact_nrow, w, NCONMAX)[contact]; ++k) {
        const real y = row_dot(m, d, w, k, a) - aref[k];
        tt += D[k] * y * y;
      }
      cost += cone_cost(x, tt, at_world(d.efc_mu, w, NJMAX * 6)[6 * r]);
    }
  }
  return g.sum(cost);
}

/// Gauss cost of the warm start: (a - a_smooth)^T (M a - qfrc_smooth) / 2. All lanes call it.
FN real warm_gauss(const Group& g, const Model& m, const Data& d) {
  const int w = g.world();
  const real* warm = at_world(d.qacc_warmstart, w, NV);
  real cost = 0;
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    const int tree = m.dof_treeid[i];
    const int first = m.tree_dofadr[tree], dofs = m.tree_dofnum[tree];
    const real* M = at_world(d.qM, w, NMBLOCK) + m.tree_madr[tree] + (i - first) * dofs;
    real force = -at_world(d.qfrc_smooth, w, NV)[i];
    for (int k = 0; k < dofs; ++k) {
      force += M[k] * warm[first + k];
    }
    cost += real(0.5) * force * (warm[i] - at_world(d.qacc_smooth, w, NV)[i]);
  }
  return g.sum(cost);
}

/// Writes solver_start. All lanes call it.
FN void choose_world_start(const Group& g, const Model& m, const Data& d, int nrow) {
  const int w = g.world();
  bool warm = !(m.opt_disableflags[0] & DSBL_WARMSTART);
  if (warm) {
    const real cost_warm =
        world_cost(g, m, d, nrow, at_world(d.qacc_warmstart, w, NV)) + warm_gauss(g, m, d);
    warm = !(cost_warm > world_cost(g, m, d, nrow, at_world(d.qacc_smooth, w, NV)));
  }
  if (g.lane() == 0) {
    d.solver_start[w] = warm ? 1 : 0;
  }
}
