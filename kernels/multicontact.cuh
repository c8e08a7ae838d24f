// Several contacts where two shapes lie flat on each other: a face on a face, or an edge on a face.
//
// Polyhedra have faces and edges where the vertices say so that GJK or EPA ended with; a cylinder
// has its caps, seen as polygons of 16 corners, and the line along its side; a capsule has that
// line only. The face or edge of one is clipped against the face of the other.
//
// Source: MuJoCo 4.0's multi-point contact, by its results: which features count as flat on each
// other, the order in which they are tried, the choice of four points.
#pragma once

#include "ccd.cuh"
#include "contact.cuh"

constexpr int MULTICONTACT_MAX = 4;
constexpr real FACE_ALIGNED =
    real(0.996);  // cosine from which two faces count as parallel, about 5.1 degrees
constexpr real EDGE_ALIGNED =
    real(0.0888);                // sine below which an edge lies in a face, about 5.1 degrees
constexpr int CAP_CORNERS = 16;  // of the polygon that a cylinder's cap is seen as
constexpr int FACE_CORNERS = SHAPE_CYLINDER && NPOLYGONMAX < CAP_CORNERS ? CAP_CORNERS
                             : NPOLYGONMAX < 4                           ? 4
                                                                         : NPOLYGONMAX;
constexpr int CLIPPED_MAX = 2 * FACE_CORNERS;  // corners of a polygon clipped by another

FN bool is_polyhedron(const Shape& s) { return s.type == GEOM_BOX || s.type == GEOM_MESH; }

FN bool has_edges(const Shape& s) {
  return is_polyhedron(s) || s.type == GEOM_CYLINDER || s.type == GEOM_CAPSULE;
}

FN bool has_faces(const Shape& s) { return is_polyhedron(s) || s.type == GEOM_CYLINDER; }

/// The part of a shape that it touches the other one with: a corner, an edge or a face.
struct Feature {
  int dim;        // distinct vertices, 1 to 3; 1 for round shapes
  int vertex[3];  // of the mesh, or corner bits of the box
  int polygon0;   // the mesh's first polygon
  real
      point[3];  // in the shape's frame: of a cylinder a point on the rim, of a capsule the witness
  int nface;     // faces the feature is part of
  int face[3];   // the first of them, where `more` is null
  const int* more;  // all of them
};

FN int face_at(const Feature& f, int i) { return f.more != nullptr ? f.more[i] : f.face[i]; }

// distinct vertices first
FN void set_feature(const Ccd& s, int which, const Shape& shape, Feature& f) {
  for (int i = 0; i < 3; ++i) {
    const Vertex& v = s.simplex[i < s.n ? i : 0];
    f.vertex[i] = which == 0 ? v.ia : v.ib;
  }
  const bool same01 = f.vertex[0] == f.vertex[1];
  const bool same2 = f.vertex[2] == f.vertex[0] || f.vertex[2] == f.vertex[1];
  f.dim = same01 ? (same2 ? 1 : 2) : (same2 ? 2 : 3);
  f.vertex[1] = f.vertex[same01 && !same2 ? 2 : 1];
  f.nface = 0;
  f.more = nullptr;

  const real* witness = which == 0 ? s.x1 : s.x2;
  const real* rim = which == 0 ? s.simplex[0].a : s.simplex[0].b;
  real offset[3];
  sub3(offset, shape.type == GEOM_CYLINDER ? rim : witness, shape.pos);
  if (shape.type == GEOM_CAPSULE) {
    add_scaled3(offset, s.normal,
                which == 0 ? real(-0.5) * shape.margin : real(0.5) * shape.margin);
  }
  mat_tvec3(f.point, shape.mat, offset);
}

// vertex of a polyhedron, in the pair's frame
FN_NOINLINE void place_vertex(const Shape& s, int vertex, real* out) {
  if (s.type == GEOM_BOX) {
    const real local[3] = {vertex & 1 ? s.size[0] : -s.size[0], vertex & 2 ? s.size[1] : -s.size[1],
                           vertex & 4 ? s.size[2] : -s.size[2]};
    to_frame(s, local, out);
  } else {
    to_frame(s, s.vert + 3 * vertex, out);
  }
}

/// Outward unit normal of a shape's face; a box's faces are +x -x +y -y +z -z, a cylinder's +z -z.
FN_NOINLINE void face_normal(const Model& m, const Shape& s, const Feature& f, int face,
                             real* normal) {
  if (s.type == GEOM_MESH) {
    mat_vec3(normal, s.mat, m.mesh_polynormal + 3 * (f.polygon0 + face));
  } else {
    mat_column3(normal, s.mat, s.type == GEOM_BOX ? face / 2 : 2);
    scale3(normal, normal, face % 2 == 0 ? real(1) : real(-1));
  }
}

// faces of a box that a feature is part of; a diagonal has none of its own and takes the face the
// direction points at
FN void find_box_faces(const Shape& s, const real* dir, Feature& f) {
  int ones = f.vertex[0], zeros = ~f.vertex[0];
  NO_UNROLL
  for (int i = 1; i < f.dim; ++i) {
    ones &= f.vertex[i];
    zeros &= ~f.vertex[i];
  }
  NO_UNROLL
  for (int axis = 0; axis < 3; ++axis) {
    const bool positive = ones >> axis & 1, negative = zeros >> axis & 1;
    if (positive || negative) {
      f.face[f.nface++] = 2 * axis + (negative ? 1 : 0);
    }
  }
  if (f.nface == 4 - f.dim) {
    return;
  }
  f.nface = 0;
  real local[3];
  mat_tvec3(local, s.mat, dir);
  scale3(local, local, 1 / norm3(local));
  NO_UNROLL
  for (int face = 0; face < 6 && f.nface == 0; ++face) {
    if ((face % 2 == 0 ? local[face / 2] : -local[face / 2]) > FACE_ALIGNED) {
      f.face[f.nface++] = face;
    }
  }
}

// the cap of a cylinder that all vertices lie on
FN void find_cap(const Ccd& s, int which, const Shape& shape, Feature& f) {
  int above = 0;
  NO_UNROLL
  for (int i = 0; i < s.n; ++i) {
    real offset[3];
    sub3(offset, which == 0 ? s.simplex[i].a : s.simplex[i].b, shape.pos);
    const real axis[3] = {shape.mat[2], shape.mat[5], shape.mat[8]};
    above += dot3(offset, axis) > 0 ? 1 : 0;
  }
  if (above == 0 || above == s.n) {
    f.face[f.nface++] = above > 0 ? 0 : 1;
  }
}

// up to two numbers that stand in both lists, in the first one's order
FN int common_faces(const int* list1, int n1, const int* list2, int n2, int* common) {
  int count = 0;
  NO_UNROLL
  for (int i = 0; i < n1; ++i) {
    NO_UNROLL
    for (int j = 0; j < n2 && count < 2; ++j) {
      if (list1[i] == list2[j]) {
        common[count++] = list1[i];
      }
    }
  }
  return count;
}

// faces of a mesh that a feature is part of
FN void find_mesh_faces(const Model& m, int vertex0, Feature& f) {
  const int* adr = m.mesh_polymapadr + vertex0;
  const int* num = m.mesh_polymapnum + vertex0;
  const int* first = m.mesh_polymap + adr[f.vertex[0]];
  f.nface = num[f.vertex[0]];
  if (f.dim == 1) {
    f.more = first;
    return;
  }
  NO_UNROLL
  for (int i = 1; i < f.dim; ++i) {
    int common[2];
    f.nface = common_faces(i == 1 ? first : f.face, f.nface, m.mesh_polymap + adr[f.vertex[i]],
                           num[f.vertex[i]], common);
    f.face[0] = common[0];
    f.face[1] = common[1];
  }
  f.nface = f.dim == 3 && f.nface > 1 ? 1 : f.nface;
}

// edges that leave a feature; a face has none, a cylinder's or capsule's side is one
FN int count_edges(const Shape& s, const Feature& f) {
  return !is_polyhedron(s) ? 1 : f.dim == 2 ? 1 : f.dim == 1 ? f.nface : 0;
}

// the i-th edge, from its start to its end, in the pair's frame
FN void find_edge(const Model& m, const Shape& s, const Feature& f, int i, real* edge) {
  if ((SHAPE_CYLINDER || SHAPE_CAPSULE) && !is_polyhedron(s)) {
    real x = f.point[0], y = f.point[1];
    real z = -s.size[1];
    if (s.type == GEOM_CYLINDER) {
      // from the rim along the side to the other cap
      const real radius = r_sqrt(x * x + y * y);
      const real scale = radius > MINVAL ? s.size[0] / radius : real(0);
      x *= scale;
      y *= scale;
      z = f.point[2] > 0 ? s.size[1] : -s.size[1];
    }
    const real start[3] = {x, y, z}, end[3] = {x, y, -z};
    to_frame(s, start, edge);
    to_frame(s, end, edge + 3);
    return;
  }
  int other = f.vertex[1];
  if (f.dim == 1 && s.type == GEOM_BOX) {
    other = f.vertex[0] ^ 1 << i;
  } else if (f.dim == 1) {
    // the vertex before the corner in the face's polygon
    const int polygon = f.polygon0 + f.more[i];
    const int* corner = m.mesh_polyvert + m.mesh_polyvertadr[polygon];
    const int count = m.mesh_polyvertnum[polygon];
    other = corner[count - 1];
    NO_UNROLL
    for (int k = 0; k + 1 < count && corner[k] != f.vertex[0]; ++k) {
      other = corner[k];
    }
  }
  place_vertex(s, f.vertex[0], edge);
  place_vertex(s, other, edge + 3);
}

/// A convex polygon in the pair's frame: a shape's face, or an edge.
struct Polygon {
  const Shape* shape;
  int count;
  int face;           // box, cylinder: which of its faces; -1: an edge
  const int* corner;  // mesh: vertices of the face; null: others
  real edge[6];       // the two ends
};

FN_NOINLINE void set_face(const Model& m, const Shape& s, const Feature& f, int face, Polygon& p) {
  p.shape = &s;
  p.face = face;
  p.count = s.type == GEOM_CYLINDER ? CAP_CORNERS : 4;
  p.corner = nullptr;
  if (s.type == GEOM_MESH) {
    p.count = m.mesh_polyvertnum[f.polygon0 + face];
    p.corner = m.mesh_polyvert + m.mesh_polyvertadr[f.polygon0 + face];
  }
}

// corner i of a polygon; faces are wound clockwise seen from outside
FN_NOINLINE void polygon_corner(const Polygon& p, int i, real* out) {
  const Shape& s = *p.shape;
  if (p.face < 0) {
    copy3(out, p.edge + 3 * i);
  } else if (SHAPE_CYLINDER && s.type == GEOM_CYLINDER) {
    const real angle = (p.face == 0 ? -2 : 2) * PI / CAP_CORNERS * real(i);
    const real local[3] = {s.size[0] * r_cos(angle), s.size[0] * r_sin(angle),
                           p.face == 0 ? s.size[1] : -s.size[1]};
    to_frame(s, local, out);
  } else if (p.corner != nullptr) {
    place_vertex(s, p.corner[p.count - 1 - i], out);
  } else {
    // corners of each box face, four hexadecimal digits of position bits, the first one lowest
    const unsigned corners[6] = {0x5137, 0x0462, 0x6732, 0x0154, 0x4576, 0x1023};
    place_vertex(s, corners[p.face] >> 4 * i & 15, out);
  }
}

// corners of `in` and of its cut that lie on the inner side of the plane through `on` with the
// given normal
FN int clip(const real* in, int count, const real* on, const real* normal, real* out) {
  const real offset = dot3(normal, on);
  int kept = 0;
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    const real* p = in + 3 * i;
    const real* q = i + 1 < count ? p + 3 : in;
    const real from_p[3] = {p[0] - on[0], p[1] - on[1], p[2] - on[2]};
    const real from_q[3] = {q[0] - on[0], q[1] - on[1], q[2] - on[2]};
    const bool p_inside = dot3(from_p, normal) > -MINVAL;
    const bool q_inside = dot3(from_q, normal) > -MINVAL;
    if (p_inside != q_inside) {
      real edge[3];
      sub3(edge, q, p);
      const real slope = dot3(normal, edge);
      const real t = slope != 0 ? (offset - dot3(normal, p)) / slope : real(-1);
      if (t >= 0 && t <= 1 && kept < CLIPPED_MAX) {
        copy3(out + 3 * kept, p);
        add_scaled3(out + 3 * kept++, edge, t);
      }
    }
    if (q_inside && kept < CLIPPED_MAX) {
      copy3(out + 3 * kept++, q);
    }
  }
  return kept;
}

// twice the area of the quadrilateral of four corners of a polygon
FN_NOINLINE real quad_area(const real* polygon, const int* corner) {
  real d1[3], d2[3], area[3];
  sub3(d1, polygon + 3 * corner[2], polygon + 3 * corner[0]);
  sub3(d2, polygon + 3 * corner[3], polygon + 3 * corner[1]);
  cross3(area, d1, d2);
  return norm3(area);
}

FN int after(int i, int count) { return i + 1 == count ? 0 : i + 1; }

// four corners that span a large area: the first walks once around, the others move on as long as
// the area grows
FN void choose_quad(const real* polygon, int count, int* chosen) {
  int corner[4] = {0, 1, 2, 3};
  real largest = quad_area(polygon, corner);
  NO_UNROLL
  for (; corner[0] < count; ++corner[0]) {
    // the last corner may move; after each of its moves the third, then the second
    int moving = 3;
    NO_UNROLL
    while (moving > 0) {
      const int before = corner[moving];
      corner[moving] = after(before, count);
      const real area = quad_area(polygon, corner);
      if (area > largest) {
        largest = area;
        for (int i = 0; i < 4; ++i) {
          chosen[i] = corner[i];
        }
        moving = moving == 3 ? 2 : moving;
      } else {
        corner[moving] = before;
        moving = moving == 3 ? 0 : moving == 2 ? 1 : 3;
      }
    }
    // the first corner pushes the others on
    for (int i = 1; i < 4 && corner[i] == corner[i - 1]; ++i) {
      corner[i] = after(corner[i], count);
    }
  }
}

// the two corners farthest apart
FN void choose_ends(const real* polygon, int count, int* chosen) {
  chosen[0] = 0;
  chosen[1] = 1;
  real largest = 0;
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    NO_UNROLL
    for (int j = i + 1; j < count; ++j) {
      real edge[3];
      sub3(edge, polygon + 3 * j, polygon + 3 * i);
      const real square = dot3(edge, edge);
      if (square > largest * real(1.001)) {  // of the same point twice, the earlier one
        largest = square;
        chosen[0] = i;
        chosen[1] = j;
      }
    }
  }
}

// clips `subject` to the prism over the face `base` and keeps what is below the face
// returns contacts, at most four: the clipped corners' feet on the face, and those feet's feet on
// the subject's plane, whose normal is `dir`
FN_NOINLINE int clip_contacts(const Polygon& base, const Polygon& subject, const real* base_normal,
                              const real* dir, real normal_sign, real reach, Contact* out) {
  if (base.count < 3) {
    return 0;
  }
  real buffer[2][3 * CLIPPED_MAX];
  int count = subject.count < CLIPPED_MAX ? subject.count : CLIPPED_MAX;
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    polygon_corner(subject, i, buffer[0] + 3 * i);
  }
  int now = 0;
  real first[3];
  polygon_corner(base, 0, first);
  NO_UNROLL
  for (int i = 0; i < base.count; ++i) {
    // the plane through an edge, at right angles to the face
    real corner[3], next[3], above[3], normal[3];
    polygon_corner(base, i, corner);
    polygon_corner(base, after(i, base.count), next);
    add3(above, corner, base_normal);
    sub3(next, next, corner);
    sub3(above, above, corner);
    cross3(normal, next, above);
    normalize3(normal);
    count = clip(buffer[now], count, corner, normal, buffer[1 - now]);
    now = 1 - now;
  }

  // corners farther above the face than the reach make no contact
  real* polygon = buffer[now];
  int below = 0;
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    real from_face[3];
    sub3(from_face, polygon + 3 * i, first);
    if (dot3(from_face, base_normal) <= reach) {
      copy3(polygon + 3 * below++, polygon + 3 * i);
    }
  }

  // at most four, of an edge two
  int chosen[4] = {0, 1, 2, 3};
  if (below > MULTICONTACT_MAX) {
    choose_quad(polygon, below, chosen);
    below = MULTICONTACT_MAX;
  } else if (subject.count == 2 && below > 2) {
    choose_ends(polygon, below, chosen);
    below = 2;
  }
  NO_UNROLL
  for (int i = 0; i < below; ++i) {
    const real* v = polygon + 3 * chosen[i];
    real from_face[3];
    sub3(from_face, v, first);
    const real height = dot3(from_face, base_normal);
    Contact& contact = out[i];
    contact.dist = -height * dot3(base_normal, dir);
    copy3(contact.pos, v);
    add_scaled3(contact.pos, base_normal, -height);
    add_scaled3(contact.pos, dir, real(-0.5) * contact.dist);
    scale3(contact.normal, dir, normal_sign);
    normalize3(contact.normal);
    zero3(contact.tangent);
  }
  return below;
}

// what a shape touches the other one with
FN void find_feature(const Model& m, const Ccd& s, int which, int geom, const Shape& shape,
                     Feature& f) {
  const real sign = which == 0 ? real(1) : real(-1);
  const real dir[3] = {sign * s.normal[0], sign * s.normal[1], sign * s.normal[2]};
  set_feature(s, which, shape, f);
  f.polygon0 = 0;
  if (SHAPE_MESH && shape.type == GEOM_MESH) {
    const int mesh = m.geom_dataid[geom];
    f.polygon0 = m.mesh_polyadr[mesh];
    if (m.mesh_polynum[mesh] > 0) {
      find_mesh_faces(m, m.mesh_vertadr[mesh], f);
    }
  } else if (SHAPE_BOX && shape.type == GEOM_BOX) {
    find_box_faces(shape, dir, f);
  } else {
    f.dim = 1;
    if (SHAPE_CYLINDER && shape.type == GEOM_CYLINDER) {
      find_cap(s, which, shape, f);
    }
  }
}

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
    scale3(n2, n1, -1);
    subject.count = 2;
    subject.face = -1;
  }
  return clip_contacts(base, subject, n1, n2, based == 0 ? real(-1) : real(1), reach, out);
}
