// Several contacts where two shapes lie flat on each other: a face on a face, or an edge on a face.
//
// Polyhedra have faces and edges where the vertices say so that GJK or EPA ended with; a cylinder
// has its caps, seen as polygons of 16 corners, and the line along its side; a capsule has that
// line only. The face or edge of one is clipped against the face of the other.
//
// Source: MuJoCo 4.0's multi-point contact, by its results: which features count as flat on each
// other, the order in which they are tried, the choice of four points.
#pragma once

#include "clip.cuh"

constexpr int NO_PLACE = 0x7fffffff;

// the pair of faces that look at each other best, the first of equals; false: none do
FN bool find_faces(const Group& g, const Model& m, const ConvexPair& pair, const Feature& f1,
                   const Feature& f2, int* face1, int* face2) {
  real best = -FACE_ALIGNED;
  int place = NO_PLACE;
  NO_UNROLL
  for (int k = g.lane(); k < f1.nface * f2.nface; k += g.size) {
    real n1[3], n2[3];
    face_normal(m, pair.a, f1, face_at(f1, k / f2.nface), n1);
    face_normal(m, pair.b, f2, face_at(f2, k % f2.nface), n2);
    const real cosine = dot3(n1, n2);
    if (cosine < best) {
      best = cosine;
      place = k;
    }
  }
  const real least = g.min(best);
  place = g.min(best == least ? place : NO_PLACE);
  if (place == NO_PLACE) {
    return false;
  }
  *face1 = face_at(f1, place / f2.nface);
  *face2 = face_at(f2, place % f2.nface);
  return true;
}

// the first edge of a feature that lies in a face of the other; false: none does
FN bool find_edge_on_face(const Group& g, const Model& m, const Shape& edged, const Shape& faced,
                          const Feature& edges, const Feature& faces, int* face, real* edge) {
  const int nedge = count_edges(edged, edges);
  int place = NO_PLACE;
  NO_UNROLL
  for (int k = g.lane(); k < faces.nface * nedge && place == NO_PLACE; k += g.size) {
    real normal[3], dir[3];
    face_normal(m, faced, faces, face_at(faces, k / nedge), normal);
    find_edge(m, edged, edges, k % nedge, edge);
    sub3(dir, edge + 3, edge);
    normalize3(dir);
    place = r_abs(dot3(dir, normal)) < EDGE_ALIGNED ? k : NO_PLACE;
  }
  place = g.min(place);
  if (place == NO_PLACE) {
    return false;
  }
  *face = face_at(faces, place / nedge);
  find_edge(m, edged, edges, place % nedge, edge);
  return true;
}

/// Contacts of two shapes that touch with a face or an edge on a face, written to the pair's place.
/// All lanes call it.
/// @param s       what GJK and EPA found: the vertices they ended with in simplex, witnesses,
/// normal
/// @return        contacts found, at most four; 0: nothing lies flat on anything, the single
/// contact stands
FN int multicontact(const Group& g, const Model& m, const Data& d, const ConvexPair& pair,
                    const Ccd& s, Polygons& room) {
  Feature feature[2];
  NO_UNROLL
  for (int i = 0; i < 2; ++i) {
    find_feature(m, s, i, i == 0 ? pair.geom1 : pair.geom2, i == 0 ? pair.a : pair.b, feature[i]);
  }

  // a face on a face, or an edge on a face: the edge of the shape with the smaller feature first
  int face1 = 0, face2 = 0;
  real edge[6];
  const bool is_face = find_faces(g, m, pair, feature[0], feature[1], &face1, &face2);
  int edged = feature[0].dim < 3 && feature[0].dim <= feature[1].dim ? 0 : 1;
  if (!is_face) {
    bool is_found = false;
    NO_UNROLL
    for (int attempt = 0; attempt < 2 && !is_found; ++attempt) {
      edged = attempt == 0 ? edged : 1 - edged;
      is_found = find_edge_on_face(g, m, edged == 0 ? pair.a : pair.b, edged == 0 ? pair.b : pair.a,
                                   feature[edged], feature[1 - edged], &face1, edge);
    }
    if (!is_found) {
      return 0;
    }
  }

  // the face that is clipped against; of a face on a face, the first shape's
  real n1[3], n2[3];
  const int based = is_face ? 0 : 1 - edged;
  const Shape& base_shape = based == 0 ? pair.a : pair.b;
  face_normal(m, base_shape, feature[based], face1, n1);
  const int nbase = count_corners(m, base_shape, feature[based], face1);
  place_face(g, m, base_shape, feature[based], face1, nbase, room.base);
  int nsubject = 2;
  if (is_face) {
    face_normal(m, pair.b, feature[1], face2, n2);
    nsubject = count_corners(m, pair.b, feature[1], face2);
    place_face(g, m, pair.b, feature[1], face2, nsubject, room.subject[0]);
  } else {
    // a capsule's witness has half the margin in it
    const Shape& edged_shape = edged == 0 ? pair.a : pair.b;
    const real lift = edged_shape.type == GEOM_CAPSULE ? real(0.5) * edged_shape.margin : real(0);
    add_scaled3(edge, n1, lift);
    add_scaled3(edge + 3, n1, lift);
    scale3(n2, n1, -1);
    if (g.lane() == 0) {
      copy3(room.subject[0], edge);
      copy3(room.subject[0] + 3, edge + 3);
    }
  }
  g.sync();
  return clip_contacts(g, d, pair, nbase, nsubject, n1, n2, based == 0 ? real(-1) : real(1), room);
}
