// Factor and solve of trees whose dofs are about as many as a warp's lanes, in registers.
//
// Lane l holds column l of its tree's block, of which rows l and below count. M = L^T D L, with L's
// diagonal 1, taken from the last dof to the first: row k goes through shared memory to all lanes,
// and each subtracts its share of it from its own column. The right-hand side goes along, a number
// a lane. Registers need constant indices: those loops are unrolled, and nothing else is. Small
// trees lie side by side. Dofs from the 33rd on have no lane: what couples them is the same number
// in all lanes, and they are the first to be eliminated.
//
// Level by level, a lane an entry, the same took four times the instructions on one humanoid: an
// entry's address, pivot and loop cost more than its products.
#pragma once

#include "tree_block.cuh"
#include "vec.cuh"

/// Four numbers that are read at once.
struct alignas(4 * sizeof(real)) Four {
  real v[4];
};

constexpr int LANES = 32;
constexpr int HEAD = TREE_WIDTH < LANES ? TREE_WIDTH : LANES;        // dofs that have a lane
constexpr int TAIL = TREE_WIDTH - HEAD;                              // dofs that have none
constexpr int SLOT = HEAD > LANES / 2 ? LANES : (HEAD + 3) / 4 * 4;  // lanes of a tree
constexpr int TREES_AT_ONCE = LANES / SLOT;
constexpr bool FITS_LANES = Group::size == LANES && TREE_WIDTH <= LANES + 4;

struct LaneFactor {
  static constexpr int TAILS = TAIL > 0 ? TAIL : 1;
  const Group& g;
  real* block;         // [n][n]
  int n;               // the tree's dofs, 0 where the lane has no tree
  int base;            // lane of its first dof
  int l;               // the lane's dof
  Four* rows;          // [2][LANES / 4] rows on their way, all trees' side by side
  real h[TREE_WIDTH];  // the lane's column; once eliminated, of L
  real y;              // the lane's right-hand side, then its solution
  real inverse;        // 1 / D of the lane's dof
  real tail[TAILS][TAILS];
  real tail_y[TAILS];

  FN_MEMBER LaneFactor(const Group& group, Four* memory) : g(group), rows(memory) {}

  FN_MEMBER bool has(int k) const { return k < n; }
  FN_MEMBER bool inside() const { return l < n; }

  /// Takes the matrix and the right-hand side into registers; what is missing is of the identity.
  FN_MEMBER void load(const real* diagonal, const real* x) {
    if (inside()) {
      block[l * (n + 1)] = diagonal[l];
    }
    g.sync();
    UNROLL
    for (int k = 0; k < TREE_WIDTH; ++k) {
      h[k] = inside() && has(k) ? block[k * n + l] : real(k == l ? 1 : 0);
    }
    y = inside() ? x[l] : real(0);
    UNROLL
    for (int a = 0; a < TAIL; ++a) {
      const int k = LANES + a;
      UNROLL
      for (int b = 0; b < TAIL; ++b) {
        tail[a][b] = b < a && has(k) ? block[k * n + LANES + b] : real(0);
      }
      tail[a][a] = has(k) ? diagonal[k] : real(1);
      tail_y[a] = has(k) ? x[k] : real(0);
    }
    g.sync();
  }

  /// Subtracts f times row k from the lane's column, up to `end`.
  FN_MEMBER void eliminate(int k, int end, real f, const Four* row) {
    UNROLL
    for (int q = 0; q < (HEAD + 3) / 4; ++q) {
      if (4 * q < end) {
        const Four c = row[q];
        UNROLL
        for (int r = 0; r < 4; ++r) {
          if (4 * q + r < end) {
            h[4 * q + r] -= f * c.v[r];
          }
        }
      }
    }
    h[k] = f;
  }

  /// Shows all lanes row k.
  FN_MEMBER const Four* publish(int k) const {
    Four* row = rows + k % 2 * (LANES / 4);  // the other one may still be read
    reinterpret_cast<real*>(row)[g.lane()] = h[k];
    g.sync();
    return row + base / 4;
  }

  FN_MEMBER void eliminate_tail() {
    UNROLL
    for (int a = TAIL - 1; a >= 0; --a) {
      const Four* row = publish(LANES + a);
      const real one_over = r_fast_divide(1, r_max(tail[a][a], MINVAL));
      const real f = h[LANES + a] * one_over;
      UNROLL
      for (int b = 0; b < TAIL; ++b) {
        if (b < a) {
          const real share = tail[a][b] * one_over;
          h[LANES + b] -= f * tail[a][b];
          UNROLL
          for (int c = 0; c < TAIL; ++c) {
            tail[b][c] -= c <= b ? share * tail[a][c] : real(0);
          }
          tail_y[b] -= share * tail_y[a];
        }
      }
      UNROLL
      for (int b = 0; b < TAIL; ++b) {
        tail[a][b] *= b < a ? one_over : real(1);
      }
      tail[a][a] = one_over;
      y -= f * tail_y[a];
      eliminate(LANES + a, LANES, f, row);
    }
  }

  /// Eliminates the dofs that have lanes; L goes to the block, with zeros right of the diagonal and
  /// on it.
  FN_MEMBER void eliminate_head() {
    inverse = 1;
    UNROLL
    for (int k = HEAD - 1; k >= 0; --k) {
      const Four* row = publish(k);
      const real one_over = r_fast_divide(1, r_max(row[k / 4].v[k % 4], MINVAL));
      const real f = l < k ? h[k] * one_over : real(0);
      inverse = l == k ? one_over : inverse;
      y -= f * g.broadcast(y, base + k);
      eliminate(k, k, f, row);
      if (inside() && has(k)) {
        block[k * n + l] = f;
      }
    }
    g.sync();
  }

  /// From L^T y = b to L x = y / D.
  FN_MEMBER void substitute() {
    y *= inverse;
    UNROLL
    for (int i = 0; i < HEAD; ++i) {
      const real entry = inside() && has(i) ? block[l * n + i] : real(0);
      y -= entry * g.broadcast(y, base + i);
    }
    if constexpr (TAIL > 0) {
      real sum[TAILS];
      UNROLL
      for (int a = 0; a < TAIL; ++a) {
        sum[a] = inside() ? h[LANES + a] * y : real(0);
      }
      g.sum_all(sum);
      UNROLL
      for (int a = 0; a < TAIL; ++a) {
        tail_y[a] = tail_y[a] * tail[a][a] - sum[a];
        UNROLL
        for (int b = 0; b < TAIL; ++b) {
          tail_y[a] -= b < a ? tail[a][b] * tail_y[b] : real(0);
        }
      }
    }
  }

  FN_MEMBER void store(real* x) const {
    if (inside()) {
      x[l] = y;
    }
    UNROLL
    for (int a = 0; a < TAIL; ++a) {
      if (g.lane() == 0 && has(LANES + a)) {
        x[LANES + a] = tail_y[a];
      }
    }
    g.sync();
  }

  /// The block's rows times the roots of D: the factor of M = L^T L, its diagonal as 1/L_kk.
  FN_MEMBER void scale_rows() const {
    NO_UNROLL
    for (int k = l; k < r_min(n, HEAD); k += SLOT) {
      const real root = r_sqrt(inverse);
      NO_UNROLL
      for (int i = 0; i < k; ++i) {
        block[k * n + i] *= 1 / root;
      }
      block[k * (n + 1)] = root;
    }
    UNROLL
    for (int a = 0; a < TAIL; ++a) {
      const real root = r_sqrt(tail[a][a]);
      real* row = block + (LANES + a) * n;
      if (inside() && has(LANES + a)) {
        row[l] = h[LANES + a] / root;
      }
      UNROLL
      for (int b = 0; b < TAIL; ++b) {
        if (b <= a && g.lane() == 0 && has(LANES + a)) {
          row[LANES + b] = b < a ? tail[a][b] / root : root;
        }
      }
    }
    g.sync();
  }
};

/// All lanes' factor and solve of the trees from `tree` on that fit side by side. L begins at
/// `origin` of arrays of NMBLOCK.
template <bool KEEP>
FN void factor_lanes(Group g, const Model& m, real* L, int origin, const real* diagonal, real* x,
                     int tree) {
  SHARED(Four, rows, 2 * LANES / 4);
  LaneFactor f(g, rows);
  f.base = TREES_AT_ONCE > 1 ? g.lane() / SLOT * SLOT : 0;
  f.l = g.lane() - f.base;
  const int own = tree + g.lane() / SLOT;
  const bool is_there =
      g.lane() < TREES_AT_ONCE * SLOT && (NTREE % TREES_AT_ONCE == 0 || own < NTREE);
  const TreeBlock at = is_there ? tree_block(m, own) : TreeBlock{0, 0, origin};
  f.base = is_there ? f.base : 0;
  f.n = at.n;
  f.block = L + at.madr - origin;
  f.load(diagonal + at.first, x + at.first);
  f.eliminate_tail();
  f.eliminate_head();
  f.substitute();
  f.store(x + at.first);
  if constexpr (KEEP) {
    f.scale_rows();
  }
}
