// Inertias and joint motions about the centres of mass of the trees, and the joint-space inertia
// matrix.
#pragma once

#include "kinematics.cuh"
#include "spatial.cuh"

/// Centre of mass of everything below each top-level body, into s.com at that body; `s.body` holds
/// the bodies' centres. Bodies are in depth-first order: a top-level body's subtree ends where the
/// next one begins.
FN void root_centres(Group g, const Model& m, const Work& s) {
  if constexpr (NLEVEL < 2) {
    return;
  }
  const int* root = m.level_body + 1;
  const int count = NBODY > 1 ? m.level_num[1] : 0;
  NO_UNROLL
  for (int t = g.lane(); t < 3 * count; t += g.size) {
    const int b = root[t / 3];
    const int end = t / 3 + 1 < count ? root[t / 3 + 1] : NBODY;
    const int c = t % 3;
    const real mass = m.body_subtreemass[b];
    real sum = 0;
    for (int i = b; i < end; ++i) {
      sum += m.body_mass[i] * s.body[BODY * i + c];
    }
    s.com[3 * b + c] = mass < MINVAL ? s.body[BODY * b + c] : sum / mass;
  }
  g.sync();
}

/// Inertia of each body about its root's centre of mass, into the bodies' records, whose wrench is
/// cleared.
FN void body_inertias(Group g, const Model& m, const Data& d, int w, const Work& s) {
  real* ximat = at_world(d.ximat, w, NBODY * 9);
  real* cinert = d.cinert == nullptr ? nullptr : at_world(d.cinert, w, NBODY * 10);
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    real* record = s.body + BODY * b;
    real quat[4], R[9], offset[3];
    quat_mul(quat, s.pose + POSE * b, m.body_iquat + 4 * b);
    quat_to_mat(R, quat);
    copy9(ximat + 9 * b, R);
    sub3(offset, record, s.com + 3 * m.body_rootid[b]);
    inertia_about(record, m.body_inertia + 3 * b, R, offset, m.body_mass[b]);
    zero6(record + WRENCH);
    if (b == 0) {
      for (int c = 0; c < WRENCH; ++c) {
        record[c] = 0;
      }
    }
    if (cinert != nullptr) {
      for (int c = 0; c < WRENCH; ++c) {
        cinert[10 * b + c] = record[c];
      }
    }
  }
}

/// Three rotations about the body's own axes through a point that is `offset` before the centre of
/// mass.
FN void ball_motions(real* cdof, const real* quat, const real* offset) {
  real R[9];
  quat_to_mat(R, quat);
  for (int k = 0; k < 3; ++k) {
    mat_column3(cdof + 6 * k, R, k);
    cross3(cdof + 6 * k + 3, cdof + 6 * k, offset);
  }
}

/// Motion of each dof at unit speed, about the root's centre of mass; replaces the axes and anchors
/// that s.cdof holds.
FN void joint_motions(Group g, const Model& m, const Data& d, int w, const Work& s) {
  NO_UNROLL
  for (int j = g.lane(); j < NJNT; j += g.size) {
    const int b = m.jnt_bodyid[j];
    const int type = m.jnt_type[j];
    const real* pose = s.pose + POSE * b;
    real* cdof = s.cdof + 6 * m.jnt_dofadr[j];
    real axis[3], anchor[3], offset[3];
    if (HAS_FREE && type == JNT_FREE) {
      copy3(axis, m.jnt_axis + 3 * j);
      copy3(anchor, pose + 4);
    } else {
      const real* parent = s.pose + POSE * m.body_parentid[b];
      quat_rotate(axis, parent, cdof);
      quat_rotate(anchor, parent, cdof + 3);
      add3(anchor, anchor, parent + 4);
    }
    sub3(offset, s.com + 3 * m.body_rootid[b], anchor);

    if (HAS_FREE && type == JNT_FREE) {
      for (int k = 0; k < 18; ++k) {
        cdof[k] = 0;
      }
      cdof[3] = cdof[10] = cdof[17] = 1;
      ball_motions(cdof + 18, pose, offset);
    } else if (HAS_BALL && type == JNT_BALL) {
      ball_motions(cdof, pose, offset);
    } else if (HAS_SLIDE && type == JNT_SLIDE) {
      zero3(cdof);
      copy3(cdof + 3, axis);
    } else {
      copy3(cdof, axis);
      cross3(cdof + 3, axis, offset);
    }

    if (d.xanchor != nullptr) {
      copy3(at_world(d.xanchor, w, NJNT * 3) + 3 * j, anchor);
      copy3(at_world(d.xaxis, w, NJNT * 3) + 3 * j, axis);
    }
  }
  g.sync();

  real* cdof = at_world(d.cdof, w, NV * 6);
  NO_UNROLL
  for (int i = g.lane(); i < NV * 6; i += g.size) {
    cdof[i] = s.cdof[i];
  }
}

/// Centre of mass of each subtree, from the composite inertias: their offset is mass times its
/// distance from the root's.
FN void subtree_centres(Group g, const Model& m, const Data& d, int w, const Work& s) {
  real* out = at_world(d.subtree_com, w, NBODY * 3);
  const real* xipos = at_world(d.xipos, w, NBODY * 3);
  NO_UNROLL
  for (int b = 1 + g.lane(); b < NBODY; b += g.size) {
    if (m.body_subtreemass[b] < MINVAL) {
      copy3(out + 3 * b, xipos + 3 * b);
    } else {
      copy3(out + 3 * b, s.com + 3 * m.body_rootid[b]);
      add_scaled3(out + 3 * b, s.body + BODY * b + 6, 1 / m.body_subtreemass[b]);
    }
  }

  // the world: the mean of the top-level bodies
  NO_UNROLL
  for (int c = g.lane(); c < 3; c += g.size) {
    const int count = NLEVEL > 1 ? m.level_num[1] : 0;
    real sum = 0;
    NO_UNROLL
    for (int i = 0; i < count; ++i) {
      const int b = m.level_body[1 + i];
      sum += m.body_subtreemass[b] * s.com[3 * b + c];
    }
    out[c] = m.body_subtreemass[0] < MINVAL ? real(0) : sum / m.body_subtreemass[0];
  }

  if (d.crb != nullptr) {
    real* crb = at_world(d.crb, w, NBODY * 10);
    NO_UNROLL
    for (int i = g.lane(); i < NBODY * 10; i += g.size) {
      crb[i] = s.body[BODY * (i / 10) + i % 10];
    }
  }
}

/// Row i of a tree's block up to the diagonal, in whole vectors over all columns, for the CPU:
/// `motion` is cdof with the dofs of the tree side by side, [6][STRIDE]. What belongs to dofs that
/// do not move i is not to be used.
template <int STRIDE>
FN void inertia_row(const real* RESTRICT momentum, const real* RESTRICT motion, int columns,
                    real* RESTRICT row) {
  constexpr int pack = 8;
  NO_UNROLL
  for (int j = 0; j < columns; j += pack) {
    UNROLL
    for (int c = j; c < j + pack; ++c) {
      row[c] = (momentum[0] * motion[c] + momentum[1] * motion[STRIDE + c]) +
               (momentum[2] * motion[2 * STRIDE + c] + momentum[3] * motion[3 * STRIDE + c]) +
               (momentum[4] * motion[4 * STRIDE + c] + momentum[5] * motion[5 * STRIDE + c]);
    }
  }
}

/// Entries of the matrices that are not zero, one lane's way.
FN void inertia_entries_alone(const Model& m, const Work& s) {
  constexpr int stride = (NVTREE + 15) / 8 * 8;
  real motion[6 * stride], row[stride];
  for (int t = 0; t < NTREE; ++t) {
    const int n = m.tree_dofnum[t];
    const int first = m.tree_dofadr[t];
    real* RESTRICT block = s.qM + m.tree_madr[t];
    for (int c = 0; c < 6; ++c) {
      for (int j = 0; j < stride; ++j) {
        motion[c * stride + j] = j < n ? s.cdof[6 * (first + j) + c] : real(0);
      }
    }
    for (int i = 0; i < n; ++i) {
      real momentum[6];
      inertia_mul(momentum, s.body + BODY * m.dof_bodyid[first + i], s.cdof + 6 * (first + i));
      inertia_row<stride>(momentum, motion, i + 1, row);
      s.diagonal[first + i] = block[i * (n + 1)] = row[i] + m.dof_armature[first + i];
      NO_UNROLL
      for (int j = m.dof_parentid[first + i] - first; j >= 0;
           j = m.dof_parentid[first + j] - first) {
        block[i * n + j] = block[j * n + i] = row[j];
      }
    }
  }
}

/// Entries that are not zero of the matrices of the dofs from `begin` to `end`, each lane's dofs by
/// itself; the first of the matrices begins at `origin` of qM.
FN void inertia_entries(Group g, const Model& m, const Work& s, int begin, int end, int origin) {
  NO_UNROLL
  for (int i = begin + g.lane(); i < end; i += g.size) {
    const TreeBlock at = tree_block(m, NTREE == 1 ? 0 : m.dof_treeid[i]);
    real* block = s.qM + at.madr - origin;
    real momentum[6];
    inertia_mul(momentum, s.body + BODY * m.dof_bodyid[i], s.cdof + 6 * i);

    const real diagonal = m.dof_armature[i] + dot6(momentum, s.cdof + 6 * i);
    s.diagonal[i] = diagonal;
    real* row = block + (i - at.first) * at.n;
    real* column = block + i - at.first;
    row[i - at.first] = diagonal;
    NO_UNROLL
    for (int j = m.dof_parentid[i]; j >= 0; j = m.dof_parentid[j]) {
      const real value = dot6(momentum, s.cdof + 6 * j);
      row[j - at.first] = value;
      column[(j - at.first) * at.n] = value;
    }
  }
}

/// The inertia matrices of the trees from `tree` to `end` into s.qM and d.qM, their diagonals into
/// s.diagonal. An entry is not zero only where one of the two dofs moves the other. Poses and
/// velocities are lost: s.qM takes their place.
FN void inertia_matrices(Group g, const Model& m, const Data& d, int w, const Work& s, int tree,
                         int end) {
  const TreeBlock first = tree_block(m, tree);
  const TreeBlock last = tree_block(m, end - 1);
  const int count = last.madr + last.n * last.n - first.madr;
  UNROLL_BY_8
  for (int i = g.lane(); i < count; i += g.size) {
    s.qM[i] = 0;
  }
  g.sync();
  if constexpr (Group::size == 1) {
    inertia_entries_alone(m, s);
  } else {
    inertia_entries(g, m, s, first.first, last.first + last.n, first.madr);
  }
  g.sync();

  real* qM = at_world(d.qM, w, NMBLOCK) + first.madr;
  UNROLL_BY_8
  for (int i = g.lane(); i < count; i += g.size) {
    qM[i] = s.qM[i];
  }
}
