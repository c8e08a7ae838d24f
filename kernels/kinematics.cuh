// Where bodies, geoms and sites are. The maths of the joints runs for all bodies at once, in the
// parents' frames; only the composition of poses goes along the tree.
#pragma once

#include "enums.cuh"
#include "quat.cuh"
#include "workspace.cuh"

/// Moves a body by one joint: `quat`, `pos` is the pose in the parent's frame, `axis_anchor` gets
/// the joint's axis and anchor there, before the joint's own motion.
FN void apply_joint(const Model& m, const real* qpos, int j, real* quat, real* pos,
                    real* axis_anchor) {
  real* axis = axis_anchor;
  real* anchor = axis_anchor + 3;
  const real* q = qpos + m.jnt_qposadr[j];
  quat_rotate(axis, quat, m.jnt_axis + 3 * j);
  quat_rotate(anchor, quat, m.jnt_pos + 3 * j);
  add3(anchor, anchor, pos);

  const int type = m.jnt_type[j];
  if (HAS_SLIDE && type == JNT_SLIDE) {
    add_scaled3(pos, axis, q[0] - m.qpos0[m.jnt_qposadr[j]]);
    return;
  }

  // turn, then move so that the anchor stays where it was
  real turn[4];
  if (HAS_BALL && type == JNT_BALL) {
    copy4(turn, q);
    quat_normalize(turn);
  } else {
    quat_from_axis_angle(turn, m.jnt_axis + 3 * j, q[0] - m.qpos0[m.jnt_qposadr[j]]);
  }
  quat_mul(quat, quat, turn);
  real arm[3];
  quat_rotate(arm, quat, m.jnt_pos + 3 * j);
  sub3(pos, anchor, arm);
}

/// Pose of each body in its parent's frame, with all joints applied; a free body's is already the
/// world's.
FN void local_poses(Group g, const Model& m, const Data& d, int w, const Work& s) {
  const real* qpos = at_world(d.qpos, w, NQ);
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    const int joints = m.body_jntnum[b];
    const int first = m.body_jntadr[b];
    real quat[4], pos[3];
    if (HAS_FREE && joints > 0 && m.jnt_type[first] == JNT_FREE) {
      const real* q = qpos + m.jnt_qposadr[first];
      copy3(pos, q);
      copy4(quat, q + 3);
    } else {
      const int mocap = HAS_MOCAP ? m.body_mocapid[b] : -1;
      if (mocap >= 0) {
        copy3(pos, at_world(d.mocap_pos, w, NMOCAP * 3) + 3 * mocap);
        copy4(quat, at_world(d.mocap_quat, w, NMOCAP * 4) + 4 * mocap);
        quat_normalize(quat);
      } else {
        copy3(pos, m.body_pos + 3 * b);
        copy4(quat, m.body_quat + 4 * b);
      }
      NO_UNROLL
      for (int j = first; j < first + joints; ++j) {
        apply_joint(m, qpos, j, quat, pos, s.cdof + 6 * m.jnt_dofadr[j]);
      }
    }
    quat_normalize(quat);
    copy4(s.pose + POSE * b, quat);
    copy3(s.pose + POSE * b + 4, pos);
  }
  g.sync();
}

/// out = the pose `inner`, given in the frame of the pose `outer`, in the frame that `outer` is
/// given in.
FN void compose_pose(real* quat, real* pos, const real* outer, const real* inner_quat,
                     const real* inner_pos) {
  quat_rotate(pos, outer, inner_pos);
  add3(pos, pos, outer + 4);
  quat_mul(quat, outer, inner_quat);
}

/// Poses relative to the parents become poses in the world, in place: each is composed with that of
/// its parent, then with that of the ancestor that the parent's own reaches to, and so on.
FN void world_poses(Group g, const Model& m, const Work& s) {
  if constexpr (Group::size == 1) {
    for (int b = 1; b < NBODY; ++b) {
      const int parent = m.body_parentid[b];
      if (parent > 0) {
        real* pose = s.pose + POSE * b;
        compose_pose(pose, pose + 4, s.pose + POSE * parent, pose, pose + 4);
        quat_normalize(pose);
      }
    }
  } else {
    begin_walk(g, m, s, 1);
    NO_UNROLL
    for (int round = doublings(NLEVEL - 1); round > 0; --round) {
      // from the last bodies on: ancestors come before, and still have what the last round left
      NO_UNROLL
      for (int first = (NBODY - 1) / g.size * g.size; first >= 0; first -= g.size) {
        const int b = first + g.lane();
        const int above = b < NBODY ? s.above[b] : -1;
        real* pose = s.pose + POSE * b;
        real quat[4], pos[3];
        int next = -1;
        if (above >= 0) {
          next = s.above[above];
          compose_pose(quat, pos, s.pose + POSE * above, pose, pose + 4);
          quat_normalize(quat);
        }
        g.sync();
        if (above >= 0) {
          s.above[b] = next;
          copy4(pose, quat);
          copy3(pose + 4, pos);
        }
        g.sync();
      }
    }
  }
}

/// Writes the bodies' frames, and each body's centre of mass into the first three reals of its
/// record.
FN void body_frames(Group g, const Model& m, const Data& d, int w, const Work& s) {
  real* xpos = at_world(d.xpos, w, NBODY * 3);
  real* xquat = at_world(d.xquat, w, NBODY * 4);
  real* xmat = at_world(d.xmat, w, NBODY * 9);
  real* xipos = at_world(d.xipos, w, NBODY * 3);
  NO_UNROLL
  for (int b = g.lane(); b < NBODY; b += g.size) {
    const real* pose = s.pose + POSE * b;
    real R[9], centre[3];
    quat_to_mat(R, pose);
    mat_vec3(centre, R, m.body_ipos + 3 * b);
    add3(centre, centre, pose + 4);
    copy3(xpos + 3 * b, pose + 4);
    copy4(xquat + 4 * b, pose);
    copy9(xmat + 9 * b, R);
    copy3(xipos + 3 * b, centre);
    copy3(s.body + BODY * b, centre);
  }
}

/// Frames of `count` things fixed to bodies: geoms or sites.
FN void attached_frames(Group g, const Work& s, int count, const int* bodyid, const real* local_pos,
                        const real* local_quat, real* xpos, real* xmat) {
  NO_UNROLL
  for (int i = g.lane(); i < count; i += g.size) {
    real quat[4], pos[3], R[9];
    compose_pose(quat, pos, s.pose + POSE * bodyid[i], local_quat + 4 * i, local_pos + 3 * i);
    quat_to_mat(R, quat);
    copy3(xpos + 3 * i, pos);
    copy9(xmat + 9 * i, R);
  }
}

/// All of it: from qpos and the mocap poses to the frames of bodies, geoms and sites.
FN void kinematics(Group g, const Model& m, const Data& d, int w, const Work& s) {
  local_poses(g, m, d, w, s);
  world_poses(g, m, s);
  body_frames(g, m, d, w, s);
  attached_frames(g, s, NGEOM, m.geom_bodyid, m.geom_pos, m.geom_quat,
                  at_world(d.geom_xpos, w, NGEOM * 3), at_world(d.geom_xmat, w, NGEOM * 9));
  attached_frames(g, s, NSITE, m.site_bodyid, m.site_pos, m.site_quat,
                  at_world(d.site_xpos, w, NSITE * 3), at_world(d.site_xmat, w, NSITE * 9));
  g.sync();
}
