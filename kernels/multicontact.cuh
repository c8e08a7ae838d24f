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

// the pair of faces that look at each other best; false: none do
FN bool find_faces(const Model& m, const Shape& a, const Shape& b, const Feature& f1,
                   const Feature& f2, int* face1, int* face2) {
  real best = -FACE_ALIGNED;
  bool is_found = false;
  NO_UNROLL
  for (int i = 0; i < f1.nface; ++i) {
    real n1[3], n2[3];
    face_normal(m, a, f1, face_at(f1, i), n1);
    NO_UNROLL
    for (int j = 0; j < f2.nface; ++j) {
      face_normal(m, b, f2, face_at(f2, j), n2);
      const real cosine = dot3(n1, n2);
      if (cosine < best) {
        best = cosine;
        *face1 = face_at(f1, i);
        *face2 = face_at(f2, j);
        is_found = true;
      }
    }
  }
  return is_found;
}

// the first edge of a feature that lies in a face of the other; false: none does
FN bool find_edge_on_face(const Model& m, const Shape& edged, const Shape& faced,
                          const Feature& edges, const Feature& faces, int* face, real* edge) {
  NO_UNROLL
  for (int j = 0; j < faces.nface; ++j) {
    real normal[3];
    face_normal(m, faced, faces, face_at(faces, j), normal);
    NO_UNROLL
    for (int i = 0; i < count_edges(edged, edges); ++i) {
      real dir[3];
      find_edge(m, edged, edges, i, edge);
      sub3(dir, edge + 3, edge);
      normalize3(dir);
      if (r_abs(dot3(dir, normal)) < EDGE_ALIGNED) {
        *face = face_at(faces, j);
        return true;
      }
    }
  }
  return false;
}

/// Contacts of two shapes that touch with a face or an edge on a face.
/// @param s       what GJK and EPA found: the vertices they ended with in simplex, witnesses,
/// normal
/// @param reach   metres between the faces up to which there is a contact
/// @param out     [4]
/// @return        contacts found; 0: nothing lies flat on anything, the single contact stands
FN_NOINLINE int multicontact(const Model& m, int geom1, int geom2, const Shape& a, const Shape& b,
                             const Ccd& s, real reach, Contact* out) {
  Feature feature[2];
  NO_UNROLL
  for (int i = 0; i < 2; ++i) {
    find_feature(m, s, i, i == 0 ? geom1 : geom2, i == 0 ? a : b, feature[i]);
  }

  // a face on a face, or an edge on a face: the edge of the shape with the smaller feature first
  Polygon base, subject;
  int face1 = 0, face2 = 0;
  const bool is_face = find_faces(m, a, b, feature[0], feature[1], &face1, &face2);
  int edged = feature[0].dim < 3 && feature[0].dim <= feature[1].dim ? 0 : 1;
  if (!is_face) {
    bool is_found = false;
    NO_UNROLL
    for (int attempt = 0; attempt < 2 && !is_found; ++attempt) {
      edged = attempt == 0 ? edged : 1 - edged;
      is_found = find_edge_on_face(m, edged == 0 ? a : b, edged == 0 ? b : a, feature[edged],
                                   feature[1 - edged], &face1, subject.edge);
    }
    if (!is_found) {
      return 0;
    }
  }

  real n1[3], n2[3];
  const int based = is_face ? 0 : 1 - edged;
  const Shape& base_shape = based == 0 ? a : b;
  face_normal(m, base_shape, feature[based], face1, n1);
  set_face(m, base_shape, feature[based], face1, base);
  if (is_face) {
    face_normal(m, b, feature[1], face2, n2);
    set_face(m, b, feature[1], face2, subject);
  } else {
    // a capsule's witness has half the margin in it
    const Shape& edged_shape = edged == 0 ? a : b;
    const real lift = edged_shape.type == GEOM_CAPSULE ? real(0.5) * edged_shape.margin : real(0);
    add_scaled3(subject.edge, n1, lift);
    add_scaled3(subject.edge + 3, n1, lift);
    scale3(n2, n1, -1);
    subject.count = 2;
    subject.face = -1;
  }
  return clip_contacts(base, subject, n1, n2, based == 0 ? real(-1) : real(1), reach, out);
}
