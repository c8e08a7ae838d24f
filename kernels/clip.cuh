// A face or an edge of one shape clipped against a face of the other, and the contacts made from
// what is left. The lanes of a group take a corner or an edge each; polygons lie in memory that
// they share.
#pragma once

#include "feature.cuh"

constexpr int MULTICONTACT_MAX = 4;
constexpr int CAP_CORNERS = 16;  // of the polygon that a cylinder's cap is seen as
constexpr int FACE_CORNERS = SHAPE_CYLINDER && NPOLYGONMAX < CAP_CORNERS ? CAP_CORNERS
                             : NPOLYGONMAX < 4                           ? 4
                                                                         : NPOLYGONMAX;
constexpr int CLIPPED_MAX = 2 * FACE_CORNERS;  // corners of a polygon clipped by another

/// Polygons in the pair's frame, three reals a corner.
struct Polygons {
  real base[3 * FACE_CORNERS];       // the face that is clipped against
  real side[3 * FACE_CORNERS];       // inward normals of the planes through its edges
  real subject[2][3 * CLIPPED_MAX];  // what is clipped, before and after a plane
};

FN int count_corners(const Model& m, const Shape& s, const Feature& f, int face) {
  return s.type == GEOM_MESH       ? m.mesh_polyvertnum[f.polygon0 + face]
         : s.type == GEOM_CYLINDER ? CAP_CORNERS
                                   : 4;
}

// the corners of a shape's face, wound clockwise seen from outside; the caller's next sync makes
// them seen
FN_NOINLINE void place_face(const Group& g, const Model& m, const Shape& s, const Feature& f,
                            int face, int count, real* out) {
  NO_UNROLL
  for (int i = g.lane(); i < count; i += g.size) {
    real* corner = out + 3 * i;
    if (SHAPE_CYLINDER && s.type == GEOM_CYLINDER) {
      const real angle = (face == 0 ? -2 : 2) * PI / CAP_CORNERS * real(i);
      real sine, cosine;
      r_sincos(angle, &sine, &cosine);
      const real local[3] = {s.size[0] * cosine, s.size[0] * sine,
                             face == 0 ? s.size[1] : -s.size[1]};
      to_frame(s, local, corner);
    } else {
      // corners of each box face, four hexadecimal digits of position bits, the first one lowest
      const unsigned corners[6] = {0x5137, 0x0462, 0x6732, 0x0154, 0x4576, 0x1023};
      const int vertex =
          s.type == GEOM_MESH
              ? m.mesh_polyvert[m.mesh_polyvertadr[f.polygon0 + face] + count - 1 - i]
              : int(corners[face] >> 4 * i & 15);
      place_vertex(s, vertex, corner);
    }
  }
}

FN int after(int i, int count) { return i + 1 == count ? 0 : i + 1; }

// the planes through the edges of the base, at right angles to it
FN void place_sides(const Group& g, int count, const real* face_normal, Polygons& room) {
  NO_UNROLL
  for (int i = g.lane(); i < count; i += g.size) {
    const real* corner = room.base + 3 * i;
    real next[3], above[3], normal[3];
    add3(above, corner, face_normal);
    sub3(next, room.base + 3 * after(i, count), corner);
    sub3(above, above, corner);
    cross3(normal, next, above);
    normalize3(normal);
    copy3(room.side + 3 * i, normal);
  }
}

// corners of `in` and of its cut that lie on the inner side of the plane through `on` with the
// given normal; returns their number
FN_NOINLINE int clip(const Group& g, const real* in, int count, const real* on, const real* normal,
                     real* out) {
  const real offset = dot3(normal, on);
  int kept = 0;
  NO_UNROLL
  for (int first = 0; first < count; first += g.size) {
    // an edge gives the point where it is cut, and its end
    const int i = first + g.lane();
    real cut[3], q[3];
    bool has_cut = false, has_end = false;
    if (i < count) {
      const real* p = in + 3 * i;
      copy3(q, i + 1 < count ? p + 3 : in);
      const real from_p[3] = {p[0] - on[0], p[1] - on[1], p[2] - on[2]};
      const real from_q[3] = {q[0] - on[0], q[1] - on[1], q[2] - on[2]};
      const bool p_inside = dot3(from_p, normal) > -MINVAL;
      has_end = dot3(from_q, normal) > -MINVAL;
      if (p_inside != has_end) {
        real edge[3];
        sub3(edge, q, p);
        const real slope = dot3(normal, edge);
        const real t = slope != 0 ? (offset - dot3(normal, p)) / slope : real(-1);
        has_cut = t >= 0 && t <= 1;
        copy3(cut, p);
        add_scaled3(cut, edge, t);
      }
    }
    int total = 0;
    int at = kept + g.exclusive_scan((has_cut ? 1 : 0) + (has_end ? 1 : 0), &total);
    if (has_cut && at < CLIPPED_MAX) {
      copy3(out + 3 * at, cut);
    }
    at += has_cut ? 1 : 0;
    if (has_end && at < CLIPPED_MAX) {
      copy3(out + 3 * at, q);
    }
    kept = r_min(kept + total, CLIPPED_MAX);
  }
  g.sync();
  return kept;
}

// the corners that are no farther above a face than `reach`; returns their number
FN int keep_below(const Group& g, const real* in, int count, const real* on, const real* normal,
                  real reach, real* out) {
  int kept = 0;
  NO_UNROLL
  for (int first = 0; first < count; first += g.size) {
    const int i = first + g.lane();
    real from_face[3];
    bool is_below = false;
    if (i < count) {
      sub3(from_face, in + 3 * i, on);
      is_below = dot3(from_face, normal) <= reach;
    }
    int total = 0;
    const int at = kept + g.exclusive_scan(is_below ? 1 : 0, &total);
    if (is_below) {
      copy3(out + 3 * at, in + 3 * i);
    }
    kept += total;
  }
  g.sync();
  return kept;
}

/// A corner of a quadrilateral: which one of the polygon, and where.
struct QuadCorner {
  int i;
  real x[3];
};

FN void set_corner(const real* polygon, int i, QuadCorner& corner) {
  corner.i = i;
  copy3(corner.x, polygon + 3 * i);
}

// square of twice the area of the quadrilateral, in which one corner is replaced by `moved`
FN real quad_square(const QuadCorner* corner, int moving, const QuadCorner& moved) {
  real d1[3], d2[3], area[3];
  sub3(d1, moving == 2 ? moved.x : corner[2].x, corner[0].x);
  sub3(d2, moving == 3 ? moved.x : corner[3].x, moving == 1 ? moved.x : corner[1].x);
  cross3(area, d1, d2);
  return dot3(area, area);
}

// four corners that span a large area: the first walks once around, the others move on as long as
// the area grows
FN_NOINLINE void choose_quad(const real* polygon, int count, int* chosen) {
  QuadCorner corner[4], moved;
  for (int i = 0; i < 4; ++i) {
    set_corner(polygon, i, corner[i]);
  }
  real largest_square = quad_square(corner, 0, corner[0]);
  real largest = r_sqrt(largest_square);
  NO_UNROLL
  for (int start = 0; start < count; ++start) {
    set_corner(polygon, start, corner[0]);
    // the last corner may move; after each of its moves the third, then the second
    int moving = 3;
    NO_UNROLL
    while (moving > 0) {
      const int before = moving == 3 ? corner[3].i : moving == 2 ? corner[2].i : corner[1].i;
      set_corner(polygon, after(before, count), moved);
      const real square = quad_square(corner, moving, moved);
      // areas are compared, whose rounding makes more of them equal; the root is taken only where
      // it may tell
      const real area = square > largest_square ? r_sqrt(square) : real(0);
      if (area > largest) {
        largest = area;
        largest_square = square;
        for (int i = 0; i < 4; ++i) {
          if (i == moving) {
            corner[i] = moved;
          }
          chosen[i] = corner[i].i;
        }
        moving = moving == 3 ? 2 : moving;
      } else {
        moving = moving == 3 ? 0 : moving == 2 ? 1 : 3;
      }
    }
    // the first corner, before it goes on, pushes the others
    for (int i = 1; i < 4 && corner[i].i == corner[i - 1].i; ++i) {
      set_corner(polygon, after(corner[i].i, count), corner[i]);
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

/// Clips the subject to the prism over the base, keeps what is below the base, and writes contacts
/// of the pair: the clipped corners' feet on the base, and those feet's feet on the subject's
/// plane.
/// @param nbase, nsubject   corners of the two in `room`; two of a subject that is an edge
/// @param base_normal       of the base, outward
/// @param dir               normal of the subject
/// @return                  contacts, at most four
FN_NOINLINE int clip_contacts(const Group& g, const Data& d, const ConvexPair& pair, int nbase,
                              int nsubject, const real* base_normal, const real* dir,
                              real normal_sign, Polygons& room) {
  if (nbase < 3) {
    return 0;
  }
  place_sides(g, nbase, base_normal, room);
  g.sync();
  int now = 0;
  int count = nsubject;
  NO_UNROLL
  for (int i = 0; i < nbase; ++i) {
    count = clip(g, room.subject[now], count, room.base + 3 * i, room.side + 3 * i,
                 room.subject[1 - now]);
    now = 1 - now;
  }
  const real* polygon = room.subject[1 - now];
  int below = keep_below(g, room.subject[now], count, room.base, base_normal, pair.reach,
                         room.subject[1 - now]);

  // at most four, of an edge two
  int chosen[4] = {0, 1, 2, 3};
  if (below > MULTICONTACT_MAX) {
    choose_quad(polygon, below, chosen);
    below = MULTICONTACT_MAX;
  } else if (nsubject == 2 && below > 2) {
    choose_ends(polygon, below, chosen);
    below = 2;
  }
  NO_UNROLL
  for (int i = g.lane(); i < below; i += g.size) {
    const real* v = polygon + 3 * (i == 0   ? chosen[0]
                                   : i == 1 ? chosen[1]
                                   : i == 2 ? chosen[2]
                                            : chosen[3]);
    real from_face[3], pos[3], normal[3];
    sub3(from_face, v, room.base);
    const real height = dot3(from_face, base_normal);
    const real dist = -height * dot3(base_normal, dir);
    copy3(pos, v);
    add_scaled3(pos, base_normal, -height);
    add_scaled3(pos, dir, real(-0.5) * dist);
    scale3(normal, dir, normal_sign);
    normalize3(normal);
    put_pair_contact(d, pair, i, dist, pos, normal);
  }
  return below;
}
