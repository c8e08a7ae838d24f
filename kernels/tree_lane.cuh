// One tree's problem for a single lane: everything in padded rows of which a compiler makes vector
// code. H = M + J^T W J is kept as lower rows and factored from its last dof to its first, H = L^T
// D L: a dof then meets only those on its way to the root, so zeros between the tree's branches
// stay zeros, and whole rows are skipped.
#pragma once

#include "primal.cuh"
#include "tree_solve.cuh"

constexpr int CHUNK = 8;  // reals that go side by side

constexpr int round_up(int n, int to) { return (n + to - 1) / to * to; }

/// out -= f row over the chunks up to the one that holds entry `last`.
FN void subtract_row(real* RESTRICT out, const real* RESTRICT row, real f, int last) {
  for (int c = 0; c <= last / CHUNK; ++c) {
    for (int k = 0; k < CHUNK; ++k) {
      out[c * CHUNK + k] -= f * row[c * CHUNK + k];
    }
  }
}

/// Up to four rows that are added to the Hessian together.
struct RowBatch {
  const real* row[4];
  real weight[4];
  int count = 0;
};

struct LaneTree {
  static constexpr int PITCH = round_up(NVTREE, CHUNK);
  static constexpr int JROWS =
      NJMAX < 65536 / PITCH ? NJMAX : 65536 / PITCH;  // Jacobian rows kept here
  static constexpr int NVECTOR = NEWTON ? 8 : 10;
  static constexpr int ROW_PITCH = round_up(JROWS, CHUNK);
  static constexpr int MEMORY = (JROWS + 3 * NVTREE + NVECTOR + 4) * PITCH + NVTREE * ROW_PITCH;

  const Model& m;
  const Data& d;
  const Rows& rows;
  int w;
  int dofs;         // of the tree
  int dof0;         // its first
  const real* qLD;  // [dofs][dofs]
  real *J, *M;      // rows of PITCH
  real* JT;         // J transposed, rows of ROW_PITCH
  real *base, *H;   // M + J^T J over the quadratic rows, and the Hessian, which becomes its factor;
                    // rows of PITCH
  bool in_base[NJMAX];  // rows that `base` holds
  bool has_base = false;
  real *qacc, *Ma, *grad, *search, *Mv, *qfrc_smooth, *force, *inverse, *Mgrad, *old_grad,
      *old_Mgrad, *spare;

  FN_MEMBER LaneTree(const Group&, const Model& model, const Data& data, const Rows& island,
                     int world, int tree, real* memory)
      : m(model), d(data), rows(island), w(world) {
    dofs = NV == NTREE * NVTREE ? NVTREE : m.tree_dofnum[tree];
    dof0 = m.tree_dofadr[tree];
    qLD = at_world(d.qLD, w, NMBLOCK) + m.tree_madr[tree];
    J = memory;
    M = J + JROWS * PITCH;
    base = M + NVTREE * PITCH;
    H = base + NVTREE * PITCH;
    real** vectors[] = {&qacc,  &Ma,      &grad,  &search,   &Mv,       &qfrc_smooth,
                        &force, &inverse, &Mgrad, &old_grad, &old_Mgrad};
    for (int i = 0; i < NVECTOR + (NEWTON ? 0 : 1); ++i) {
      *vectors[i] = H + (NVTREE + i) * PITCH;
      for (int k = 0; k < PITCH; ++k) {
        (*vectors[i])[k] = 0;
      }
    }
    spare = H + (NVTREE + NVECTOR + 1) * PITCH;
    JT = spare + 3 * PITCH;
    copy_matrices(at_world(d.qM, w, NMBLOCK) + m.tree_madr[tree]);
  }

  FN_MEMBER int size() const { return NV == NTREE * NVTREE ? PITCH : round_up(dofs, CHUNK); }
  FN_MEMBER const real* global_row(int k) const {
    return at_world(d.efc_J, w, NJMAX * NTREEROW * NVTREE) + rows.row(k) * NTREEROW * NVTREE;
  }

  /// A row of the scaled Jacobian; those beyond JROWS are made in `spare`.
  FN_MEMBER const real* row(int k, real* made) const {
    if (NJMAX > JROWS && k >= JROWS) {
      scale_row(k, made);
      return made;
    }
    return J + k * PITCH;
  }

  FN_MEMBER void scale_row(int k, real* out) const {
    const real* in = global_row(k);
    const real scale = rows.scale[k];
    for (int i = 0; i < dofs; ++i) {
      out[i] = scale * in[i];
    }
    for (int i = dofs; i < size(); ++i) {
      out[i] = 0;
    }
  }

  FN_MEMBER void copy_matrices(const real* qM) {
    for (int i = 0; i < dofs; ++i) {
      for (int k = 0; k < dofs; ++k) {
        M[i * PITCH + k] = qM[i * dofs + k];
      }
      for (int k = dofs; k < size(); ++k) {
        M[i * PITCH + k] = 0;
      }
    }
    const int kept = r_min(rows.count, JROWS);
    for (int k = 0; k < kept; ++k) {
      scale_row(k, J + k * PITCH);
    }
    for (int i = 0; i < dofs; ++i) {
      for (int k = 0; k < kept; ++k) {
        JT[i * ROW_PITCH + k] = J[k * PITCH + i];
      }
    }
  }

  FN_MEMBER void mul_M(const real* RESTRICT v, real* RESTRICT out) const {
    for (int i = 0; i < size(); ++i) {
      out[i] = 0;
    }
    for (int i = 0; i < dofs; ++i) {
      const real f = v[i];
      for (int k = 0; k < size(); ++k) {
        out[k] += f * M[i * PITCH + k];
      }
    }
  }

  FN_MEMBER void mul_J(const real* v, real* RESTRICT out) const {
    const int kept = r_min(rows.count, JROWS);
    for (int k = 0; k < kept; ++k) {
      out[k] = 0;
    }
    for (int i = 0; i < dofs; ++i) {
      const real* RESTRICT column = JT + i * ROW_PITCH;
      const real f = v[i];
      for (int k = 0; k < kept; ++k) {
        out[k] += f * column[k];
      }
    }
    for (int k = kept; k < rows.count; ++k) {
      out[k] = dot_n(Group{}, row(k, spare), v, size());
    }
  }

  FN_MEMBER void mul_JT(const real* f, real* RESTRICT out) const {
    for (int i = 0; i < size(); ++i) {
      out[i] = 0;
    }
    for (int k = 0; k < rows.count; ++k) {
      if (f[k] != 0) {
        const real* RESTRICT values = row(k, spare);
        for (int i = 0; i < size(); ++i) {
          out[i] += f[k] * values[i];
        }
      }
    }
  }

  FN_MEMBER void solve_M(const real* v, real* out) const {
    for (int i = 0; i < dofs; ++i) {
      out[i] = v[i];
    }
    tree_solve(qLD, dofs, out);
  }

  /// out += sum of weight row row^T over the batch.
  FN_MEMBER void flush(RowBatch& batch, real* out) const {
    if (batch.count == 0) {
      return;
    }
    for (int k = batch.count; k < 4; ++k) {
      batch.row[k] = batch.row[0];
      batch.weight[k] = 0;
    }
    const real *RESTRICT a = batch.row[0], *RESTRICT b = batch.row[1], *RESTRICT c = batch.row[2],
                         *RESTRICT e = batch.row[3];
    for (int i = 0; i < dofs; ++i) {
      if (a[i] == 0 && b[i] == 0 && c[i] == 0 && e[i] == 0) {
        continue;
      }
      const real fa = batch.weight[0] * a[i], fb = batch.weight[1] * b[i],
                 fc = batch.weight[2] * c[i], fe = batch.weight[3] * e[i];
      real* RESTRICT h = out + i * PITCH;
      for (int k = 0; k <= i; k += CHUNK) {
        for (int j = k; j < k + CHUNK; ++j) {
          h[j] += (fa * a[j] + fb * b[j]) + (fc * c[j] + fe * e[j]);
        }
      }
    }
    batch.count = 0;
  }

  FN_MEMBER void add(RowBatch& batch, const real* values, real weight, real* out) const {
    batch.row[batch.count] = values;
    batch.weight[batch.count] = weight;
    if (++batch.count == 4) {
      flush(batch, out);
    }
  }

  FN_MEMBER void add_row(RowBatch& batch, int k, real weight, real* out) const {
    add(batch, row(k, spare), weight, out);
    if (NJMAX > JROWS && k >= JROWS) {
      flush(batch, out);  // the row lives in `spare`
    }
  }

  /// The middle zone's Hessian, as rows of one weight each: w, the tangents, and their direction u
  /// taken off again.
  FN_MEMBER void add_cone(RowBatch& batch, int k, int dim, const ConeHessian& cone) const {
    real *normal = spare + PITCH, *along = spare + 2 * PITCH;
    flush(batch, H);
    const real* first = row(k, spare);
    for (int i = 0; i < size(); ++i) {
      normal[i] = first[i];
      along[i] = 0;
    }
    for (int j = 1; j < dim; ++j) {
      const real* tangent = row(k + j, spare);
      const real u = rows.x[k + j] * cone.one_over_t;
      for (int i = 0; i < size(); ++i) {
        along[i] += u * tangent[i];
      }
      add_row(batch, k + j, cone.k * cone.a, H);
    }
    for (int i = 0; i < size(); ++i) {
      normal[i] -= rows.param[k] * along[i];
    }
    add(batch, normal, cone.k, H);
    add(batch, along, -cone.k * cone.a, H);
    flush(batch, H);
  }

  /// Which rows are quadratic now; does any row leave `base`?
  FN_MEMBER bool find_quadratic(bool* quadratic) const {
    bool leaves = false;
    for (int k = 0; k < rows.count; ++k) {
      const int kind = rows.kind[k];
      int dim = 1;
      bool active = false;
      if (ELLIPTIC && kind > ROW_CONE) {
        dim = kind - ROW_CONE;
        active = cone_zone(rows.x[k], r_sqrt(tangent_square(rows.x, k, dim)), rows.param[k]) ==
                 CONE_BOTTOM;
      } else {
        active = is_quadratic(rows, k);
      }
      for (int j = 0; j < dim; ++j) {
        leaves |= in_base[k + j] && !active;
        quadratic[k + j] = active;
      }
      k += dim - 1;
    }
    return leaves;
  }

  /// Brings `base` to the rows' present state: only what has changed, unless float would lose M's
  /// digits by taking off.
  FN_MEMBER void update_base() {
    bool quadratic[NJMAX];
    const bool leaves = has_base && find_quadratic(quadratic);
    if (!has_base || (leaves && sizeof(real) == 4)) {
      for (int i = 0; i < dofs; ++i) {
        for (int k = 0; k <= i; k += CHUNK) {
          for (int j = k; j < k + CHUNK; ++j) {
            base[i * PITCH + j] = M[i * PITCH + j];
          }
        }
      }
      for (int k = 0; k < rows.count; ++k) {
        in_base[k] = false;
      }
      find_quadratic(quadratic);
      has_base = true;
    }
    RowBatch batch;
    for (int k = 0; k < rows.count; ++k) {
      if (quadratic[k] != in_base[k]) {
        add_row(batch, k, quadratic[k] ? real(1) : real(-1), base);
        in_base[k] = quadratic[k];
      }
    }
    flush(batch, base);
  }

  FN_MEMBER void build_hessian() {
    update_base();
    for (int i = 0; i < dofs; ++i) {
      for (int k = 0; k <= i; k += CHUNK) {
        for (int j = k; j < k + CHUNK; ++j) {
          H[i * PITCH + j] = base[i * PITCH + j];
        }
      }
    }
    if constexpr (ELLIPTIC) {
      RowBatch batch;
      for (int k = 0; k < rows.count; ++k) {
        if (rows.kind[k] > ROW_CONE) {
          const int dim = rows.kind[k] - ROW_CONE;
          const real t = r_sqrt(tangent_square(rows.x, k, dim));
          if (cone_zone(rows.x[k], t, rows.param[k]) == CONE_MIDDLE) {
            add_cone(batch, k, dim, cone_hessian(rows.x[k], t, rows.param[k]));
          }
        }
      }
    }
  }

  FN_MEMBER void factor_hessian() {
    for (int j = dofs - 1; j >= 0; --j) {
      const real* pivot = H + j * PITCH;
      inverse[j] = 1 / r_max(MINVAL, pivot[j]);
      for (int i = 0; i < j; ++i) {
        const real f = pivot[i] * inverse[j];
        if (f != 0) {
          subtract_row(H + i * PITCH, pivot, f, i);
        }
      }
    }
  }

  FN_MEMBER void newton_direction() {
    build_hessian();
    factor_hessian();
    real* x = search;
    for (int i = 0; i < dofs; ++i) {
      x[i] = -grad[i];
    }
    for (int j = dofs - 1; j > 0; --j) {
      const real f = x[j] * inverse[j];
      for (int i = 0; i < j; ++i) {
        x[i] -= f * H[j * PITCH + i];
      }
    }
    for (int i = 0; i < dofs; ++i) {
      x[i] = (x[i] - dot_n(Group{}, H + i * PITCH, x, i)) * inverse[i];
    }
  }
};
