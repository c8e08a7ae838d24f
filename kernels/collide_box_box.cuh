// Two boxes: separating axes, then a contact patch.
//
// Of 15 axes (three face normals of each box, nine products of an edge of one and an edge of the
// other) the one with the largest gap decides. A face axis makes a patch: the other box's opposing
// face is clipped against the sides of the owner's face, and each corner of what is left that lies
// within the margin is a contact. An edge axis makes one contact, midway between the nearest points
// of the two edges. Face axes are preferred on near ties, since a patch holds a box steady and a
// single point does not. Source: the behaviour of MuJoCo 4.0's box-box collider.
#pragma once

#include "collide_plane.cuh"

constexpr bool SINGLE = sizeof(real) == 4;
constexpr real SEPARATION_SLACK = SINGLE ? real(1e-6) : real(1e-13);  // of the summed half sizes
constexpr real EDGE_PARALLEL =
    SINGLE ? real(1e-7) : real(1e-16);  // sin² below which two edges are parallel
constexpr real SIGN_AMBIGUOUS =
    SINGLE ? real(1e-5) : real(1e-9);  // axis component too small to pick a side by
constexpr real CORNER_SAME =
    SINGLE ? real(1e-10) : real(1e-14);    // squared, of the reference face's size
constexpr real EDGE_BIAS = real(1e-6);     // an edge axis must win by this part of the gap
constexpr real EDGE_ALIGNED = real(0.99);  // cosine from which an edge axis repeats a face axis
constexpr real EDGE_ADVANTAGE =
    real(0.05);                   // then it must be better by this part of the face's gap
constexpr int CLIP_CAPACITY = 8;  // a quadrangle clipped by four half planes
constexpr int BOX_BOX_CONTACTS = 8;

// one of the two boxes as the other one's frame sees it
struct BoxPair {
  const Shape* one;
  const Shape* two;
  real rot[9];    // axes of the second box in the first one's frame, as columns
  real pos21[3];  // centre of the second in the first one's frame
  real pos12[3];  // centre of the first in the second one's frame
};

struct BestAxis {
  real gap;       // largest separation found, negative: penetration
  real face_gap;  // largest of a face axis
  int code;  // 0..2 face of the first, 3..5 face of the second, 6 + 3 i + j: edge i of the first
             // with j of the second
  int face_code;
};

// unit axis across edge i of the first box and edge j of the second, in the first one's frame;
// false when parallel
FN bool edge_axis(const BoxPair& pair, int i, int j, real* axis) {
  const int i1 = (i + 1) % 3;
  const int i2 = (i + 2) % 3;
  const real a1 = -pair.rot[3 * i2 + j];
  const real a2 = pair.rot[3 * i1 + j];
  const real length2 = a1 * a1 + a2 * a2;
  if (length2 < EDGE_PARALLEL) {
    return false;
  }
  const real inverse = 1 / r_sqrt(length2);
  axis[i] = 0;
  axis[i1] = a1 * inverse;
  axis[i2] = a2 * inverse;
  return true;
}

// half width of the second box along an axis given in the first one's frame
FN real second_radius(const BoxPair& pair, const real* axis) {
  real local[3];
  mat_tvec3(local, pair.rot, axis);
  return pair.two->size[0] * r_abs(local[0]) + pair.two->size[1] * r_abs(local[1]) +
         pair.two->size[2] * r_abs(local[2]);
}

// false when an axis separates the boxes by more than `limit`
FN bool find_best_axis(const BoxPair& pair, real limit, BestAxis* best) {
  const real* size1 = pair.one->size;
  const real* size2 = pair.two->size;
  best->gap = real(-1e30);
  best->code = 0;

  // face normals: the first box's, then the second's
  NO_UNROLL
  for (int k = 0; k < 6; ++k) {
    const bool first = k < 3;
    const int i = first ? k : k - 3;
    real gap = r_abs(first ? pair.pos21[i] : pair.pos12[i]) - (first ? size1[i] : size2[i]);
    real radius = 0;
    for (int j = 0; j < 3; ++j) {
      radius +=
          r_abs(first ? pair.rot[3 * i + j] : pair.rot[3 * j + i]) * (first ? size2[j] : size1[j]);
    }
    gap -= radius;
    if (gap > limit) {
      return false;
    }
    if (gap > best->gap) {
      best->gap = gap;
      best->code = k;
    }
  }
  best->face_gap = best->gap;
  best->face_code = best->code;

  // products of edges
  NO_UNROLL
  for (int k = 0; k < 9; ++k) {
    real axis[3];
    if (!edge_axis(pair, k / 3, k % 3, axis)) {
      continue;
    }
    const real radius1 =
        size1[0] * r_abs(axis[0]) + size1[1] * r_abs(axis[1]) + size1[2] * r_abs(axis[2]);
    const real gap = r_abs(dot3(axis, pair.pos21)) - radius1 - second_radius(pair, axis);
    if (gap > limit) {
      return false;
    }
    if (gap - EDGE_BIAS * r_abs(gap) > best->gap && gap > best->face_gap) {
      best->gap = gap;
      best->code = 6 + k;
    }
  }
  return true;
}

// an edge axis that nearly repeats the best face axis yields to it, unless it is clearly better
FN void prefer_face(const BoxPair& pair, BestAxis* best) {
  if (best->code < 6) {
    return;
  }
  real axis[3];
  edge_axis(pair, (best->code - 6) / 3, (best->code - 6) % 3, axis);
  real aligned;
  if (best->face_code < 3) {
    aligned = r_abs(axis[best->face_code]);
  } else {
    real normal[3];
    mat_column3(normal, pair.rot, best->face_code - 3);
    aligned = r_abs(dot3(axis, normal));
  }
  if (aligned > EDGE_ALIGNED &&
      best->gap < best->face_gap + EDGE_ADVANTAGE * r_abs(best->face_gap) + MINVAL) {
    best->code = best->face_code;
    best->gap = best->face_gap;
  }
}

// nearest points of an edge of each box: w1 on edge i through corner1, w2 on edge j through
// corner2; first box's frame
FN void nearest_on_edges(const BoxPair& pair, int i, int j, const real* corner1,
                         const real* corner2, real* w1, real* w2) {
  real direction[3];
  mat_column3(direction, pair.rot, j);
  real between[3];
  sub3(between, corner2, corner1);
  const real half1 = pair.one->size[i];
  const real half2 = pair.two->size[j];
  const real cosine = direction[i];
  const real determinant = 1 - cosine * cosine;
  const real along2 = dot3(direction, between);
  real s = determinant < MINVAL ? real(0) : (between[i] - cosine * along2) / determinant;
  s = r_max(-half1, r_min(half1, s));
  const real t = r_max(-half2, r_min(half2, cosine * s - along2));
  s = r_max(-half1, r_min(half1, between[i] + cosine * t));
  copy3(w1, corner1);
  w1[i] += s;
  copy3(w2, corner2);
  add_scaled3(w2, direction, t);
}

// index of a component across edge k that is too small to pick a side by, -1: none
FN int ambiguous_side(const real* axis, int k) {
  const int k1 = (k + 1) % 3;
  const int k2 = (k + 2) % 3;
  return r_abs(axis[k1]) < SIGN_AMBIGUOUS ? k1 : r_abs(axis[k2]) < SIGN_AMBIGUOUS ? k2 : -1;
}

FN int edge_contact(const BoxPair& pair, int i, int j, real limit, Contact* out) {
  // axis from the first box to the second
  real axis[3];
  edge_axis(pair, i, j, axis);
  if (dot3(axis, pair.pos21) < 0) {
    scale3(axis, axis, -1);
  }
  real axis2[3];
  mat_tvec3(axis2, pair.rot, axis);

  // the supporting edge of each box; where the axis does not tell the side, both are tried and the
  // nearest pair is kept
  const int unsure1 = ambiguous_side(axis, i);
  const int unsure2 = ambiguous_side(axis2, j);
  real w1[3] = {0, 0, 0};
  real w2[3] = {0, 0, 0};
  real best = real(1e30);
  NO_UNROLL
  for (int trial = 0; trial < 4; ++trial) {
    const bool flip1 = (trial & 2) != 0;
    const bool flip2 = (trial & 1) != 0;
    if ((flip1 && unsure1 < 0) || (flip2 && unsure2 < 0)) {
      continue;
    }
    real corner1[3];
    real local2[3];
    for (int k = 0; k < 3; ++k) {
      const real side1 = (axis[k] >= 0) != (flip1 && k == unsure1) ? real(1) : real(-1);
      const real side2 = (axis2[k] >= 0) != (flip2 && k == unsure2) ? real(-1) : real(1);
      corner1[k] = k == i ? real(0) : side1 * pair.one->size[k];
      local2[k] = k == j ? real(0) : side2 * pair.two->size[k];
    }
    real corner2[3];
    mat_vec3(corner2, pair.rot, local2);
    add3(corner2, corner2, pair.pos21);
    real p1[3];
    real p2[3];
    nearest_on_edges(pair, i, j, corner1, corner2, p1, p2);
    real gap[3];
    sub3(gap, p2, p1);
    const real gap2 = dot3(gap, gap);
    if (gap2 < best) {
      best = gap2;
      copy3(w1, p1);
      copy3(w2, p2);
    }
  }

  real gap[3];
  sub3(gap, w2, w1);
  const real dist = dot3(gap, axis);
  if (dist > limit) {
    return 0;
  }
  real middle[3];
  add3(middle, w1, w2);
  scale3(middle, middle, real(0.5));
  out->dist = dist;
  mat_vec3(out->pos, pair.one->mat, middle);
  add3(out->pos, out->pos, pair.one->pos);
  mat_vec3(out->normal, pair.one->mat, axis);
  zero3(out->tangent);
  return 1;
}

// a face seen from the reference face: x and y in its plane, z the height above it
struct ClipPolygon {
  real corner[CLIP_CAPACITY][3];
  int count;
};

// keeps what lies where side * corner[coordinate] <= limit
FN_NOINLINE void clip(ClipPolygon* polygon, int coordinate, real side, real limit) {
  ClipPolygon in = *polygon;
  int count = 0;
  NO_UNROLL
  for (int k = 0; k < in.count; ++k) {
    const real* p = in.corner[k];
    const real* q = in.corner[k + 1 == in.count ? 0 : k + 1];
    const real beyond_p = side * p[coordinate] - limit;
    const real beyond_q = side * q[coordinate] - limit;
    if (beyond_p <= 0 && count < CLIP_CAPACITY) {
      copy3(polygon->corner[count++], p);
    }
    if (((beyond_p < 0 && beyond_q > 0) || (beyond_p > 0 && beyond_q < 0)) &&
        count < CLIP_CAPACITY) {
      const real t = beyond_p / (beyond_p - beyond_q);
      for (int c = 0; c < 3; ++c) {
        polygon->corner[count][c] = p[c] + t * (q[c] - p[c]);
      }
      ++count;
    }
  }
  polygon->count = count;
}

// the face of the incident box that opposes axis a of the reference box most, its corners in cyclic
// order
FN void incident_face(const real* axes, const real* centre, const real* size_ref,
                      const real* size_inc, int a, real side, ClipPolygon* polygon) {
  int b = 0;
  for (int k = 1; k < 3; ++k) {
    b = r_abs(axes[3 * a + k]) > r_abs(axes[3 * a + b]) ? k : b;
  }
  const real facing = side * axes[3 * a + b] > 0 ? real(-1) : real(1);
  const int b1 = (b + 1) % 3;
  const int b2 = (b + 2) % 3;
  NO_UNROLL
  for (int corner = 0; corner < 4; ++corner) {
    const real s1 = corner == 0 || corner == 3 ? real(1) : real(-1);
    const real s2 = corner < 2 ? real(1) : real(-1);
    for (int r = 0; r < 3; ++r) {
      const int c = (a + 1 + r) % 3;  // x, y in the plane, then the normal
      const real* row = axes + 3 * c;
      real x = centre[c] + facing * size_inc[b] * row[b];
      x += s1 * size_inc[b1] * row[b1] + s2 * size_inc[b2] * row[b2];
      polygon->corner[corner][r] = r == 2 ? side * x - size_ref[a] : x;
    }
  }
  polygon->count = 4;
}

// drops corners above the margin, and those that clipping made twice
FN void thin_out(ClipPolygon* polygon, real margin, real same2) {
  int count = 0;
  NO_UNROLL
  for (int k = 0; k < polygon->count; ++k) {
    real corner[3];
    copy3(corner, polygon->corner[k]);
    bool keep = !(corner[2] > margin);
    for (int q = 0; q < count && keep; ++q) {
      const real dx = polygon->corner[q][0] - corner[0];
      const real dy = polygon->corner[q][1] - corner[1];
      keep = !(dx * dx + dy * dy < same2);
    }
    if (keep) {
      copy3(polygon->corner[count++], corner);
    }
  }
  polygon->count = count;
}

FN int face_contacts(const BoxPair& pair, int code, real margin, Contact* out) {
  const bool first = code < 3;  // the first box is the reference
  const int a = first ? code : code - 3;
  const Shape& reference = first ? *pair.one : *pair.two;
  const Shape& incident = first ? *pair.two : *pair.one;
  const real* centre = first ? pair.pos21 : pair.pos12;
  real axes[9];
  copy9(axes, pair.rot);
  if (!first) {
    transpose3(axes, pair.rot);
  }
  const real side = centre[a] >= 0 ? real(1) : real(-1);
  const int x = (a + 1) % 3;
  const int y = (a + 2) % 3;

  ClipPolygon polygon;
  incident_face(axes, centre, reference.size, incident.size, a, side, &polygon);
  NO_UNROLL
  for (int k = 0; k < 4; ++k) {
    clip(&polygon, k / 2, (k & 1) == 0 ? real(1) : real(-1), reference.size[k < 2 ? x : y]);
  }
  const real span2 = reference.size[x] * reference.size[x] + reference.size[y] * reference.size[y];
  thin_out(&polygon, margin, CORNER_SAME * span2);

  real normal[3];
  mat_column3(normal, reference.mat, a);
  scale3(normal, normal, first ? side : -side);
  NO_UNROLL
  for (int k = 0; k < polygon.count; ++k) {
    const real* corner = polygon.corner[k];
    real local[3];
    local[x] = corner[0];
    local[y] = corner[1];
    local[a] = side * (reference.size[a] + real(0.5) * corner[2]);
    out[k].dist = corner[2];
    mat_vec3(out[k].pos, reference.mat, local);
    add3(out[k].pos, out[k].pos, reference.pos);
    copy3(out[k].normal, normal);
    zero3(out[k].tangent);
  }
  return polygon.count;
}

FN int box_box(const Shape& one, const Shape& two, real margin, Contact* out) {
  BoxPair pair;
  pair.one = &one;
  pair.two = &two;
  real away[3];
  sub3(away, two.pos, one.pos);
  mat_tvec3(pair.pos21, one.mat, away);
  scale3(away, away, -1);
  mat_tvec3(pair.pos12, two.mat, away);
  mat_tmul3(pair.rot, one.mat, two.mat);
  real limit = 0;
  for (int k = 0; k < 3; ++k) {
    limit += one.size[k] + two.size[k];
  }
  limit = margin + SEPARATION_SLACK * limit;

  BestAxis best;
  if (!find_best_axis(pair, limit, &best)) {
    return 0;
  }
  prefer_face(pair, &best);
  if (best.code >= 6) {
    return edge_contact(pair, (best.code - 6) / 3, (best.code - 6) % 3, limit, out);
  }
  return face_contacts(pair, best.code, margin, out);
}
