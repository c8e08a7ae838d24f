// A pair of convex geoms on its way through the kernels of the narrow phase, and what they hand to
// each other: each pair has a place of its own for it, so that no order of threads shows.
#pragma once

#include "ccd.cuh"

constexpr int CCD_CONTACTS =
    4;  // most contacts of a pair; columns of ccd_dist, thirds of ccd_pos and ccd_normal

// pairs of shapes that both have edges, one of them a face
constexpr bool MULTICONTACT = PAIR_CAPSULE_CYLINDER || PAIR_CAPSULE_MESH ||
                              PAIR_CYLINDER_CYLINDER || PAIR_CYLINDER_BOX || PAIR_CYLINDER_MESH ||
                              PAIR_BOX_MESH || PAIR_MESH_MESH;

FN bool is_polyhedron(const Shape& s) { return s.type == GEOM_BOX || s.type == GEOM_MESH; }

FN bool has_edges(const Shape& s) {
  return is_polyhedron(s) || s.type == GEOM_CYLINDER || s.type == GEOM_CAPSULE;
}

FN bool has_faces(const Shape& s) { return is_polyhedron(s) || s.type == GEOM_CYLINDER; }

struct ConvexPair {
  int geom1, geom2;
  long long place;  // among the pairs of all worlds
  real reach;       // margin + gap
  real origin[3];   // of the frame that the shapes are in
  Shape a, b;
};

// the shapes of entry `item` of the world's list; in float about the first one's centre, so that
// digits are not spent on where the pair is
FN void set_pair(const Model& m, const Data& d, int w, int item, ConvexPair& pair) {
  pair.place = static_cast<long long>(w) * NCCDMAX + item;
  const int index = d.ccd_pair[pair.place];
  pair.geom1 = m.geompair_geom[2 * index];
  pair.geom2 = m.geompair_geom[2 * index + 1];
  pair.reach = m.geompair_reach[index];
  NO_UNROLL
  for (int i = 0; i < 2; ++i) {  // one call site
    make_shape(m, d, w, i == 0 ? pair.geom1 : pair.geom2, pair.reach, i == 0 ? pair.a : pair.b);
  }
  scale3(pair.origin, pair.a.pos, SINGLE ? real(1) : real(0));
  sub3(pair.a.pos, pair.a.pos, pair.origin);
  sub3(pair.b.pos, pair.b.pos, pair.origin);
}

// whether several contacts may take the place of one
FN bool may_lie_flat(const Model& m, const ConvexPair& pair) {
  return MULTICONTACT && !(m.opt_disableflags[0] & DSBL_MULTICCD) && has_edges(pair.a) &&
         has_edges(pair.b) && (has_faces(pair.a) || has_faces(pair.b));
}

// columns of ccd_vertex: vertices of the simplex, then for each of the four which one it is of the
// first shape and of the second, then both shapes' latest support vertices
constexpr int CCD_VERTEX_ID = 1;
constexpr int CCD_VERTEX_LATEST = 9;
constexpr int CCD_VERTEX = 13;

FN void save_simplex(const Data& d, const ConvexPair& pair, const Ccd& s) {
  real* point = d.ccd_simplex + 24 * pair.place;
  int* vertex = d.ccd_vertex + CCD_VERTEX * pair.place;
  vertex[0] = s.n;
  NO_UNROLL
  for (int i = 0; i < s.n; ++i) {
    copy3(point + 6 * i, s.simplex[i].a);
    copy3(point + 6 * i + 3, s.simplex[i].b);
    vertex[CCD_VERTEX_ID + 2 * i] = s.simplex[i].ia;
    vertex[CCD_VERTEX_ID + 2 * i + 1] = s.simplex[i].ib;
  }
  vertex[CCD_VERTEX_LATEST] = pair.a.vertex;
  vertex[CCD_VERTEX_LATEST + 1] = pair.a.hull_vertex;
  vertex[CCD_VERTEX_LATEST + 2] = pair.b.vertex;
  vertex[CCD_VERTEX_LATEST + 3] = pair.b.hull_vertex;
}

FN void load_simplex(const Data& d, ConvexPair& pair, Ccd& s) {
  const real* point = d.ccd_simplex + 24 * pair.place;
  const int* vertex = d.ccd_vertex + CCD_VERTEX * pair.place;
  s.n = vertex[0];
  NO_UNROLL
  for (int i = 0; i < s.n; ++i) {
    copy3(s.simplex[i].a, point + 6 * i);
    copy3(s.simplex[i].b, point + 6 * i + 3);
    sub3(s.simplex[i].p, s.simplex[i].a, s.simplex[i].b);
    s.simplex[i].ia = vertex[CCD_VERTEX_ID + 2 * i];
    s.simplex[i].ib = vertex[CCD_VERTEX_ID + 2 * i + 1];
  }
  pair.a.vertex = vertex[CCD_VERTEX_LATEST];
  pair.a.hull_vertex = vertex[CCD_VERTEX_LATEST + 1];
  pair.b.vertex = vertex[CCD_VERTEX_LATEST + 2];
  pair.b.hull_vertex = vertex[CCD_VERTEX_LATEST + 3];
}

// writes contact i of a pair; its position is in the pair's frame
FN void put_pair_contact(const Data& d, const ConvexPair& pair, int i, real dist, const real* pos,
                         const real* normal) {
  const long long at = CCD_CONTACTS * pair.place + i;
  d.ccd_dist[at] = dist;
  add3(d.ccd_pos + 3 * at, pos, pair.origin);
  copy3(d.ccd_normal + 3 * at, normal);
}

// writes the pair's contact; returns what is to become of it: 1, or CCD_FLAT
FN int keep_contact(const Model& m, const Data& d, const ConvexPair& pair, const Ccd& s) {
  real middle[3];
  add3(middle, s.x1, s.x2);
  scale3(middle, middle, real(0.5));
  put_pair_contact(d, pair, 0, pair.reach + s.dist, middle, s.normal);
  if (!may_lie_flat(m, pair)) {
    return 1;
  }
  save_simplex(d, pair, s);
  copy3(d.ccd_witness + 6 * pair.place, s.x1);
  copy3(d.ccd_witness + 6 * pair.place + 3, s.x2);
  return CCD_FLAT;
}

/// Calls work(item) for each of the world's pairs that the stages before left in a state (CCD_DEEP,
/// CCD_FLAT), in order. All lanes call it, and work on one pair together.
template <typename Work>
FN void for_each_left(const Group& g, const Data& d, int w, int state, Work work) {
  const int npair = r_min(d.nccd[w], NCCDMAX);
  const int* found = at_world(d.ccd_ncon, w, NCCDMAX);
  NO_UNROLL
  for (int first = 0; first < npair; first += g.size) {
    const int item = first + g.lane();
    NO_UNROLL
    for (unsigned left = g.warp_mask(item < npair && found[item] == state); left != 0;
         left &= left - 1) {
      work(first + lowest_bit(left));
    }
  }
}
