// Factor of the trees' inertia matrices and solves with it.
//
// A tree's block is M = L^T L with L lower triangular. Taken in this order, from the last dof to
// the first, nothing fills in: row k of L is not zero only at the dofs that move k. The dofs that i
// moves are those after it, up to dof_end[i], so
//   L_ij = (M_ij - sum over k in (i, dof_end[i]) of L_ki L_kj) / L_ii
// and the same with the right-hand side in the place of column j is the first half of the solve.
// The diagonal of L is kept as 1/L_ii; the diagonal of M comes as an array of its own, because it
// is read after that of L has been written.
//
// A lone lane (on the CPU) goes through the rows from the last to the first and subtracts each from
// the rows of the dofs that move it, in contiguous runs. A warp takes trees of its own width into
// registers: factor_lanes.cuh. For wider ones a group of lanes computes all rows of one depth
// together, a lane an entry; each lane recomputes the pivot of its row, so that a row needs one
// pass only.
#pragma once

#include "factor_lanes.cuh"

constexpr int PACK = 8;           // reals that a CPU handles at once
constexpr int WIDEST_COPY = 128;  // up to this many dofs a CPU copies a tree's block to its stack

/// One lane's factor of a block with rows of `stride` reals; L^T y = x is solved on the way, and y
/// put in the place of x. Rows are updated PACKED reals at a time, which spill into what is above
/// the diagonal.
template <int PACKED>
FN void factor_rows(const int* parent, int first, int n, int stride, real* RESTRICT block,
                    const real* RESTRICT diagonal, real* RESTRICT x) {
  for (int i = 0; i < n; ++i) {
    block[i * stride + i] = diagonal[i];
  }
  NO_UNROLL
  for (int k = n - 1; k >= 0; --k) {
    real* RESTRICT row = block + k * stride;
    const real inverse = 1 / r_sqrt(r_max(row[k], MINVAL));
    for (int j = 0; j < k; ++j) {
      row[j] *= inverse;
    }
    row[k] = inverse;
    const real y = x[k] * inverse;
    x[k] = y;
    NO_UNROLL
    for (int i = parent[k] - first; i >= 0; i = parent[i] - first) {
      real* RESTRICT above = block + i * stride;
      const real scale = row[i];
      NO_UNROLL
      for (int j = 0; j <= i; j += PACKED) {
        UNROLL
        for (int c = 0; c < PACKED; ++c) {
          above[j + c] -= scale * row[j + c];
        }
      }
      x[i] -= scale * y;
    }
  }

  // L x = y from the first dof on
  NO_UNROLL
  for (int i = 0; i < n; ++i) {
    const real* RESTRICT row = block + i * stride;
    real sum = x[i];
    NO_UNROLL
    for (int j = parent[i] - first; j >= 0; j = parent[j] - first) {
      sum -= row[j] * x[j];
    }
    x[i] = sum * row[i];
  }
}

/// One lane's factor and solve for one tree. On the CPU it works on a copy whose rows are whole
/// vectors.
template <bool KEEP>
FN void factor_alone(const Model& m, real* L, const real* diagonal, real* x, int tree) {
  const TreeBlock at = tree_block(m, tree);
  const int* parent = m.dof_parentid + at.first;
  real* block = L + at.madr;
  if constexpr (NVTREE > WIDEST_COPY) {
    factor_rows<1>(parent, at.first, at.n, at.n, block, diagonal + at.first, x + at.first);
  } else {
    constexpr int stride = (TREE_WIDTH + PACK - 1) / PACK * PACK;
    real copy[TREE_WIDTH * stride];
    for (int i = 0; i < at.n; ++i) {
      for (int j = 0; j < stride; ++j) {
        copy[i * stride + j] = j < at.n ? block[i * at.n + j] : real(0);
      }
    }
    factor_rows<PACK>(parent, at.first, at.n, stride, copy, diagonal + at.first, x + at.first);
    for (int i = 0; KEEP && i < at.n; ++i) {
      for (int j = 0; j < at.n; ++j) {
        block[i * at.n + j] = copy[i * stride + j];
      }
    }
  }
}

/// All lanes' solve of L x = y for one tree, in place.
FN void solve_together(Group g, const Model& m, const real* L, real* x, int tree) {
  const TreeBlock at = tree_block(m, tree);
  const real* block = L + at.madr;
  const int i = g.lane();
  NO_UNROLL
  for (int k = 0; k < at.n; ++k) {
    const real found = x[at.first + k] * block[k * (at.n + 1)];
    g.sync();
    for (int j = i; j < at.n; j += g.size) {
      if (j == k) {
        x[at.first + k] = found;
      } else if (j > k) {
        x[at.first + j] -= found * block[j * at.n + k];
      }
    }
    g.sync();
  }
}

/// What the rows below the body take from its own block: pairs of its dofs, and its right-hand
/// side. The body is at the top of its tree and moves all the rest, so that this is most of the
/// work there, and none of it waits for a pivot.
FN void eliminate_below_root(const Model& m, real* L, real* diagonal, real* x, int b, int entry) {
  // entries 0 to 20: the lower triangle of six dofs, row by row; then the right-hand side
  const bool is_rhs = entry >= 21;
  const int row = is_rhs
                      ? entry - 21
                      : (entry >= 1) + (entry >= 3) + (entry >= 6) + (entry >= 10) + (entry >= 15);
  if (row >= m.body_dofnum[b]) {
    return;
  }
  const TreeBlock at = tree_block(m, m.dof_treeid[m.body_dofadr[b]]);
  const int i = m.body_dofadr[b] + row;
  const int j = m.body_dofadr[b] + entry - row * (row + 1) / 2;
  const real* block = L + at.madr;
  const real* column = is_rhs ? x + at.first : block + j - at.first;
  const int stride = is_rhs ? 1 : at.n;
  real sum = 0;
  for (int k = m.body_dofadr[b] + m.body_dofnum[b] - at.first; k < m.dof_end[i] - at.first; ++k) {
    sum += block[k * at.n + i - at.first] * column[k * stride];
  }
  real* out = is_rhs   ? x + i
              : i == j ? diagonal + i
                       : L + at.madr + (i - at.first) * at.n + j - at.first;
  *out -= sum;
}

/// One entry of row i of L, in column j, or y_i for the column past the last one.
FN void factor_entry(const Model& m, real* L, const real* diagonal, real* x, int i, int j,
                     int end) {
  const TreeBlock at = tree_block(m, m.dof_treeid[i]);
  const int row = i - at.first;
  const bool is_rhs = j == TREE_WIDTH;
  if (j > row && !is_rhs) {
    return;
  }
  real* block = L + at.madr;
  real* column = is_rhs ? x + at.first : block + j;
  const int stride = is_rhs ? 1 : at.n;
  real pivot = diagonal[i];
  real sum = column[row * stride];
  for (int k = row + 1; k < end - at.first; ++k) {
    const real scale = block[k * at.n + row];
    sum -= scale * column[k * stride];
    pivot -= scale * scale;
  }
  const real inverse = 1 / r_sqrt(r_max(pivot, MINVAL));
  column[row * stride] = j == row ? inverse : sum * inverse;
}

/// All lanes' factor of all trees, depth by depth; L^T y = x on the way.
FN void factor_levels(Group g, const Model& m, real* L, real* diagonal, real* x) {
  NO_UNROLL
  for (int level = NLEVEL - 1; level > 0; --level) {
    const int* bodies = m.level_body + m.level_adr[level];
    const int count = m.level_num[level];
    const bool is_root = HAS_FREE && level == 1;
    if (is_root) {
      NO_UNROLL
      for (int t = g.lane(); t < count * 27; t += g.size) {
        eliminate_below_root(m, L, diagonal, x, bodies[t / 27], t % 27);
      }
      g.sync();
    }
    const int steps = m.level_dofnum[level];
    NO_UNROLL
    for (int step = 1; step <= steps; ++step) {
      NO_UNROLL
      for (int t = g.lane(); t < count * (TREE_WIDTH + 1); t += g.size) {
        const int b = bodies[t / (TREE_WIDTH + 1)];
        const int last = m.body_dofadr[b] + m.body_dofnum[b];
        if (step <= m.body_dofnum[b]) {
          const int i = last - step;
          factor_entry(m, L, diagonal, x, i, t % (TREE_WIDTH + 1), is_root ? last : m.dof_end[i]);
        }
      }
      g.sync();
    }
  }
}

/// Factors the blocks of the trees from `tree` to `end` and solves M x = b for them. All lanes call
/// it, and meet at its beginning and end. Trees that do not fit the lanes are taken all at once.
/// @tparam KEEP     the factors are wanted; without it what is left in L is undefined
/// @param L         the matrices, the first tree's first, of which what is above the diagonals does
/// not count; out: the factors
/// @param diagonal  [NV] in: diagonal of the matrices; lost
/// @param x         [NV] in: b, out: x
template <bool KEEP>
FN void tree_factor_solve(Group g, const Model& m, real* L, real* diagonal, real* x, int tree,
                          int end) {
  g.sync();
  if constexpr (Group::size == 1) {
    for (int t = tree; t < end; ++t) {
      factor_alone<KEEP>(m, L, diagonal, x, t);
    }
  } else if constexpr (FITS_LANES) {
    const int origin = tree_block(m, tree).madr;
    NO_UNROLL
    for (int t = tree; t < end; t += TREES_AT_ONCE) {
      factor_lanes<KEEP>(g, m, L, origin, diagonal, x, t);
    }
  } else {
    factor_levels(g, m, L, diagonal, x);
    NO_UNROLL
    for (int t = 0; t < NTREE; ++t) {
      solve_together(g, m, L, x, t);
    }
  }
}

/// The same for all trees.
template <bool KEEP>
FN void tree_factor_solve(Group g, const Model& m, real* L, real* diagonal, real* x) {
  if constexpr (NTREE > 0) {
    tree_factor_solve<KEEP>(g, m, L, diagonal, x, 0, NTREE);
  }
}
