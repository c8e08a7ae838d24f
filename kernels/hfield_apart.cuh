// Which prisms of a height field a geom cannot touch: tests for a plane between them. GJK would say
// the same of each, at ten times the cost.
//
// Two convex shapes are apart exactly where a plane separates them. Any direction may be tried: a
// wrong one only fails to spare. Tried are those along which prism and geom are nearest: the top
// triangle's normal; from each of its edges to the nearest point of the geom's axis; and outward
// from the sides under the edges. On g1 over its field, of 106 prisms a world that reach up to the
// geom, 44 are left by the first and 7.5 by all of them; 7.2 touch.
#pragma once

#include "hfield_place.cuh"

/// Whether a plane across `dir` lies between the geom and a prism, far enough from one of them.
/// @param corner   [9] the prism's top
/// @param dir      [3] from the prism to the geom, any length
FN bool separates(const BoundedPair& pair, const real* corner, real bottom, const real* dir) {
  real top = 0;
  for (int k = 0; k < 3; ++k) {
    const real* c = corner + 3 * k;
    const real along = dir[0] * c[0] + dir[1] * c[1] + dir[2] * (dir[2] < 0 ? bottom : c[2]);
    top = k == 0 || along > top ? along : top;
  }
  real low = dot3(dir, pair.centre);
  for (int k = 0; k < 3; ++k) {
    const real* axis = pair.mat + k;
    low -= pair.half[k] * r_abs(dir[0] * axis[0] + dir[1] * axis[3] + dir[2] * axis[6]);
  }
  return low - top > (pair.round + pair.apart) * norm3(dir);
}

/// The plane of the prism's top.
FN bool is_above(const BoundedPair& pair, const real* corner, real bottom) {
  real e1[3], e2[3], normal[3];
  sub3(e1, corner + 3, corner);
  sub3(e2, corner + 6, corner);
  cross3(normal, e1, e2);
  if (normal[2] < 0) {
    scale3(normal, normal, -1);
  }
  return separates(pair, corner, bottom, normal);
}

// from the point of an edge to the point of the geom's third axis that are nearest to each other
FN void nearest_points(const BoundedPair& pair, const real* from, const real* edge, real* dir) {
  real axis[3], offset[3];
  mat_column3(axis, pair.mat, 2);
  sub3(offset, pair.centre, from);
  const real half = pair.half[2];
  const real square = dot3(edge, edge), turn = dot3(axis, edge);
  const real along_axis = dot3(axis, offset), along_edge = dot3(edge, offset);

  // along the axis where the lines are nearest, then along the edge, then along the axis again
  const real spread = square - turn * turn;
  real s = spread > real(1e-6) * square ? (turn * along_edge - square * along_axis) / spread : 0;
  s = r_min(r_max(s, -half), half);
  const real t = r_min(r_max((turn * s + along_edge) / square, real(0)), real(1));
  s = r_min(r_max(turn * t - along_axis, -half), half);
  copy3(dir, offset);
  add_scaled3(dir, axis, s);
  add_scaled3(dir, edge, -t);
}

/// The planes at the prism's edges and sides.
FN bool is_beside(const BoundedPair& pair, const real* corner, real bottom) {
  bool beside = false;
  NO_UNROLL
  for (int side = 0; side < 6; ++side) {
    const real* from = corner + 3 * (side % 3);
    const real* to = corner + 3 * ((side + 1) % 3);
    const real* other = corner + 3 * ((side + 2) % 3);
    real edge[3], dir[3];
    sub3(edge, to, from);
    if (side < 3) {
      nearest_points(pair, from, edge, dir);
    } else {
      set3(dir, -edge[1], edge[0], 0);
      if (dir[0] * (other[0] - from[0]) + dir[1] * (other[1] - from[1]) > 0) {
        scale3(dir, dir, -1);
      }
    }
    beside = beside || separates(pair, corner, bottom, dir);
  }
  return beside;
}
