// Contacts of height fields: the ground under a geom is cut into triangular prisms, and each is a
// convex pair with the geom.
//
// The lanes of a world's group take one prism each; their contacts are appended in the order of the
// prisms.
#include "approach.cuh"
#include "contact.cuh"
#include "epa.cuh"

constexpr int HFIELD_CONTACTS = 50;  // most contacts of a pair, MuJoCo's mjMAXCONPAIR

/// A height field and a geom, in the field's frame.
struct HFieldPair {
  int field;   // which height field
  real reach;  // margin + gap
  Shape geom;
  real low[3];  // the geom's bounding box
  real high[3];
  int row0, column0;  // first cell under the geom
  int nrow, ncolumn;  // cells under the geom
};

// whether the geom's bounding sphere reaches the field's bounding box
FN bool sphere_reaches(const Model& m, const HFieldPair& pair, real radius) {
  const real* size = m.hfield_size + 4 * pair.field;
  for (int i = 0; i < 3; ++i) {
    const real bottom = i == 2 ? size[3] : size[i];
    if (size[i] < pair.geom.pos[i] - radius || -bottom > pair.geom.pos[i] + radius) {
      return false;
    }
  }
  return true;
}

// the geom's bounding box; whether it reaches the field's
FN bool box_reaches(const Model& m, HFieldPair& pair) {
  const real* size = m.hfield_size + 4 * pair.field;
  bool reaches = true;
  NO_UNROLL
  for (int side = 0; side < 6; ++side) {
    const int i = side / 2;
    const real sign = side % 2 == 0 ? real(1) : real(-1);
    const real dir[3] = {i == 0 ? sign : real(0), i == 1 ? sign : real(0), i == 2 ? sign : real(0)};
    real point[3];
    support(pair.geom, dir, point);
    if (side % 2 == 0) {
      pair.high[i] = point[i];
      reaches = reaches && !(point[i] + pair.reach < -(i == 2 ? size[3] : size[i]));
    } else {
      pair.low[i] = point[i];
      reaches = reaches && !(point[i] - pair.reach > size[i]);
    }
  }
  return reaches;
}

// the grid cells that the geom's bounding box covers
FN void find_cells(const Model& m, HFieldPair& pair) {
  for (int i = 0; i < 2; ++i) {
    const real half = m.hfield_size[4 * pair.field + i];
    const int last = (i == 0 ? m.hfield_ncol[pair.field] : m.hfield_nrow[pair.field]) - 1;
    const real from = r_floor((pair.low[i] - pair.reach + half) / (2 * half) * real(last));
    const real to = -r_floor(-((pair.high[i] + pair.reach + half) / (2 * half) * real(last)));
    const int first = from > 0 ? int(from) : 0;
    const int end = to < real(last) ? int(to) : last;
    const int count = end > first ? end - first : 0;
    if (i == 0) {
      pair.column0 = first;
      pair.ncolumn = count;
    } else {
      pair.row0 = first;
      pair.nrow = count;
    }
  }
}

// the pair in the field's frame; returns the number of prisms to try
FN int place_pair(const Model& m, const Data& d, int w, int index, HFieldPair& pair) {
  const int geom1 = m.geompair_geom[2 * index], geom2 = m.geompair_geom[2 * index + 1];
  const real* pos1 = at_world(d.geom_xpos, w, NGEOM * 3) + 3 * geom1;
  const real* mat1 = at_world(d.geom_xmat, w, NGEOM * 9) + 9 * geom1;
  pair.field = m.geom_dataid[geom1];
  pair.reach = m.geompair_reach[index];
  make_shape(m, d, w, geom2, 0, pair.geom);
  real offset[3], mat[9];
  sub3(offset, pair.geom.pos, pos1);
  mat_tvec3(pair.geom.pos, mat1, offset);
  if (!sphere_reaches(m, pair, m.geom_rbound[geom2] + pair.reach)) {
    return 0;
  }
  mat_tmul3(mat, mat1, pair.geom.mat);
  copy9(pair.geom.mat, mat);
  if (!box_reaches(m, pair)) {
    return 0;
  }
  find_cells(m, pair);
  pair.geom.margin = pair.reach;
  return 2 * pair.nrow * pair.ncolumn;
}

// prism `index` under the geom: two a cell, row by row
// returns false: it lies below the geom
FN bool make_prism(const Model& m, const HFieldPair& pair, int index, Shape& prism) {
  const real* size = m.hfield_size + 4 * pair.field;
  const int ncol = m.hfield_ncol[pair.field], nrow = m.hfield_nrow[pair.field];
  const real* height = m.hfield_data + m.hfield_adr[pair.field];
  const real dx = 2 * size[0] / real(ncol - 1), dy = 2 * size[1] / real(nrow - 1);
  const int row = pair.row0 + index / (2 * pair.ncolumn);
  const int in_row = index % (2 * pair.ncolumn);

  // a row is a strip of triangles, its vertices alternating between the upper and the lower grid
  // line
  bool is_high = false;
  NO_UNROLL
  for (int k = 0; k < 3; ++k) {
    const int c = pair.column0 + (in_row + k) / 2;
    const int r = row + 1 - (in_row + k) % 2;
    real* corner = prism.mat + 3 * k;
    set3(corner, dx * real(c) - size[0], dy * real(r) - size[1], height[r * ncol + c] * size[2]);
    is_high = is_high || !(corner[2] + pair.reach < pair.low[2]);
  }
  prism.type = GEOM_HFIELD;
  prism.size[0] = -size[3];
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

// contact of one prism, in the global frame; returns how many, 0 or 1
FN int collide_prism(const Model& m, const Data& d, int w, int index, HFieldPair& pair,
                     int prism_index, Contact& contact) {
  Shape prism;
  if (!make_prism(m, pair, prism_index, prism)) {
    return 0;
  }
  Ccd s;
  set_limits(m, s);
  const int found = approach(prism, pair.geom, s);
  PolytopeRoom room;
  if (found == 0 || (found == CCD_DEEP && !epa(Lane{}, room, prism, pair.geom, s))) {
    return 0;
  }
  const int geom1 = m.geompair_geom[2 * index];
  const real* mat1 = at_world(d.geom_xmat, w, NGEOM * 9) + 9 * geom1;
  real pos[3];
  add3(pos, s.x1, s.x2);
  scale3(pos, pos, real(0.5));
  mat_vec3(contact.pos, mat1, pos);
  add3(contact.pos, contact.pos, at_world(d.geom_xpos, w, NGEOM * 3) + 3 * geom1);
  mat_vec3(contact.normal, mat1, s.normal);
  zero3(contact.tangent);
  contact.dist = pair.reach + s.dist;
  return 1;
}

KERNEL(narrowphase_hfield, 1) {
  const int w = g.world();
  const int npair = r_min(d.nhfieldpair[w], NHFIELDPAIRMAX);
  int end = d.ncon[w];
  g.sync();  // all have read ncon before it is written
  NO_UNROLL
  for (int i = 0; i < npair; ++i) {
    const int index = at_world(d.hfield_pair, w, NHFIELDPAIRMAX)[i];
    HFieldPair pair;
    const int nprism = place_pair(m, d, w, index, pair);

    // a pair's contacts beyond the most it may have are left out, the latest ones first
    int room = HFIELD_CONTACTS;
    NO_UNROLL
    for (int first = 0; first < nprism && room > 0; first += g.size) {
      const int prism = first + g.lane();
      Contact contact;
      const int count = prism < nprism ? collide_prism(m, d, w, index, pair, prism, contact) : 0;
      int total = 0;
      const int place = g.exclusive_scan(count, &total);
      if (count > 0 && place < room) {
        put_contact(m, d, w, end + place, index, contact);
      }
      total = r_min(total, room);
      room -= total;
      end += total;
    }
  }
  if (g.lane() == 0) {
    d.ncon[w] = end;
  }
}
