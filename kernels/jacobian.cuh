// How a body moves with the dofs: columns of the Jacobian of a point, its velocity, and the
// velocity-dependent part of its acceleration. All in the world frame. A dof's motion is about its
// tree's centre of mass (cdof), and so is cvel.
#pragma once

#include "enums.cuh"
#include "model.cuh"
#include "spatial.cuh"

constexpr int NDOFMASK = (NVTREE + 31) >> 5;  // words of a body's dof mask

/// Does dof `column` of the body's tree (counted from the tree's first) move the body?
FN bool moves_body(const Model& m, int body, int column) {
  return (m.body_dofmask[body * NDOFMASK + (column >> 5)] >> (column & 31)) & 1;
}

/// Where spatial vectors of a body's tree are taken: its centre of mass.
FN const real* tree_com(const Model& m, const Data& d, int w, int body) {
  return at_world(d.subtree_com, w, NBODY * 3) + 3 * m.body_rootid[body];
}

/// Velocity of the point `pos` of a tree that moves with the spatial velocity `motion`.
/// @param com      where `motion` is taken
/// @param linear   [3] m/s
FN void point_velocity(const real* motion, const real* com, const real* pos, real* linear) {
  real offset[3];
  sub3(offset, pos, com);
  copy3(linear, motion + 3);
  add_cross3(linear, motion, offset);
}

/// What a body contributes to J-dot v at a point of it: the acceleration that the point has when
/// all joint accelerations are zero, by MuJoCo's formula for connect and weld.
/// @param linear    [3] m/s2
/// @param angular   [3] rad/s2
FN void drift_acceleration(const Model& m, const Data& d, int w, int body, const real* pos,
                           real* linear, real* angular) {
  zero3(linear);
  zero3(angular);
  const real* cvel = at_world(d.cvel, w, NBODY * 6);
  const real* cdof = at_world(d.cdof, w, NV * 6);
  const real* qvel = at_world(d.qvel, w, NV);
  const real* com = tree_com(m, d, w, body);
  real offset[3], speed[3];
  sub3(offset, pos, com);
  point_velocity(cvel + 6 * body, com, pos, speed);

  // from the body to its tree's root
  for (int b = m.body_weldid[body]; b > 0; b = m.body_parentid[b]) {
    real motion[6];  // velocity of what the joint is mounted on: the parent, and the joints before
    copy6(motion, cvel + 6 * m.body_parentid[b]);
    for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
      const int type = m.jnt_type[j];
      const int first = m.jnt_dofadr[j];
      const int ndof = type == JNT_FREE ? 6 : type == JNT_BALL ? 3 : 1;
      for (int k = 0; k < ndof; ++k) {
        // a free joint's translations keep their directions; rotations of a quaternion turn with
        // the whole body
        const real* axis = cdof + 6 * (first + k);
        real dot[6];
        zero6(dot);
        if (type == JNT_BALL || (type == JNT_FREE && k >= 3)) {
          cross_motion(dot, cvel + 6 * b, axis);
        } else if (type != JNT_FREE) {
          cross_motion(dot, motion, axis);
        }
        real column[3];
        copy3(column, dot + 3);
        add_cross3(column, dot, offset);
        add_cross3(column, axis, speed);
        add_scaled3(linear, column, qvel[first + k]);
        add_scaled3(angular, dot, qvel[first + k]);
      }
      for (int k = 0; k < ndof; ++k) {
        add_scaled6(motion, cdof + 6 * (first + k), qvel[first + k]);
      }
    }
  }
}
