// One tree's problem for a group of lanes: a lane a dof, up to BORDER_LIMIT dofs more. Jacobian
// rows, scaled, lie in shared memory. Lane i takes row i of H = M + J^T W J into registers, and the
// Cholesky factor goes column by column, each passed through shared memory; the gradient goes along
// as one row more where there is a lane to spare, else as one column more, which leaves the forward
// substitution done. Registers need constant indices: that loop is unrolled, and only that one.
// Dofs beyond the lanes are a border: columns more of each lane's row, and a corner that every lane
// solves. H is only factored anew when a row's part in it has changed.
//
// A warp or more sums J^T W J in tiles of 4 x 4, one a lane, so that a row of J costs a lane two
// reads of four numbers for sixteen products. Small trees share a warp, and their lanes sum their
// own row of H.
#pragma once

#include "primal.cuh"

/// Four numbers that are read at once.
struct alignas(4 * sizeof(real)) Quad {
  real v[4];
};

/// Four rows' places.
struct alignas(16) Places {
  int v[4];
};

constexpr int BORDER_LIMIT = 4;

constexpr int odd_at_least(int n) { return n | 1; }

/// At least n, such that groups of one warp that lie so many words apart meet different banks.
constexpr int staggered(int n) {
  return Group::size < 32 ? n + (32 + Group::size - n % 32) % 32 : n;
}

struct LanesTree {
  static constexpr int N = NVTREE;
  static constexpr int LANES = Group::size > 1 ? Group::size : 64;  // one lane has tree_lane.cuh
  static constexpr int BORDER = N > LANES ? N - LANES : 0;
  static constexpr int INNER = N - BORDER;              // dofs that have a lane
  static constexpr int EDGE = BORDER > 0 ? BORDER : 1;  // entries of an array
  static constexpr bool SPARE_LANE = LANES > N;
  static constexpr bool IN_TILES = LANES >= 32;
  static constexpr int QUADS =
      odd_at_least((N + 1 + 3) / 4);  // odd: lanes that read a row each meet different banks
  static constexpr int PITCH = 4 * QUADS;
  static constexpr int SIDE = (N + 3) / 4;         // tiles along a side of H
  static constexpr int WIDTH = 4 * ((N + 4) / 4);  // columns of H and the gradient
  static constexpr int NTILE = SIDE * (SIDE + 1) / 2;
  static constexpr int CHUNK =
      LANES < 32 ? LANES : 32;  // rows that a warp's lanes of a group look at
  static constexpr int JMOST = IN_TILES ? 64 : 32;
  static constexpr int JROWS =
      NJMAX < JMOST ? NJMAX : JMOST;  // Jacobian rows in shared memory; the others are in L1
  static constexpr int HROWS =
      NEWTON ? 4 * SIDE + 2 : 2;  // the last two are made from a cone's rows
  static constexpr int NVECTOR = NEWTON ? 7 : 10;
  static constexpr bool M_IN_REGISTERS = N <= 40;  // beside them, a lane holds its row of H
  static constexpr int NLIST = JROWS + 4;          // rows that are in H, padded
  static constexpr int LIST_QUADS = IN_TILES && NEWTON ? (NLIST + 3) / 4 * (ELLIPTIC ? 2 : 1) : 0;
  static constexpr int CORNER_QUADS = (BORDER * BORDER + 3) / 4;
  static constexpr int MEMORY =
      staggered(4 * ((JROWS + 1 + HROWS + NVECTOR) * QUADS + LIST_QUADS + CORNER_QUADS)) / 4;
  static constexpr bool STATES_FIT = NJMAX <= 32 * LANES;
  static_assert(BORDER <= BORDER_LIMIT && (BORDER == 0 || M_IN_REGISTERS), "a lane a dof");

  const Group& g;
  const Model& m;
  const Data& d;
  const Rows& rows;
  int w;
  int dofs;
  int dof0;
  const real* qM;  // [dofs][dofs]
  const real* qLD;
  real M[M_IN_REGISTERS ? 4 * SIDE : 1];  // the lane's row
  Quad* J4;                               // [JROWS + 1], the last zero
  Quad* H4;
  real *qacc, *Ma, *grad, *search, *Mv, *qfrc_smooth, *force, *Mgrad, *old_grad, *old_Mgrad;
  real* corner;  // [BORDER][BORDER] of M
  Places* list;
  Quad* list_weight;
  bool is_settled = false;  // there is a factor, and no cone of the lane is in its middle zone
  unsigned states = 0;      // bit k: the lane's row k is in H
  real inverse = 0;         // 1 / D[lane]

  FN_MEMBER LanesTree(const Group& group, const Model& model, const Data& data, const Rows& island,
                      int world, int tree, Quad* memory)
      : g(group), m(model), d(data), rows(island), w(world) {
    dofs = NV == NTREE * NVTREE ? NVTREE : m.tree_dofnum[tree];
    dof0 = m.tree_dofadr[tree];
    qM = at_world(d.qM, w, NMBLOCK) + m.tree_madr[tree];
    qLD = at_world(d.qLD, w, NMBLOCK) + m.tree_madr[tree];
    J4 = memory;
    H4 = J4 + (JROWS + 1) * QUADS;
    real* vectors = reinterpret_cast<real*>(H4 + HROWS * QUADS);
    qacc = vectors;
    Ma = vectors + PITCH;
    grad = vectors + 2 * PITCH;
    search = vectors + 3 * PITCH;
    Mv = vectors + 4 * PITCH;
    qfrc_smooth = vectors + 5 * PITCH;
    force = vectors + 6 * PITCH;
    Mgrad = vectors + 7 * PITCH;
    old_grad = vectors + 8 * PITCH;
    old_Mgrad = vectors + 9 * PITCH;
    list_weight = H4 + (HROWS + NVECTOR) * QUADS;
    list = reinterpret_cast<Places*>(list_weight + (ELLIPTIC ? LIST_QUADS / 2 : 0));
    corner = reinterpret_cast<real*>(list_weight + LIST_QUADS);
    NO_UNROLL
    for (int i = g.lane(); i < NVECTOR * PITCH; i += g.size) {
      vectors[i] = 0;
    }
    NO_UNROLL
    for (int i = g.lane(); i < PITCH; i += g.size) {
      reinterpret_cast<real*>(J4 + JROWS * QUADS)[i] = 0;
    }
    if constexpr (M_IN_REGISTERS) {
      UNROLL
      for (int k = 0; k < 4 * SIDE; ++k) {
        M[k] = M_entry(g.lane(), k);
      }
    }
    if constexpr (BORDER > 0) {
      if (g.lane() < BORDER * BORDER) {
        corner[g.lane()] = M_entry(INNER + g.lane() / BORDER, INNER + g.lane() % BORDER);
      }
    }
    load_jacobian();
  }

  FN_MEMBER int size() const { return dofs; }
  FN_MEMBER const real* global_row(int k) const {
    return at_world(d.efc_J, w, NJMAX * NTREEROW * NVTREE) + rows.row(k) * NTREEROW * NVTREE;
  }

  /// Several rows are on their way at a time: what a row takes is the latency of memory.
  FN_MEMBER void load_jacobian() {
    constexpr int FLIGHT = 8;
    real* J = reinterpret_cast<real*>(J4);
    const int kept = r_min(rows.count, JROWS);
    NO_UNROLL
    for (int i = g.lane(); i < PITCH; i += g.size) {
      const bool inside = i < dofs;
      NO_UNROLL
      for (int first = 0; first < kept; first += FLIGHT) {
        real value[FLIGHT];
        UNROLL
        for (int u = 0; u < FLIGHT; ++u) {
          value[u] = inside && first + u < kept ? global_row(first + u)[i] : real(0);
        }
        UNROLL
        for (int u = 0; u < FLIGHT; ++u) {
          if (first + u < kept) {
            J[(first + u) * PITCH + i] = inside ? rows.scale[first + u] * value[u] : real(0);
          }
        }
      }
    }
    g.sync();
  }

  /// An entry of M; beyond the tree's dofs, of the identity.
  FN_MEMBER real M_entry(int i, int k) const {
    const bool inside = i < dofs && k < dofs;
    return inside ? qM[k * dofs + i] : k == i ? real(1) : real(0);  // symmetric: along the lanes
  }

  FN_MEMBER void mul_M(const real* v, real* out) const {
    const int i = g.lane();
    real sum = 0;
    if constexpr (M_IN_REGISTERS) {
      const Quad* v4 = reinterpret_cast<const Quad*>(v);
      UNROLL
      for (int q = 0; q < SIDE; ++q) {
        const Quad b = v4[q];
        UNROLL
        for (int r = 0; r < 4; ++r) {
          sum += M[4 * q + r] * b.v[r];
        }
      }
    } else {
      NO_UNROLL
      for (int k = 0; k < dofs; ++k) {
        sum += i < dofs ? qM[k * dofs + i] * v[k] : real(0);
      }
    }
    if (i < dofs) {
      out[i] = sum;
    }
    if constexpr (BORDER > 0) {
      real more[EDGE];
      for (int r = 0; r < BORDER; ++r) {
        more[r] = M[INNER + r] * v[i];
      }
      g.sum_all(more);
      for (int r = 0; r < BORDER; ++r) {
        for (int c = 0; c < BORDER; ++c) {
          more[r] += corner[r * BORDER + c] * v[INNER + c];
        }
        if (i == r && INNER + r < dofs) {
          out[INNER + r] = more[r];
        }
      }
    }
  }

  FN_MEMBER void mul_J(const real* v, real* out) const {
    const Quad* v4 = reinterpret_cast<const Quad*>(v);
    NO_UNROLL
    for (int k = g.lane(); k < rows.count; k += g.size) {
      real sum = 0;
      if (NJMAX <= JROWS || k < JROWS) {
        for (int q = 0; q < SIDE; ++q) {
          const Quad a = J4[k * QUADS + q], b = v4[q];
          sum += (a.v[0] * b.v[0] + a.v[1] * b.v[1]) + (a.v[2] * b.v[2] + a.v[3] * b.v[3]);
        }
      } else {
        const real* row = global_row(k);
        NO_UNROLL
        for (int i = 0; i < dofs; ++i) {
          sum += row[i] * v[i];
        }
        sum *= rows.scale[k];
      }
      out[k] = sum;
    }
  }

  FN_MEMBER void mul_JT(const real* f, real* out) const {
    const real* J = reinterpret_cast<const real*>(J4);
    const int kept = r_min(rows.count, JROWS);
    NO_UNROLL
    for (int i = g.lane(); i < dofs; i += g.size) {
      real sum = 0;
      UNROLL_BY_8
      for (int k = 0; k < kept; ++k) {
        sum += f[k] * J[k * PITCH + i];
      }
      if constexpr (NJMAX > JROWS) {
        NO_UNROLL
        for (int k = kept; k < rows.count; ++k) {
          sum += f[k] * rows.scale[k] * global_row(k)[i];
        }
      }
      out[i] = sum;
    }
  }

  FN_MEMBER void solve_M(const real* v, real* out) const {
    NO_UNROLL
    for (int i = g.lane(); i < dofs; i += g.size) {
      out[i] = v[i];
    }
    g.sync();
    NO_UNROLL
    for (int i = dofs - 1; i >= 0; --i) {  // L^T y = v
      const real y = out[i] * qLD[i * (dofs + 1)];
      g.sync();
      NO_UNROLL
      for (int k = g.lane(); k <= i; k += g.size) {
        out[k] = k == i ? y : out[k] - qLD[i * dofs + k] * y;
      }
      g.sync();
    }
    NO_UNROLL
    for (int i = 0; i < dofs; ++i) {  // L x = y
      const real x = out[i] * qLD[i * (dofs + 1)];
      g.sync();
      NO_UNROLL
      for (int k = i + g.lane(); k < dofs; k += g.size) {
        out[k] = k == i ? x : out[k] - qLD[k * dofs + i] * x;
      }
      g.sync();
    }
  }

  /// Weights of the rows in H, into v: a cone in its middle zone counts with its tangents only, the
  /// rest being made later; its first row gets -1 / t, a mark. All lanes call it.
  /// @return   is H another than the one that was factored last?
  FN_MEMBER bool weigh_rows() {
    bool is_new = !is_settled || !STATES_FIT;
    is_settled = true;
    unsigned now = 0, bit = 1;
    NO_UNROLL
    for (int k = g.lane(); k < rows.count; k += g.size, bit <<= 1) {
      const int kind = rows.kind[k];
      real own = 0;
      if (ELLIPTIC && kind > ROW_CONE) {
        const int dim = kind - ROW_CONE;
        const real t = r_sqrt(tangent_square(rows.x, k, dim)), mu = rows.param[k];
        const ConeZone zone = cone_zone(rows.x[k], t, mu);
        own = zone == CONE_BOTTOM ? real(1) : real(0);
        real weight = own;
        if (zone == CONE_MIDDLE) {
          const ConeHessian cone = cone_hessian(rows.x[k], t, mu);
          own = -cone.one_over_t;
          weight = cone.k * cone.a;
          is_new = true;
          is_settled = false;
        }
        rows.v[k] = own;
        for (int j = 1; j < dim; ++j) {
          rows.v[k + j] = weight;
        }
      } else if (!ELLIPTIC || kind != ROW_CONE_REST) {
        own = is_quadratic(rows, k) ? real(1) : real(0);
        rows.v[k] = own;
      }
      now |= own > 0 ? bit : 0u;
    }
    is_new = g.any(is_new || now != states);
    states = now;
    g.sync();
    return is_new;
  }

  FN_MEMBER real row_entry(int k, int i) const {
    if (NJMAX <= JROWS || k < JROWS) {
      return reinterpret_cast<const real*>(J4)[k * PITCH + i];
    }
    return i < dofs ? rows.scale[k] * global_row(k)[i] : real(0);
  }

  FN_MEMBER Quad row_quad(int k, int q) const {
    if (NJMAX <= JROWS || k < JROWS) {
      return J4[k * QUADS + q];
    }
    Quad out;
    for (int r = 0; r < 4; ++r) {
      out.v[r] = row_entry(k, 4 * q + r);
    }
    return out;
  }

  /// The two rows that complete a cone's middle zone: w = (1, -mu u) J and u J, u the tangential
  /// direction. All lanes call it.
  FN_MEMBER void make_cone_rows(int k, int dim, real one_over_t, real mu) const {
    real* made = reinterpret_cast<real*>(H4 + (HROWS - 2) * QUADS);
    g.sync();
    NO_UNROLL
    for (int i = g.lane(); i < 4 * SIDE; i += g.size) {
      real along = 0;
      NO_UNROLL
      for (int j = 1; j < dim; ++j) {
        along += rows.x[k + j] * row_entry(k + j, i);
      }
      along *= one_over_t;
      made[i] = row_entry(k, i) - mu * along;
      made[PITCH + i] = along;
    }
    g.sync();
  }

  /// Calls add(quads of a row, weight) for both made rows of each cone in its middle zone. All
  /// lanes call it.
  template <typename Add>
  FN_MEMBER void add_cones(const Add& add) const {
    NO_UNROLL
    for (int begin = 0; begin < rows.count; begin += CHUNK) {
      const int mine = begin + g.lane() % CHUNK;
      const bool is_middle = mine < rows.count && rows.v[mine] < 0;
      NO_UNROLL
      for (unsigned cones = g.warp_mask(is_middle); cones != 0; cones &= cones - 1) {
        const int k = begin + lowest_bit(cones);
        const real mu = rows.param[k];
        make_cone_rows(k, rows.kind[k] - ROW_CONE, -rows.v[k], mu);
        const Quad* made = H4 + (HROWS - 2) * QUADS;
        add(made, cone_factor(mu));
        add(made + QUADS, -rows.v[k + 1]);
      }
    }
  }

  /// Lists the rows on the chip that are in H; zeros fill the last four. All lanes call it.
  FN_MEMBER int list_rows() const {
    int* place = reinterpret_cast<int*>(list);
    real* weight = reinterpret_cast<real*>(list_weight);
    const int kept = r_min(rows.count, JROWS);
    int count = 0;
    NO_UNROLL
    for (int begin = 0; begin < kept; begin += g.size) {
      const int k = begin + g.lane();
      const real own = k < kept ? rows.v[k] : real(0);
      int total = 0;
      const int at = count + g.count_before(own > 0, &total);
      if (own > 0) {
        place[at] = k;
        if constexpr (ELLIPTIC) {
          weight[at] = own;
        }
      }
      count += total;
    }
    if (g.lane() < 4) {
      place[count + g.lane()] = JROWS;
      if constexpr (ELLIPTIC) {
        weight[count + g.lane()] = 0;
      }
    }
    g.sync();
    return count;
  }

  static FN_MEMBER void add_tile(real (&sum)[4][4], const Quad& a, const Quad& b, real weight,
                                 bool is_weighted) {
    for (int p = 0; p < 4; ++p) {
      const real f = is_weighted ? weight * a.v[p] : a.v[p];
      for (int r = 0; r < 4; ++r) {
        sum[p][r] += f * b.v[r];
      }
    }
  }

  /// What all rows add to a tile. All lanes call it.
  FN_MEMBER void add_rows(real (&sum)[4][4], int listed, int ti, int tj) const {
    NO_UNROLL
    for (int first = 0; first < listed; first += 4) {
      const Places at = list[first / 4];
      const Quad weight = ELLIPTIC ? list_weight[first / 4] : Quad{};
      UNROLL
      for (int u = 0; u < 4; ++u) {
        const Quad* row = J4 + at.v[u] * QUADS;
        add_tile(sum, row[ti], row[tj], weight.v[u], ELLIPTIC);
      }
    }
    if constexpr (NJMAX > JROWS) {
      NO_UNROLL
      for (int k = JROWS; k < rows.count; ++k) {
        if (rows.v[k] > 0) {
          add_tile(sum, row_quad(k, ti), row_quad(k, tj), rows.v[k], true);
        }
      }
    }
    if constexpr (ELLIPTIC) {
      add_cones(
          [&](const Quad* row, real weight) { add_tile(sum, row[ti], row[tj], weight, true); });
    }
  }

  /// Sums J^T W J in tiles, into H4's lower part. All lanes call it.
  FN_MEMBER void sum_tiles() const {
    const int listed = list_rows();
    NO_UNROLL
    for (int first = 0; first < NTILE; first += g.size) {
      // the lane's tile: row ti, column tj <= ti, the first with ti (ti + 1) / 2 up to the tile
      const int tile = r_min(first + g.lane(), NTILE - 1);
      const int ti = int((r_sqrt(real(8 * tile + 1)) - real(0.95)) / 2);
      const int tj = tile - ti * (ti + 1) / 2;
      real sum[4][4] = {};
      add_rows(sum, listed, ti, tj);
      if (first + g.lane() < NTILE) {
        for (int p = 0; p < 4; ++p) {
          Quad out;
          for (int r = 0; r < 4; ++r) {
            out.v[r] = sum[p][r];
          }
          H4[(4 * ti + p) * QUADS + tj] = out;
        }
      }
    }
    g.sync();
  }

  /// h += factor times a row.
  static FN_MEMBER void add_multiple(real (&h)[WIDTH], real factor, const Quad* row) {
    UNROLL
    for (int q = 0; q < SIDE; ++q) {
      const Quad b = row[q];
      UNROLL
      for (int r = 0; r < 4; ++r) {
        h[4 * q + r] += factor * b.v[r];
      }
    }
  }

  /// Row `lane` of J^T W J, of a small tree. All lanes call it.
  FN_MEMBER void sum_row(real (&h)[WIDTH]) const {
    const int i = r_min(g.lane(), N - 1);
    const int kept = r_min(rows.count, JROWS);
    NO_UNROLL
    for (int k = 0; k < kept; ++k) {
      add_multiple(h, r_max(rows.v[k], real(0)) * row_entry(k, i), J4 + k * QUADS);
    }
    if constexpr (NJMAX > JROWS) {
      NO_UNROLL
      for (int k = kept; k < rows.count; ++k) {
        const real f = r_max(rows.v[k], real(0)) * row_entry(k, i);
        for (int q = 0; q < SIDE; ++q) {
          const Quad b = row_quad(k, q);
          for (int r = 0; r < 4; ++r) {
            h[4 * q + r] += f * b.v[r];
          }
        }
      }
    }
    if constexpr (ELLIPTIC) {
      add_cones([&](const Quad* row, real weight) {
        add_multiple(h, weight * reinterpret_cast<const real*>(row)[i], row);
      });
    }
  }

  /// Row `lane` of H; with a lane to spare, that gets the gradient, else it is column N of all. All
  /// lanes call it.
  FN_MEMBER void take_row(real (&h)[WIDTH]) const {
    const int i = g.lane();
    const real* H = reinterpret_cast<const real*>(H4);
    if constexpr (IN_TILES) {
      if (i < INNER) {
        UNROLL
        for (int q = 0; q < (INNER + 3) / 4; ++q) {
          const Quad sum = H4[i * QUADS + q];
          UNROLL
          for (int r = 0; r < 4; ++r) {
            h[4 * q + r] = sum.v[r];
          }
        }
        UNROLL
        for (int k = INNER; k < N; ++k) {
          h[k] = H[k * PITCH + i];
        }
      }
    }
    UNROLL
    for (int k = 0; k < N; ++k) {
      h[k] += M_IN_REGISTERS ? M[M_IN_REGISTERS ? k : 0] : M_entry(i, k);
    }
    if constexpr (SPARE_LANE) {
      if (i >= N) {
        UNROLL
        for (int k = 0; k < N; ++k) {
          h[k] = grad[k];
        }
      }
    } else {
      h[N] = grad[i];
    }
    g.sync();
  }

  /// H = L D L^T, a column at a time; column j, still times D[j], stays in row j of `column`, and
  /// behind it what the border and the gradient have become. All lanes call it.
  FN_MEMBER void factor() {
    real h[WIDTH];
    UNROLL
    for (int k = 0; k < WIDTH; ++k) {
      h[k] = 0;
    }
    if constexpr (IN_TILES) {
      sum_tiles();
    } else {
      sum_row(h);
    }
    take_row(h);
    const int i = g.lane();
    real* column = reinterpret_cast<real*>(H4);
    constexpr int END = SPARE_LANE ? N : N + 1;
    UNROLL
    for (int j = 0; j < INNER; ++j) {
      if (i < INNER + (SPARE_LANE ? 1 : 0)) {
        column[j * PITCH + i] = h[j];
      }
      if constexpr (!SPARE_LANE) {
        if (i == j) {
          UNROLL
          for (int k = INNER; k < END; ++k) {
            column[j * PITCH + k] = h[k];
          }
        }
      }
      g.sync();
      Quad c = H4[j * QUADS + j / 4];
      const real f = r_fast_divide(h[j], r_max(MINVAL, c.v[j % 4]));
      UNROLL
      for (int q = j / 4; q < (END + 3) / 4; ++q) {
        if (q > j / 4) {
          c = H4[j * QUADS + q];
        }
        UNROLL
        for (int r = 0; r < 4; ++r) {
          if (4 * q + r > j && 4 * q + r < END) {
            h[4 * q + r] -= f * c.v[r];
          }
        }
      }
    }
    inverse = i < INNER ? r_fast_divide(1, r_max(MINVAL, column[i * PITCH + r_min(i, INNER - 1)]))
                        : real(0);
  }

  /// The gradient's forward substitution by the factor that is there. All lanes call it.
  FN_MEMBER void substitute_gradient() const {
    const int i = g.lane();
    real* column = reinterpret_cast<real*>(H4);
    real y = i < INNER ? grad[i] : real(0);
    NO_UNROLL
    for (int j = 0; j < INNER - 1; ++j) {
      const real known = share(y * inverse, j);
      y -= i > j && i < INNER ? column[j * PITCH + i] * known : real(0);
    }
    if (i < INNER) {
      column[i * PITCH + N] = y;
    }
    g.sync();
  }

  /// The border's unknowns, by all lanes: (C - B D^-1 B^T) x = gradient - B D^-1 y.
  FN_MEMBER void solve_border(real (&x)[EDGE]) const {
    constexpr int PAIRS = BORDER * (BORDER + 1) / 2;
    const int i = g.lane();
    const real* own = reinterpret_cast<const real*>(H4) + i * PITCH + INNER;
    const real* H = reinterpret_cast<const real*>(H4);
    real sum[PAIRS + EDGE];
    for (int r = 0; r < BORDER; ++r) {
      for (int c = 0; c <= r; ++c) {
        sum[r * (r + 1) / 2 + c] = own[r] * own[c] * inverse;
      }
      sum[PAIRS + r] = own[r] * own[BORDER] * inverse;
    }
    g.sum_all(sum);
    real C[EDGE][EDGE];
    for (int r = 0; r < BORDER; ++r) {
      for (int c = 0; c <= r; ++c) {
        C[r][c] =
            H[(INNER + r) * PITCH + INNER + c] + corner[r * BORDER + c] - sum[r * (r + 1) / 2 + c];
      }
      x[r] = grad[INNER + r] - sum[PAIRS + r];
    }
    for (int j = 0; j < BORDER; ++j) {
      const real one_over = r_fast_divide(1, r_max(MINVAL, C[j][j]));
      for (int r = j + 1; r < BORDER; ++r) {
        const real f = C[r][j] * one_over;
        for (int c = j + 1; c <= r; ++c) {
          C[r][c] -= f * C[c][j];
        }
        x[r] -= f * x[j];
      }
      C[j][j] = one_over;
    }
    for (int j = BORDER - 1; j >= 0; --j) {
      for (int r = j + 1; r < BORDER; ++r) {
        x[j] -= C[r][j] * x[r];
      }
      x[j] *= C[j][j];
    }
  }

  /// search = -H^-1 grad. All lanes call it.
  FN_MEMBER void newton_direction() {
    if (weigh_rows()) {
      factor();
    } else {
      substitute_gradient();
    }
    const int i = g.lane();
    const real* own = reinterpret_cast<const real*>(H4) + r_min(i, INNER - 1) * PITCH;
    real x = own[N];
    if constexpr (BORDER > 0) {
      real outer[EDGE];
      solve_border(outer);
      for (int r = 0; r < BORDER; ++r) {
        x -= own[INNER + r] * outer[r];
        if (i == r && INNER + r < dofs) {
          search[INNER + r] = -outer[r];
        }
      }
    }
    x *= inverse;

    // back substitution: lane i gathers the later unknowns' part of its own
    real later[4 * ((INNER + 3) / 4)];
    UNROLL
    for (int q = 0; q < (INNER + 3) / 4; ++q) {
      const Quad c = reinterpret_cast<const Quad*>(own)[q];
      UNROLL
      for (int r = 0; r < 4; ++r) {
        later[4 * q + r] = i < 4 * q + r ? c.v[r] * inverse : real(0);
      }
    }
    UNROLL
    for (int j = INNER - 1; j > 0; --j) {
      x -= later[j] * share(x, j);
    }
    if (i < dofs) {
      search[i] = -x;
    }
    g.sync();
  }

  /// Lane j's x, in all lanes.
  FN_MEMBER real share(real x, int j) const {
    if constexpr (Group::size <= 32) {
      return g.broadcast(x, j);
    } else {
      if (g.lane() == j) {
        Mv[j] = x;  // nobody's at this time
      }
      g.sync();
      return Mv[j];
    }
  }
};
