// One tree's problem for a group with a lane for each dof and one to spare (a warp, or two).
// Jacobian rows, scaled, lie in shared memory. H = M + J^T W J is summed in tiles of 4 x 4, one a
// lane, so that a row of J costs a lane two reads of four numbers for sixteen products. Then lane i
// takes row i into registers, and lane `dofs` the gradient as one row more; the Cholesky factor
// goes column by column, each column passed through shared memory, which leaves the forward
// substitution done. Registers need constant indices: that loop is unrolled, and only that one.
#pragma once

#include "primal.cuh"

/// Four numbers that are read at once.
struct alignas(4 * sizeof(real)) Quad {
  real v[4];
};

constexpr int odd_at_least(int n) { return n | 1; }

struct LanesTree {
  static constexpr int N = NVTREE;
  static constexpr int QUADS =
      odd_at_least((N + 1 + 3) / 4);  // odd: lanes that read a row each meet different banks
  static constexpr int PITCH = 4 * QUADS;
  static constexpr int SIDE = (N + 3) / 4;  // tiles along a side of H
  static constexpr int NTILE = SIDE * (SIDE + 1) / 2;
  static constexpr int JROWS =
      NJMAX < 64 ? NJMAX : 64;  // Jacobian rows in shared memory; the others are in L1
  static constexpr int HROWS =
      NEWTON ? 4 * SIDE + 2 : 2;  // the last two are made from a cone's rows
  static constexpr int NVECTOR = NEWTON ? 7 : 10;
  static constexpr bool M_IN_REGISTERS = N <= 40;  // beside them, a lane holds its row of H
  static constexpr int MEMORY = (JROWS + HROWS + NVECTOR) * QUADS;

  const Group& g;
  const Model& m;
  const Data& d;
  const Rows& rows;
  int w;
  int dofs;
  int dof0;
  const real* qM;  // [dofs][dofs]
  const real* qLD;
  real M[M_IN_REGISTERS ? PITCH : 1];  // the lane's row
  Quad* J4;
  Quad* H4;
  real *qacc, *Ma, *grad, *search, *Mv, *qfrc_smooth, *force, *Mgrad, *old_grad, *old_Mgrad;

  FN_MEMBER LanesTree(const Group& group, const Model& model, const Data& data, const Rows& island,
                      int world, int tree, Quad* memory)
      : g(group), m(model), d(data), rows(island), w(world) {
    dofs = NV == NTREE * NVTREE ? NVTREE : m.tree_dofnum[tree];
    dof0 = m.tree_dofadr[tree];
    qM = at_world(d.qM, w, NMBLOCK) + m.tree_madr[tree];
    qLD = at_world(d.qLD, w, NMBLOCK) + m.tree_madr[tree];
    J4 = memory;
    H4 = J4 + JROWS * QUADS;
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
    NO_UNROLL
    for (int i = g.lane(); i < NVECTOR * PITCH; i += g.size) {
      vectors[i] = 0;
    }
    if constexpr (M_IN_REGISTERS) {
      UNROLL
      for (int k = 0; k < PITCH; ++k) {
        M[k] = M_entry(k);
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

  /// Entry k of the lane's row of M; beyond the tree's dofs, of the identity.
  FN_MEMBER real M_entry(int k) const {
    const int i = g.lane();
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
  /// rest being made later.
  FN_MEMBER void weigh_rows() const {
    NO_UNROLL
    for (int k = g.lane(); k < rows.count; k += g.size) {
      const int kind = rows.kind[k];
      if (ELLIPTIC && kind > ROW_CONE) {
        const int dim = kind - ROW_CONE;
        const real t = r_sqrt(tangent_square(rows.x, k, dim)), mu = rows.param[k];
        const ConeZone zone = cone_zone(rows.x[k], t, mu);
        real weight = zone == CONE_BOTTOM ? real(1) : real(0);
        rows.v[k] = zone == CONE_MIDDLE ? real(-1) : weight;  // a mark: below zero
        if (zone == CONE_MIDDLE) {
          const ConeHessian cone = cone_hessian(rows.x[k], t, mu);
          weight = cone.k * cone.a;
        }
        for (int j = 1; j < dim; ++j) {
          rows.v[k + j] = weight;
        }
      } else if (!ELLIPTIC || kind != ROW_CONE_REST) {
        rows.v[k] = is_quadratic(rows, k) ? real(1) : real(0);
      }
    }
    g.sync();
  }

  FN_MEMBER Quad row_quad(int k, int q) const {
    if (NJMAX <= JROWS || k < JROWS) {
      return J4[k * QUADS + q];
    }
    Quad out;
    const real* row = global_row(k);
    for (int r = 0; r < 4; ++r) {
      out.v[r] = 4 * q + r < dofs ? rows.scale[k] * row[4 * q + r] : real(0);
    }
    return out;
  }

  /// The two rows that complete a cone's middle zone: w = (1, -mu u) J and u J, u the tangential
  /// direction.
  FN_MEMBER void make_cone_rows(int k, int dim, const ConeHessian& cone, real mu) const {
    real* made = reinterpret_cast<real*>(H4 + (HROWS - 2) * QUADS);
    g.sync();
    NO_UNROLL
    for (int q = g.lane(); q < SIDE; q += g.size) {
      Quad normal = row_quad(k, q), along{};
      NO_UNROLL
      for (int j = 1; j < dim; ++j) {
        const Quad tangent = row_quad(k + j, q);
        const real u = rows.x[k + j] * cone.one_over_t;
        for (int r = 0; r < 4; ++r) {
          along.v[r] += u * tangent.v[r];
        }
      }
      for (int r = 0; r < 4; ++r) {
        made[4 * q + r] = normal.v[r] - mu * along.v[r];
        made[PITCH + 4 * q + r] = along.v[r];
      }
    }
    g.sync();
  }

  static FN_MEMBER void add_tile(real (&sum)[4][4], const Quad& a, const Quad& b, real weight) {
    for (int p = 0; p < 4; ++p) {
      const real f = ELLIPTIC ? weight * a.v[p] : a.v[p];
      for (int r = 0; r < 4; ++r) {
        sum[p][r] += f * b.v[r];
      }
    }
  }

  /// What the rows begin .. begin + 31 add to a tile. A warp looks at its lanes' rows at once, and
  /// goes through those that count two at a time, so that one's numbers are on their way while the
  /// other's are multiplied. All lanes call it.
  FN_MEMBER void add_rows(real (&sum)[4][4], int begin, int ti, int tj) const {
    const int mine = begin + g.lane() % 32;
    const real weight = mine < rows.count ? rows.v[mine] : real(0);
    unsigned left = g.warp_mask(weight > 0);
    NO_UNROLL
    while (left != 0) {
      const int k = begin + lowest_bit(left);
      left &= left - 1;
      const bool is_pair = left != 0;
      const int other = is_pair ? begin + lowest_bit(left) : k;
      left &= left - 1;
      const Quad a = row_quad(k, ti), b = row_quad(k, tj);
      const Quad c = row_quad(other, ti), e = row_quad(other, tj);
      add_tile(sum, a, b, ELLIPTIC ? rows.v[k] : real(1));
      if (is_pair) {
        add_tile(sum, c, e, ELLIPTIC ? rows.v[other] : real(1));
      }
    }
    if constexpr (ELLIPTIC) {
      NO_UNROLL
      for (unsigned cones = g.warp_mask(weight < 0); cones != 0; cones &= cones - 1) {
        const int k = begin + lowest_bit(cones);
        const int dim = rows.kind[k] - ROW_CONE;
        const real mu = rows.param[k];
        const ConeHessian cone =
            cone_hessian(rows.x[k], r_sqrt(tangent_square(rows.x, k, dim)), mu);
        make_cone_rows(k, dim, cone, mu);
        const Quad* made = H4 + (HROWS - 2) * QUADS;
        add_tile(sum, made[ti], made[tj], cone.k);
        add_tile(sum, made[QUADS + ti], made[QUADS + tj], -cone.k * cone.a);
      }
    }
  }

  /// Sums J^T W J in tiles, into H4's lower part. All lanes call it.
  FN_MEMBER void sum_tiles() const {
    weigh_rows();
    NO_UNROLL
    for (int first = 0; first < NTILE; first += g.size) {
      // the lane's tile: row ti, column tj <= ti
      const int tile = r_min(first + g.lane(), NTILE - 1);
      int ti = 0;
      NO_UNROLL
      while ((ti + 1) * (ti + 2) / 2 <= tile) {
        ++ti;
      }
      const int tj = tile - ti * (ti + 1) / 2;
      real sum[4][4] = {};
      NO_UNROLL
      for (int begin = 0; begin < rows.count; begin += 32) {
        add_rows(sum, begin, ti, tj);
      }
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

  /// Row `lane` of H, behind them the gradient, behind it zeros.
  FN_MEMBER void take_row(real (&h)[PITCH]) const {
    const int i = g.lane();
    for (int k = 0; k < PITCH; ++k) {
      h[k] = 0;
    }
    if (i < N) {
      UNROLL
      for (int q = 0; q < SIDE; ++q) {
        const Quad sum = H4[i * QUADS + q];
        UNROLL
        for (int r = 0; r < 4; ++r) {
          const int k = 4 * q + r;
          h[k] = sum.v[r] + (M_IN_REGISTERS ? M[M_IN_REGISTERS ? k : 0] : M_entry(k));
        }
      }
    } else if (i == N) {
      UNROLL
      for (int k = 0; k < N; ++k) {
        h[k] = grad[k];
      }
    }
    g.sync();
  }

  /// search = -H^-1 grad. All lanes call it.
  FN_MEMBER void newton_direction() const {
    sum_tiles();
    real h[PITCH];
    take_row(h);
    const int i = g.lane();
    real* column = reinterpret_cast<real*>(H4);

    // H = L D L^T, a column at a time; column j, still times D[j], stays in row j of `column`
    UNROLL
    for (int j = 0; j < N; ++j) {
      if (i <= N) {
        column[j * PITCH + i] = h[j];
      }
      g.sync();
      Quad c = H4[j * QUADS + j / 4];
      const real f = r_fast_divide(h[j], r_max(MINVAL, c.v[j % 4]));
      UNROLL
      for (int q = j / 4; q < SIDE; ++q) {
        if (q > j / 4) {
          c = H4[j * QUADS + q];
        }
        UNROLL
        for (int r = 0; r < 4; ++r) {
          if (4 * q + r > j) {
            h[4 * q + r] -= f * c.v[r];
          }
        }
      }
    }

    // back substitution: lane i gathers the later unknowns' part of its own
    real x = 0, inverse = 0;
    if (i < N) {
      UNROLL
      for (int q = 0; q < SIDE; ++q) {
        const Quad c = H4[i * QUADS + q];
        UNROLL
        for (int r = 0; r < 4; ++r) {
          h[4 * q + r] = c.v[r];
        }
      }
      inverse = r_fast_divide(1, r_max(MINVAL, column[i * PITCH + i]));
      x = column[i * PITCH + N] * inverse;
    }
    UNROLL
    for (int j = N - 1; j > 0; --j) {
      const real known = share(x, j);
      x -= i < j ? h[j] * known * inverse : real(0);
    }
    if (i < dofs) {
      search[i] = -x;
    }
    g.sync();
  }

  /// Lane j's x, in all lanes.
  FN_MEMBER real share(real x, int j) const {
    if constexpr (Group::size == 32) {
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
