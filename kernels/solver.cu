// The constraint solver for islands of one tree: the whole Newton or CG loop, a group a (world,
// tree); groups that share a warp have the same tree of neighbouring worlds. Trees without rows
// take the unconstrained acceleration; islands of several trees are left to solver_coupled.

#define KERNEL_BOUNDS BLOCK_SIZE, SOLVER_BLOCKS

#include "start.cuh"
#include "tree_lane.cuh"
#include "tree_lanes.cuh"

constexpr int TREE_LIMIT = 63;  // dofs; larger trees are left to solver_coupled, too

// Blocks at a time, which bounds registers: as many as shared memory leaves room for, in float and
// without spills
constexpr int SOLVER_BLOCKS = sizeof(real) > 4 || NVTREE > 36 ? 1 : NVTREE > 32 ? 12 : 16;

template <bool SINGLE_LANE>
struct TreeKind {
  using System = LaneTree;
  using Memory = real;
};
template <>
struct TreeKind<false> {
  using System = LanesTree;
  using Memory = Quad;
};

/// A tree without rows: nothing to solve.
FN void leave_unconstrained(const Group& g, const Model& m, const Data& d, int w, int tree) {
  const int first = m.tree_dofadr[tree];
  real* qacc = at_world(d.qacc, w, NV) + first;
  real* force = at_world(d.qfrc_constraint, w, NV) + first;
  const real* qacc_smooth = at_world(d.qacc_smooth, w, NV) + first;
  NO_UNROLL
  for (int i = g.lane(); i < m.tree_dofnum[tree]; i += g.size) {
    qacc[i] = qacc_smooth[i];
    force[i] = 0;
  }
}

/// 1 / trace of M, or MuJoCo's scale of the whole model where islands are disabled. All lanes call
/// it.
FN real cost_scale(const Group& g, const Model& m, const Data& d, int w, int tree) {
  if (m.opt_disableflags[0] & DSBL_ISLAND) {
    return 1 / (m.stat_meaninertia * r_max(1, NV));
  }
  const int dofs = m.tree_dofnum[tree];
  const real* M = at_world(d.qM, w, NMBLOCK) + m.tree_madr[tree];
  real trace = 0;
  NO_UNROLL
  for (int i = g.lane(); i < dofs; i += g.size) {
    trace += M[i * (dofs + 1)];
  }
  return 1 / g.sum(trace);
}

template <typename Kind>
FN void solve_tree(const Group& g, const Model& m, const Data& d, int w, int tree, const Rows& rows,
                   typename Kind::Memory* memory) {
  typename Kind::System s(g, m, d, rows, w, tree, memory);
  const int first = m.tree_dofadr[tree], dofs = m.tree_dofnum[tree];
  NO_UNROLL
  for (int i = g.lane(); i < dofs; i += g.size) {
    s.qfrc_smooth[i] = at_world(d.qfrc_smooth, w, NV)[first + i];
    s.qacc[i] = at_world(d.qacc_warmstart, w, NV)[first + i];
    s.search[i] = at_world(d.qacc_smooth, w, NV)[first + i];
  }
  g.sync();
  take_start(g, m, d, s, rows);
  const int iterations = minimise(g, m, d, s, rows, cost_scale(g, m, d, w, tree));

  // results
  NO_UNROLL
  for (int i = g.lane(); i < dofs; i += g.size) {
    at_world(d.qacc, w, NV)[first + i] = s.qacc[i];
    at_world(d.qfrc_constraint, w, NV)[first + i] = force_at_end(m, s, i, iterations);
  }
  if (g.lane() == 0) {
    at_world(d.solver_niter, w, NTREE)[tree] = iterations;
  }
}

KERNEL(solver, NTREE) {
  static_assert(NVTREE <= TREE_LIMIT, "such trees are left to solver_coupled");
  using Kind = TreeKind<Group::size == 1>;
  const int w = g.world();
  const int tree = g.part();
  const int trees = at_world(d.island_treenum, w, NTREE)[tree];
  const int count = at_world(d.island_rownum, w, NTREE)[tree];
  if (trees != 1 || count == 0) {
    if (g.lane() == 0) {
      at_world(d.solver_niter, w, NTREE)[tree] = 0;
    }
    if (trees == 1) {
      leave_unconstrained(g, m, d, w, tree);
    }
    return;
  }

  // the rows, on the chip where they fit
  constexpr int ROOM = ROWS_ON_CHIP ? staggered(NJMAX) : 1;
  SHARED(real, row_x, ROOM);
  SHARED(real, row_v, ROOM);
  SHARED(real, row_scale, ROOM);
  SHARED(real, row_param, ROOM);
  SHARED(int, row_kind, ROOM);
  const int first = at_world(d.island_rowadr, w, NTREE)[tree];
  Rows rows{count, 0,     0,         count,     at_world(d.island_row, w, NJMAX) + first,
            row_x, row_v, row_scale, row_param, row_kind};
  if constexpr (!ROWS_ON_CHIP) {
    scratch_rows(d, w, first, rows);
  }
  load_rows(g, d, rows);
  g.sync();
  if constexpr (ELLIPTIC && Group::size > 1) {
    SHARED(unsigned short, row_line, NJMAX);
    list_lines(g, rows, row_line);
  }

  SHARED(Kind::Memory, memory, Kind::System::MEMORY);
  solve_tree<Kind>(g, m, d, w, tree, rows, memory);
}
