// A geom over a height field: where it is in the field's frame, and the triangular prisms of the
// ground under it, two a cell.
#pragma once

#include "shape.cuh"

/// A height field and a geom, in the field's frame.
struct HFieldPair {
  int index;    // of the geom pair
  int geom;     // the geom that is not the field
  int field;    // which height field
  real reach;   // margin + gap
  real pos[3];  // the geom's place
  real mat[9];  // and its axes as columns
  int vertex;   // its lowest vertex, where searches start; see Shape
  int hull_vertex;
  real low;           // z of its lowest point
  int row0, column0;  // first cell under it
  int ncolumn;        // cells under it in a row
};

// the pair at an entry of world w's list
FN void set_pair(const Model& m, const Data& d, int w, int entry, HFieldPair& pair) {
  pair.index = at_world(d.hfield_pair, w, NHFIELDPAIRMAX)[entry];
  pair.geom = m.geompair_geom[2 * pair.index + 1];
  pair.field = m.geom_dataid[m.geompair_geom[2 * pair.index]];
  pair.reach = m.geompair_reach[pair.index];
}

// keeps where a pair with prisms is for the kernel that collides them
FN void save_pair(const Data& d, int w, int entry, const HFieldPair& pair) {
  const long long at = static_cast<long long>(w) * NHFIELDPAIRMAX + entry;
  copy3(d.hfield_place + 13 * at, pair.pos);
  copy9(d.hfield_place + 13 * at + 3, pair.mat);
  d.hfield_place[13 * at + 12] = pair.low;
  d.hfield_cells[4 * at] = pair.row0;
  d.hfield_cells[4 * at + 1] = pair.column0;
  d.hfield_cells[4 * at + 2] = pair.ncolumn;
  d.hfield_vertex[2 * at] = pair.vertex;
  d.hfield_vertex[2 * at + 1] = pair.hull_vertex;
  d.hfield_found[at] = -1;
}

FN void load_pair(const Model& m, const Data& d, int w, int entry, HFieldPair& pair) {
  const long long at = static_cast<long long>(w) * NHFIELDPAIRMAX + entry;
  set_pair(m, d, w, entry, pair);
  copy3(pair.pos, d.hfield_place + 13 * at);
  copy9(pair.mat, d.hfield_place + 13 * at + 3);
  pair.low = d.hfield_place[13 * at + 12];
  pair.row0 = d.hfield_cells[4 * at];
  pair.column0 = d.hfield_cells[4 * at + 1];
  pair.ncolumn = d.hfield_cells[4 * at + 2];
  pair.vertex = d.hfield_vertex[2 * at];
  pair.hull_vertex = d.hfield_vertex[2 * at + 1];
}

/// The geom of a pair as a shape in the field's frame.
FN void load_geom(const Model& m, const Data& d, int w, const HFieldPair& pair, Shape& geom) {
  make_shape(m, d, w, pair.geom, pair.reach, geom);
  copy3(geom.pos, pair.pos);
  copy9(geom.mat, pair.mat);
  geom.vertex = pair.vertex;
  geom.hull_vertex = pair.hull_vertex;
}

/// Top corners of prism `index` under the geom: two a cell, row by row.
/// @param corner   [9] out
/// @return         false: all are lower than the geom
FN bool find_corners(const Model& m, const HFieldPair& pair, int index, real* corner) {
  const real* size = m.hfield_size + 4 * pair.field;
  const int ncol = m.hfield_ncol[pair.field], nrow = m.hfield_nrow[pair.field];
  const real* height = m.hfield_data + m.hfield_adr[pair.field];
  const real dx = 2 * size[0] / real(ncol - 1), dy = 2 * size[1] / real(nrow - 1);
  const int row = pair.row0 + index / (2 * pair.ncolumn);
  const int in_row = index % (2 * pair.ncolumn);

  // a row is a strip of triangles, its vertices alternating between the upper and the lower grid
  // line
  bool is_high = false;
  UNROLL
  for (int k = 0; k < 3; ++k) {
    const int c = pair.column0 + (in_row + k) / 2;
    const int r = row + 1 - (in_row + k) % 2;
    set3(corner + 3 * k, dx * real(c) - size[0], dy * real(r) - size[1],
         height[r * ncol + c] * size[2]);
    is_high = is_high || !(corner[3 * k + 2] + pair.reach < pair.low);
  }
  return is_high;
}

/// z of the prisms' bottom.
FN real prism_bottom(const Model& m, const HFieldPair& pair) {
  return -m.hfield_size[4 * pair.field + 3];
}

/// Prism `index` as a shape. @return false: all its top is lower than the geom
FN bool make_prism(const Model& m, const HFieldPair& pair, int index, Shape& prism) {
  const bool is_high = find_corners(m, pair, index, prism.mat);
  prism.type = GEOM_HFIELD;
  prism.size[0] = prism_bottom(m, pair);
  prism.margin = pair.reach;
  prism.vertex = -1;

  // centre: the mean of the six corners, bottom ones first
  zero3(prism.pos);
  NO_UNROLL
  for (int k = 0; k < 6; ++k) {
    const real* corner = prism.mat + 3 * (k % 3);
    const real z = k < 3 ? prism.size[0] : corner[2];
    set3(prism.pos, prism.pos[0] + corner[0], prism.pos[1] + corner[1], prism.pos[2] + z);
  }
  scale3(prism.pos, prism.pos, real(1.0 / 6.0));
  return is_high;
}
