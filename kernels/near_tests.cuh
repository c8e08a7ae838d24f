// The tests of the broad phase, cheap to dear: bounding spheres of two geoms, a geom against the
// ball about a body, oriented bounding boxes of two geoms.
//
// What they read most lies in shared memory as one record of 16 bytes a geom or a body, where the
// scene is small enough.
#pragma once

#include "model.cuh"
#include "vec.cuh"

/// Geoms of a pair, whose first is a plane where one is.
struct alignas(2 * sizeof(int)) GeomPair {
  int geom1, geom2;
};

/// Row of Model::pairrun.
struct alignas(4 * sizeof(int)) PairRun {
  int first, count;  // pairs
  int geom, body;
};

/// A bounding sphere in the global frame.
struct alignas(4 * sizeof(real)) Ball {
  real x, y, z, radius;
};

// balls of all geoms, and of all bodies where runs are tested, if they fit beside other warps'
constexpr int NBALL = NGEOM + (NPAIRRUN > 0 ? NBODY : 0);
constexpr bool BALLS_ARE_SHARED = NBALL * int(sizeof(Ball)) <= 6144;

// slack of the box filter, relative to the boxes: it may never lose a pair to rounding
constexpr real BOX_SLACK = real(1e-5);

// slack of the tests of runs, relative to what bounds the geom and the body, and of the body's
// ball, relative to its distance from the origin: a run that they drop has only pairs that the
// tests of pairs, with their rounding, would drop
constexpr real RUN_SLACK = real(3e-5);
constexpr real PLACE_SLACK = real(1e-6);

/// Where a world's geoms and bodies are.
struct Places {
  const real* geom_xpos;  // [NGEOM x 3]
  const real* geom_xmat;  // [NGEOM x 9]
  const real* xpos;       // [NBODY x 3]
  const real* xmat;       // [NBODY x 9]
  Ball* ball;             // [NBALL] geoms', then bodies'; where BALLS_ARE_SHARED
};

FN Ball compute_geom_ball(const Model& m, const Places& at, int geom) {
  const real* p = at.geom_xpos + 3 * geom;
  return Ball{p[0], p[1], p[2], m.geom_rbound[geom]};
}

FN Ball compute_body_ball(const Model& m, const Places& at, int body) {
  const real* local = m.pairrun_ball + 4 * body;
  real p[3];
  mat_vec3(p, at.xmat + 9 * body, local);
  add3(p, p, at.xpos + 3 * body);
  const real far = r_abs(p[0]) + r_abs(p[1]) + r_abs(p[2]);
  return Ball{p[0], p[1], p[2], local[3] + PLACE_SLACK * far};
}

/// Fills `at.ball`; the caller syncs.
FN void compute_balls(Group g, const Model& m, const Places& at) {
  if constexpr (BALLS_ARE_SHARED) {
    NO_UNROLL
    for (int i = g.lane(); i < NGEOM; i += g.size) {
      at.ball[i] = compute_geom_ball(m, at, i);
    }
    NO_UNROLL
    for (int i = g.lane(); i < NBALL - NGEOM; i += g.size) {
      at.ball[NGEOM + i] = compute_body_ball(m, at, i);
    }
  }
}

FN Ball geom_ball(const Model& m, const Places& at, int geom) {
  if constexpr (BALLS_ARE_SHARED) {
    return at.ball[geom];
  } else {
    return compute_geom_ball(m, at, geom);
  }
}

FN Ball body_ball(const Model& m, const Places& at, int body) {
  if constexpr (BALLS_ARE_SHARED) {
    return at.ball[NGEOM + body];
  } else {
    return compute_body_ball(m, at, body);
  }
}

FN GeomPair geom_pair(const Model& m, int pair) {
  return reinterpret_cast<const GeomPair*>(m.geompair_geom)[pair];
}

FN bool spheres_meet(const Model& m, const Places& at, int pair) {
  const GeomPair geoms = geom_pair(m, pair);
  const real reach = m.geompair_reach[pair];
  const Ball one = geom_ball(m, at, geoms.geom1);
  const Ball two = geom_ball(m, at, geoms.geom2);
  const real dx = two.x - one.x;
  const real dy = two.y - one.y;
  const real dz = two.z - one.z;

  // a plane has no bounding sphere: distance of the other's sphere along its normal
  if (pair < NPAIR_PLANE) {
    const real* mat = at.geom_xmat + 9 * geoms.geom1;
    return dx * mat[2] + dy * mat[5] + dz * mat[8] <= reach + two.radius;
  }
  const real bound = one.radius + two.radius + reach;
  return dx * dx + dy * dy + dz * dz <= bound * bound;
}

/// False: the spheres of all pairs of the run are apart.
FN bool run_spheres_meet(const Model& m, const Places& at, int index) {
  const PairRun run = reinterpret_cast<const PairRun*>(m.pairrun)[index];
  const Ball one = geom_ball(m, at, run.geom);
  const Ball two = body_ball(m, at, run.body);
  const real dx = two.x - one.x;
  const real dy = two.y - one.y;
  const real dz = two.z - one.z;
  const real bound = (one.radius + two.radius + m.pairrun_reach[index]) * (1 + RUN_SLACK);
  return dx * dx + dy * dy + dz * dz <= bound * bound;
}

/// False: a face normal of the geom's box separates the boxes of all pairs of the run.
FN bool run_boxes_meet(const Model& m, const Places& at, int index) {
  const PairRun run = reinterpret_cast<const PairRun*>(m.pairrun)[index];
  const real* mat = at.geom_xmat + 9 * run.geom;
  const real* box = m.geom_aabb + 6 * run.geom;
  const Ball ball = body_ball(m, at, run.body);
  const real centre[3] = {ball.x, ball.y, ball.z};
  real gap[3], along[3];
  sub3(gap, centre, at.geom_xpos + 3 * run.geom);
  mat_tvec3(along, mat, gap);
  const real around = ball.radius + m.pairrun_reach[index];
  bool meet = true;
  for (int k = 0; k < 3; ++k) {
    const real bound = (box[3 + k] + around) * (1 + RUN_SLACK);
    meet = meet && r_abs(along[k] - box[k]) <= bound;
  }
  return meet;
}

/// False when one of the six face normals separates the geoms' oriented bounding boxes.
FN bool boxes_meet(const Model& m, const Places& at, int pair) {
  if (pair < NPAIR_PLANE) {
    return true;
  }
  const GeomPair geoms = geom_pair(m, pair);
  const real* mat1 = at.geom_xmat + 9 * geoms.geom1;
  const real* mat2 = at.geom_xmat + 9 * geoms.geom2;
  const real* box1 = m.geom_aabb + 6 * geoms.geom1;
  const real* box2 = m.geom_aabb + 6 * geoms.geom2;

  // from the first centre to the second, along the axes of each box
  real gap[3], turned[3], gap1[3], gap2[3];
  sub3(gap, at.geom_xpos + 3 * geoms.geom2, at.geom_xpos + 3 * geoms.geom1);
  mat_vec3(turned, mat2, box2);
  add3(gap, gap, turned);
  mat_tvec3(gap1, mat1, gap);
  sub3(gap1, gap1, box1);
  mat_vec3(turned, mat1, box1);
  sub3(gap, gap, turned);
  mat_tvec3(gap2, mat2, gap);

  // half widths of both along each axis
  real R[9];
  mat_tmul3(R, mat1, mat2);
  const real reach = m.geompair_reach[pair];
  bool meet = true;
  for (int i = 0; i < 3; ++i) {
    const real radius1 = box1[3 + i] + box2[3] * r_abs(R[3 * i]) + box2[4] * r_abs(R[3 * i + 1]) +
                         box2[5] * r_abs(R[3 * i + 2]) + reach;
    const real radius2 = box2[3 + i] + box1[3] * r_abs(R[i]) + box1[4] * r_abs(R[3 + i]) +
                         box1[5] * r_abs(R[6 + i]) + reach;
    meet = meet && r_abs(gap1[i]) <= radius1 + BOX_SLACK * radius1 &&
           r_abs(gap2[i]) <= radius2 + BOX_SLACK * radius2;
  }
  return meet;
}
