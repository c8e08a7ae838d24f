// Placing a geom over a height field: whether they can meet, and over which cells the geom is.
#pragma once

#include "hfield_pair.cuh"
#include "support.cuh"

/// A pair with what holds its geom: a box along its axes, and all points nearer to that than a
/// radius.
struct BoundedPair : HFieldPair {
  real centre[3];
  real half[3];
  real round;
  real apart;  // from here on a distance leaves no doubt that there is no contact
};

/// Bounding box of a geom along the field's axes.
struct Extent {
  real low[3];
  real high[3];
};

// whether the geom's bounding sphere reaches the field's bounding box
FN bool sphere_reaches(const Model& m, const HFieldPair& pair, real radius) {
  const real* size = m.hfield_size + 4 * pair.field;
  for (int i = 0; i < 3; ++i) {
    const real bottom = i == 2 ? size[3] : size[i];
    if (size[i] < pair.pos[i] - radius || -bottom > pair.pos[i] + radius) {
      return false;
    }
  }
  return true;
}

// the geom's bounding box; whether it reaches the field's
FN bool box_reaches(const Model& m, const HFieldPair& pair, Shape& geom, Extent& box) {
  const real* size = m.hfield_size + 4 * pair.field;
  bool reaches = true;
  NO_UNROLL
  for (int side = 0; side < 6; ++side) {
    const int i = side / 2;
    const real sign = side % 2 == 0 ? real(1) : real(-1);
    const real dir[3] = {i == 0 ? sign : real(0), i == 1 ? sign : real(0), i == 2 ? sign : real(0)};
    real point[3];
    support(geom, dir, point);
    if (side % 2 == 0) {
      box.high[i] = point[i];
      reaches = reaches && !(point[i] + pair.reach < -(i == 2 ? size[3] : size[i]));
    } else {
      box.low[i] = point[i];
      reaches = reaches && !(point[i] - pair.reach > size[i]);
    }
  }
  return reaches;
}

// the grid cells that the geom's bounding box covers; returns how many
FN int find_cells(const Model& m, const Extent& box, HFieldPair& pair) {
  int cells = 1;
  NO_UNROLL
  for (int i = 0; i < 2; ++i) {
    const real half = m.hfield_size[4 * pair.field + i];
    const int last = (i == 0 ? m.hfield_ncol[pair.field] : m.hfield_nrow[pair.field]) - 1;
    const real from = r_floor((box.low[i] - pair.reach + half) / (2 * half) * real(last));
    const real to = -r_floor(-((box.high[i] + pair.reach + half) / (2 * half) * real(last)));
    const int first = from > 0 ? int(from) : 0;
    const int end = to < real(last) ? int(to) : last;
    const int count = end > first ? end - first : 0;
    cells *= count;
    if (i == 0) {
      pair.column0 = first;
      pair.ncolumn = count;
    } else {
      pair.row0 = first;
    }
  }
  return cells;
}

// what holds the geom
FN void bound_geom(const Model& m, const Shape& geom, BoundedPair& pair) {
  const real* box = m.geom_aabb + 6 * pair.geom;
  const bool is_sphere = geom.type == GEOM_SPHERE, is_capsule = geom.type == GEOM_CAPSULE;
  mat_vec3(pair.centre, geom.mat, box);
  add3(pair.centre, pair.centre, geom.pos);
  copy3(pair.half, box + 3);
  pair.round = 0;
  if (is_sphere || is_capsule) {
    set3(pair.half, 0, 0, is_capsule ? geom.size[1] : real(0));
    pair.round = geom.size[0];
  }
  const real* size = m.hfield_size + 4 * pair.field;
  pair.apart = pair.reach + 2 * m.opt_ccd_tolerance[0] +
               real(1e-5) * (size[0] + size[1] + size[2] + size[3]);
}

/// Places the pair at an entry of world w's list. @return the number of prisms to try
FN int place_pair(const Model& m, const Data& d, int w, int entry, BoundedPair& pair) {
  set_pair(m, d, w, entry, pair);
  const int field = m.geompair_geom[2 * pair.index];
  const real* field_mat = at_world(d.geom_xmat, w, NGEOM * 9) + 9 * field;
  Shape geom;
  make_shape(m, d, w, pair.geom, 0, geom);
  real offset[3];
  sub3(offset, geom.pos, at_world(d.geom_xpos, w, NGEOM * 3) + 3 * field);
  mat_tvec3(geom.pos, field_mat, offset);
  copy3(pair.pos, geom.pos);
  if (!sphere_reaches(m, pair, m.geom_rbound[pair.geom] + pair.reach)) {
    return 0;
  }
  mat_tmul3(pair.mat, field_mat, geom.mat);
  copy9(geom.mat, pair.mat);
  Extent box;
  if (!box_reaches(m, pair, geom, box)) {
    return 0;
  }
  pair.low = box.low[2];
  pair.vertex = geom.vertex;
  pair.hull_vertex = geom.hull_vertex;
  bound_geom(m, geom, pair);
  return 2 * find_cells(m, box, pair);
}
