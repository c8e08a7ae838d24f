// An island of several trees as the primal solver sees it; see solver_coupled.cu.
// Its dofs are counted 0 .. n-1 in ascending order of the world's; `place_dof` and `dof_place` lead
// from one to the other.
#pragma once

#include "primal.cuh"
#include "tree_solve.cuh"

constexpr int TREE_LIMIT = 63;  // dofs; trees up to that are solver.cu's when they are alone

struct IslandSystem {
  static constexpr int NVECTOR = 10;
  static constexpr bool VECTORS_ON_CHIP = NV <= 256;
  static constexpr bool HESSIAN_ON_CHIP = NEWTON && NHESSIAN == 0;
  static constexpr int COLUMNS =
      Group::size < 32 ? Group::size : 32;             // lanes along a row of a matrix
  static constexpr int LINES = Group::size / COLUMNS;  // and rows at a time

  const Group& g;
  const Model& m;
  const Data& d;
  const Rows& rows;
  int w, root, n;
  int *dof_place, *place_dof;
  real* H;  // entry (i, k), k <= i, at i (i + 1) / 2 + k
  real *qacc, *Ma, *grad, *search, *Mv, *qfrc_smooth, *force, *Mgrad, *old_grad, *old_Mgrad;

  FN_MEMBER IslandSystem(const Group& group, const Model& model, const Data& data,
                         const Rows& island_rows, int lowest, int trees, real* vectors,
                         real* hessian, int* places, int* dofs)
      : g(group),
        m(model),
        d(data),
        rows(island_rows),
        w(group.world()),
        root(lowest),
        n(0),
        dof_place(places),
        place_dof(dofs) {
    if constexpr (!VECTORS_ON_CHIP) {
      vectors = at_world(d.island_vector, w, NVECTOR * NV);
    }
    H = HESSIAN_ON_CHIP ? hessian : at_world(d.island_hessian, w, NHESSIAN);
    real** all[NVECTOR] = {&qacc,        &Ma,    &grad,  &search,   &Mv,
                           &qfrc_smooth, &force, &Mgrad, &old_grad, &old_Mgrad};
    for (int i = 0; i < NVECTOR; ++i) {
      *all[i] = vectors + i * NV;
    }

    // number the island's dofs
    const int* island = at_world(d.tree_island, w, NTREE);
    for (int tree = root; tree < NTREE && trees > 0; ++tree) {
      if (island[tree] != root) {
        continue;
      }
      NO_UNROLL
      for (int i = g.lane(); i < m.tree_dofnum[tree]; i += g.size) {
        place_dof[n + i] = m.tree_dofadr[tree] + i;
        dof_place[m.tree_dofadr[tree] + i] = n + i;
      }
      n += m.tree_dofnum[tree];
      --trees;
    }
    g.sync();
  }

  FN_MEMBER int size() const { return n; }
  FN_MEMBER int dof(int i) const { return place_dof[i]; }
  FN_MEMBER int tree_of(int i) const { return m.dof_treeid[place_dof[i]]; }
  FN_MEMBER int first_of(int tree) const { return dof_place[m.tree_dofadr[tree]]; }
  FN_MEMBER static int packed(int i, int k) { return i * (i + 1) / 2 + k; }

  /// A tree's block of M or of its factor, row-major.
  FN_MEMBER const real* block(const real* blocks, int tree) const {
    return at_world(blocks, w, NMBLOCK) + m.tree_madr[tree];
  }
  FN_MEMBER real M_entry(int i, int k) const {
    const int tree = tree_of(i), first = first_of(tree);
    return block(d.qM, tree)[(i - first) * m.tree_dofnum[tree] + k - first];
  }

  FN_MEMBER const int* row_trees(int k) const {
    return at_world(d.efc_tree, w, NJMAX * NTREEROW) + rows.row(k) * NTREEROW;
  }
  FN_MEMBER const real* row_values(int k, int slot) const {
    return at_world(d.efc_J, w, NJMAX * NTREEROW * NVTREE) +
           (rows.row(k) * NTREEROW + slot) * NVTREE;
  }

  FN_MEMBER void mul_M(const real* v, real* out) const {
    NO_UNROLL
    for (int i = g.lane(); i < n; i += g.size) {
      const int tree = tree_of(i), first = first_of(tree), dofs = m.tree_dofnum[tree];
      const real* M = block(d.qM, tree) + i -
                      first;  // symmetric: down the column, so that lanes read side by side
      real sum = 0;
      NO_UNROLL
      for (int k = 0; k < dofs; ++k) {
        sum += M[k * dofs] * v[first + k];
      }
      out[i] = sum;
    }
  }

  FN_MEMBER void mul_J(const real* v, real* out) const {
    NO_UNROLL
    for (int k = g.lane(); k < rows.count; k += g.size) {
      const int* tree = row_trees(k);
      real sum = 0;
      for (int slot = 0; slot < NTREEROW; ++slot) {
        if (tree[slot] >= 0) {
          const real* values = row_values(k, slot);
          const real* part = v + first_of(tree[slot]);
          NO_UNROLL
          for (int i = 0; i < m.tree_dofnum[tree[slot]]; ++i) {
            sum += values[i] * part[i];
          }
        }
      }
      out[k] = rows.scale[k] * sum;
    }
  }

  FN_MEMBER void mul_JT(const real* f, real* out) const {
    if constexpr (Group::size == 1) {
      for (int i = 0; i < n; ++i) {
        out[i] = 0;
      }
      for (int k = 0; k < rows.count; ++k) {
        add_row(k, rows.scale[k] * f[k], out);
      }
    } else {
      // a lane a dof, over the rows that touch its tree
      NO_UNROLL
      for (int i = g.lane(); i < n; i += g.size) {
        const int tree = tree_of(i), column = i - first_of(tree);
        real sum = 0;
        NO_UNROLL
        for (int k = 0; k < rows.count; ++k) {
          const int* touched = row_trees(k);
          const int slot = touched[0] == tree                              ? 0
                           : NTREEROW > 1 && touched[NTREEROW - 1] == tree ? 1
                                                                           : -1;
          sum += slot < 0 ? real(0) : rows.scale[k] * f[k] * row_values(k, slot)[column];
        }
        out[i] = sum;
      }
    }
  }

  /// out += f J[k]
  FN_MEMBER void add_row(int k, real f, real* RESTRICT out) const {
    const int* tree = row_trees(k);
    for (int slot = 0; slot < NTREEROW && f != 0; ++slot) {
      if (tree[slot] >= 0) {
        const real* values = row_values(k, slot);
        real* part = out + first_of(tree[slot]);
        for (int i = 0; i < m.tree_dofnum[tree[slot]]; ++i) {
          part[i] += f * values[i];
        }
      }
    }
  }

  /// out = M^-1 v. A lane a tree: trees are many or small here.
  FN_MEMBER void solve_M(const real* v, real* out) const {
    NO_UNROLL
    for (int t = g.lane(); t < NTREE; t += g.size) {
      if (at_world(d.tree_island, w, NTREE)[t] != root) {
        continue;
      }
      const int first = first_of(t), dofs = m.tree_dofnum[t];
      NO_UNROLL
      for (int i = 0; i < dofs; ++i) {
        out[first + i] = v[first + i];
      }
      tree_solve(block(d.qLD, t), dofs, out + first);
    }
    g.sync();
  }

  /// H = M + J^T W J. Each entry belongs to one lane throughout, so that no lane waits for another.
  /// All lanes call it.
  FN_MEMBER void build_hessian() const {
    NO_UNROLL
    for (int i = g.lane(); i < packed(n, 0); i += g.size) {
      H[i] = 0;
    }
    g.sync();
    const int line = g.lane() / COLUMNS, lane = g.lane() % COLUMNS;
    NO_UNROLL
    for (int i = line; i < n; i += LINES) {
      const int tree = tree_of(i), first = first_of(tree);
      const real* M = block(d.qM, tree) + (i - first) * m.tree_dofnum[tree] - first;
      NO_UNROLL
      for (int k = own_column(first, lane); k <= i; k += COLUMNS) {
        H[packed(i, k)] = M[k];
      }
    }
    NO_UNROLL
    for (int k = 0; k < rows.count; ++k) {
      const int kind = rows.kind[k];
      real weight[36];
      if (ELLIPTIC && kind > ROW_CONE) {
        const int dim = kind - ROW_CONE;
        if (cone_weights(k, dim, weight)) {
          add_element(k, dim, weight);
        }
      } else if (is_quadratic(rows, k)) {
        weight[0] = rows.scale[k] * rows.scale[k];
        add_element(k, 1, weight);
      }
    }
    g.sync();
  }

  /// First column at or after `first` that belongs to this lane.
  FN_MEMBER static int own_column(int first, int lane) {
    return first + ((lane - first % COLUMNS) + COLUMNS) % COLUMNS;
  }

  /// Hessian of a contact over its unscaled rows, [dim][dim].
  /// @return   false in the top zone, where it is zero
  FN_MEMBER bool cone_weights(int k, int dim, real* weight) const {
    const real mu = rows.param[k];
    const real t = r_sqrt(tangent_square(rows.x, k, dim));
    const ConeZone zone = cone_zone(rows.x[k], t, mu);
    if (zone == CONE_TOP) {
      return false;
    }
    ConeHessian cone{};
    if (zone == CONE_MIDDLE) {
      cone = cone_hessian(rows.x[k], t, mu);
    }
    NO_UNROLL
    for (int a = 0; a < dim; ++a) {
      NO_UNROLL
      for (int b = 0; b < dim; ++b) {
        real h = a == b ? real(1) : real(0);
        if (zone == CONE_MIDDLE) {
          const real wa = a == 0 ? real(1) : -cone.mu_over_t * rows.x[k + a];
          const real wb = b == 0 ? real(1) : -cone.mu_over_t * rows.x[k + b];
          h = wa * wb;
          if (a > 0 && b > 0) {
            const real u = rows.x[k + a] * cone.one_over_t * rows.x[k + b] * cone.one_over_t;
            h += cone.a * ((a == b ? real(1) : real(0)) - u);
          }
          h *= cone.k;
        }
        weight[a * dim + b] = h * rows.scale[k + a] * rows.scale[k + b];
      }
    }
    return true;
  }

  /// H += J^T weight J of `dim` rows from k on.
  FN_MEMBER void add_element(int k, int dim, const real* weight) const {
    const int line = g.lane() / COLUMNS, lane = g.lane() % COLUMNS;
    const int* tree = row_trees(k);
    for (int slot = 0; slot < NTREEROW && tree[slot] >= 0; ++slot) {
      const int first = first_of(tree[slot]);
      const int last = first + m.tree_dofnum[tree[slot]];
      NO_UNROLL
      for (int i = first + ((line - first % LINES) + LINES) % LINES; i < last; i += LINES) {
        // the element's force for a motion of dof i
        real f[6];
        bool any = false;
        NO_UNROLL
        for (int b = 0; b < dim; ++b) {
          f[b] = 0;
          NO_UNROLL
          for (int a = 0; a < dim; ++a) {
            f[b] += weight[a * dim + b] * row_values(k + a, slot)[i - first];
          }
          any |= f[b] != 0;
        }
        if (!any) {
          continue;
        }
        for (int other = 0; other <= slot; ++other) {
          const int begin = first_of(tree[other]);
          const int end = other == slot ? i + 1 : begin + m.tree_dofnum[tree[other]];
          NO_UNROLL
          for (int b = 0; b < dim; ++b) {
            const real* values = row_values(k + b, other) - begin;
            real* h = H + packed(i, 0);
            NO_UNROLL
            for (int c = own_column(begin, lane); c < end; c += COLUMNS) {
              h[c] += f[b] * values[c];
            }
          }
        }
      }
    }
  }

  FN_MEMBER real inverse_pivot(int j) const { return 1 / r_max(MINVAL, H[packed(j, j)]); }

  /// Row j stays times D[j]. All lanes call it.
  FN_MEMBER void factor_hessian() const {
    const int line = g.lane() / COLUMNS, lane = g.lane() % COLUMNS;
    NO_UNROLL
    for (int j = n - 1; j > 0; --j) {
      const real* RESTRICT pivot = H + packed(j, 0);
      const real inverse = inverse_pivot(j);
      NO_UNROLL
      for (int i = line; i < j; i += LINES) {
        const real f = pivot[i] * inverse;
        if (f != 0) {
          real* RESTRICT h = H + packed(i, 0);
          for (int k = lane; k <= i; k += COLUMNS) {
            h[k] -= f * pivot[k];
          }
        }
      }
      g.sync();
    }
  }

  /// search = -H^-1 grad. All lanes call it.
  FN_MEMBER void newton_direction() const {
    build_hessian();
    factor_hessian();
    real* x = search;
    NO_UNROLL
    for (int i = g.lane(); i < n; i += g.size) {
      x[i] = -grad[i];
    }
    g.sync();
    NO_UNROLL
    for (int j = n - 1; j > 0; --j) {
      const real f = x[j] * inverse_pivot(j);
      NO_UNROLL
      for (int i = g.lane(); i < j; i += g.size) {
        x[i] -= f * H[packed(j, i)];
      }
      g.sync();
    }
    if constexpr (Group::size == 1) {
      for (int i = 0; i < n; ++i) {
        x[i] = (x[i] - dot_n(g, H + packed(i, 0), x, i)) * inverse_pivot(i);
      }
    } else {
      NO_UNROLL
      for (int j = 0; j < n; ++j) {
        const real known = x[j] * inverse_pivot(j);
        g.sync();
        NO_UNROLL
        for (int i = j + g.lane(); i < n; i += g.size) {
          x[i] = i == j ? known : x[i] - known * H[packed(i, j)];
        }
        g.sync();
      }
    }
  }
};
