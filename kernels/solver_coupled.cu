// The constraint solver for islands of several trees, and for trees too large for solver.cu: a
// group a world, one island after the other. M and J stay in their tree blocks; the Hessian is
// dense over the island's dofs, a packed lower triangle in shared memory, or in island_hessian
// where it is larger. It is factored from the last dof to the first, H = L^T D L, which keeps the
// zeros between branches and between trees that do not touch; those rows are skipped. CG needs no
// matrix at all.

#include "coupled_system.cuh"
#include "start.cuh"

/// 1 / trace of the island's M, or MuJoCo's scale of the whole model where islands are disabled.
/// All lanes call it.
FN real island_scale(const Group& g, const Model& m, const IslandSystem& s) {
  if (m.opt_disableflags[0] & DSBL_ISLAND) {
    return 1 / (m.stat_meaninertia * r_max(1, NV));
  }
  real trace = 0;
  NO_UNROLL
  for (int i = g.lane(); i < s.n; i += g.size) {
    trace += s.M_entry(i, i);
  }
  return 1 / g.sum(trace);
}

FN void solve_island(const Group& g, const Model& m, const Data& d, int root, const Rows& rows,
                     IslandSystem& s) {
  const int w = g.world();
  NO_UNROLL
  for (int i = g.lane(); i < s.n; i += g.size) {
    const int dof = s.dof(i);
    s.qfrc_smooth[i] = at_world(d.qfrc_smooth, w, NV)[dof];
    s.qacc[i] = at_world(d.qacc_warmstart, w, NV)[dof];
    s.search[i] = at_world(d.qacc_smooth, w, NV)[dof];
  }
  g.sync();
  take_start(g, m, d, s, rows);
  const int iterations = minimise(g, m, d, s, rows, island_scale(g, m, s));

  // results
  NO_UNROLL
  for (int i = g.lane(); i < s.n; i += g.size) {
    at_world(d.qacc, w, NV)[s.dof(i)] = s.qacc[i];
    at_world(d.qfrc_constraint, w, NV)[s.dof(i)] = force_at_end(m, s, i, iterations);
  }
  if (g.lane() == 0) {
    at_world(d.solver_niter, w, NTREE)[root] = iterations;
  }
  g.sync();
}

/// A large tree without rows: nothing to solve.
FN void leave_unconstrained(const Group& g, const Model& m, const Data& d, int tree) {
  const int w = g.world();
  NO_UNROLL
  for (int i = m.tree_dofadr[tree] + g.lane(); i < m.tree_dofadr[tree] + m.tree_dofnum[tree];
       i += g.size) {
    at_world(d.qacc, w, NV)[i] = at_world(d.qacc_smooth, w, NV)[i];
    at_world(d.qfrc_constraint, w, NV)[i] = 0;
  }
  if (g.lane() == 0) {
    at_world(d.solver_niter, w, NTREE)[tree] = 0;
  }
}

KERNEL(solver_coupled, 1) {
  const int w = g.world();
  SHARED(real, row_x, ROWS_ON_CHIP ? NJMAX : 1);
  SHARED(real, row_v, ROWS_ON_CHIP ? NJMAX : 1);
  SHARED(real, row_scale, ROWS_ON_CHIP ? NJMAX : 1);
  SHARED(real, row_param, ROWS_ON_CHIP ? NJMAX : 1);
  SHARED(int, row_kind, ROWS_ON_CHIP ? NJMAX : 1);
  SHARED(real, vectors, IslandSystem::VECTORS_ON_CHIP ? IslandSystem::NVECTOR * NV : 1);
  SHARED(real, hessian, IslandSystem::HESSIAN_ON_CHIP ? NV * (NV + 1) / 2 : 1);
  SHARED(int, dof_place, NV);
  SHARED(int, place_dof, NV);
  NO_UNROLL
  for (int root = 0; root < NTREE; ++root) {
    const int trees = at_world(d.island_treenum, w, NTREE)[root];
    const int count = at_world(d.island_rownum, w, NTREE)[root];
    if (trees == 0 || (trees == 1 && NVTREE <= TREE_LIMIT)) {
      continue;
    }
    if (count == 0) {
      leave_unconstrained(g, m, d, root);
      continue;
    }
    const int first = at_world(d.island_rowadr, w, NTREE)[root];
    Rows rows{count, 0,     0,         count,     at_world(d.island_row, w, NJMAX) + first,
              row_x, row_v, row_scale, row_param, row_kind};
    if constexpr (!ROWS_ON_CHIP) {
      scratch_rows(d, w, first, rows);
    }
    load_rows(g, d, rows);
    IslandSystem s(g, m, d, rows, root, trees, vectors, hessian, dof_place, place_dof);
    g.sync();
    solve_island(g, m, d, root, rows, s);
  }
}
