// A face or an edge of one shape clipped against a face of the other, and the contacts made from
// what is left.
#pragma once

#include "contact.cuh"
#include "feature.cuh"

constexpr int MULTICONTACT_MAX = 4;
constexpr int CAP_CORNERS = 16;  // of the polygon that a cylinder's cap is seen as
constexpr int FACE_CORNERS = SHAPE_CYLINDER && NPOLYGONMAX < CAP_CORNERS ? CAP_CORNERS
                             : NPOLYGONMAX < 4                           ? 4
                                                                         : NPOLYGONMAX;
constexpr int CLIPPED_MAX = 2 * FACE_CORNERS;  // corners of a polygon clipped by another

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
