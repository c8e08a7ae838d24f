// A sphere or a capsule with a box. All of it happens in the box's frame, where the box is
// axis-aligned around the origin.
//
// A capsule makes up to two contacts. The first is at the point of its segment that is nearest to
// the box: an end above a face, or the nearest of the points that face one of the twelve edges. The
// second is found by sliding along the segment, away from the first, until the segment ends or
// leaves what lies under it (the face, or the two faces beside the edge or corner). Both are then
// contacts of a sphere with the box.
#pragma once

#include "collide_sphere.cuh"

FN int sphere_box(const real* centre, real radius, const Shape& box, real margin, Contact* out) {
  real away[3];
  real local[3];
  sub3(away, centre, box.pos);
  mat_tvec3(local, box.mat, away);
  real nearest[3];
  for (int k = 0; k < 3; ++k) {
    nearest[k] = box.size[k] > 0 ? r_max(-box.size[k], r_min(box.size[k], local[k])) : local[k];
  }
  real towards[3];
  sub3(towards, nearest, local);
  real dist = normalize3(towards);
  if (dist - radius > margin) {
    return 0;
  }

  real pos[3];
  if (dist > MINVAL) {
    for (int k = 0; k < 3; ++k) {
      pos[k] = real(0.5) * (nearest[k] + local[k] + radius * towards[k]);
    }
  } else {
    // the centre is inside: leave through the nearest face
    real depth = 2 * (box.size[0] + box.size[1] + box.size[2]);
    int face = 0;
    NO_UNROLL
    for (int i = 0; i < 6; ++i) {
      const real to_face =
          r_abs(((i & 1) != 0 ? box.size[i / 2] : -box.size[i / 2]) - local[i / 2]);
      if (depth > to_face) {
        depth = to_face;
        face = i;
      }
    }
    for (int k = 0; k < 3; ++k) {
      towards[k] = k != face / 2 ? real(0) : (face & 1) != 0 ? real(-1) : real(1);
    }
    copy3(pos, local);
    add_scaled3(pos, towards, (radius - depth) / 2);
    dist = -depth;
  }
  mat_vec3(out->normal, box.mat, towards);
  mat_vec3(out->pos, box.mat, pos);
  add3(out->pos, out->pos, box.pos);
  out->dist = dist - radius;
  zero3(out->tangent);
  return 1;
}

// where a segment pos + t half, -1 <= t <= 1, is nearest to the box, and to which of its parts
struct NearestPart {
  enum Kind { NONE, FACE, EDGE, CORNER } kind;
  real t;      // place on the segment
  int face;    // FACE: axis of the face the end is above, -1: the end is inside the box
  int edge;    // EDGE, CORNER: axis the edge runs along
  int corner;  // EDGE, CORNER: bit k set: on the upper side of axis k
  real along;  // EDGE: place on the edge, -1 .. 1
  real dist2;
};

// the ends of the segment, where at most one coordinate is outside the box
FN void nearest_face(const real* pos, const real* half, const real* size, NearestPart* best) {
  NO_UNROLL
  for (int end = -1; end <= 1; end += 2) {
    int outside = 0;
    int face = -1;
    real dist2 = 0;
    NO_UNROLL
    for (int k = 0; k < 3; ++k) {
      const real x = pos[k] + end * half[k];
      const real over = r_abs(x) - size[k];
      if (over > 0) {
        ++outside;
        face = k;
        dist2 += over * over;
      }
    }
    if (outside <= 1 && dist2 < best->dist2) {
      best->kind = NearestPart::FACE;
      best->t = real(end);
      best->face = face;
      best->dist2 = dist2;
    }
  }
}

// a segment and an edge more parallel than this (sin²) have no nearest pair of points: rounding
// would pick one
constexpr real EDGES_PARALLEL = sizeof(real) == 4 ? real(1e-6) : real(0);

// Nearest points of the segment and of one edge: x on the edge and t on the segment, both in -1
// .. 1. `end` is the end of the edge that x was held back at, -1 or 1, or 0; as in MuJoCo it stays
// when holding back t moves x inwards again.
FN bool segment_edge(const real* from_segment, const real* half, real half_length, real edge_length,
                     int axis, real* x, real* t, int* end) {
  const real a = edge_length * edge_length;
  const real b = -edge_length * half[axis];
  const real c = half_length * half_length;
  const real u = -edge_length * from_segment[axis];
  const real v = dot3(half, from_segment);
  const real det = a * c - b * b;
  if (r_abs(det) < r_max(MINVAL, EDGES_PARALLEL * a * c)) {
    return false;
  }
  *x = (c * u - b * v) / det;
  *t = (a * v - b * u) / det;
  *end = *x > 1 ? 1 : *x < -1 ? -1 : 0;
  if (*end != 0) {
    *x = real(*end);
    *t = (v - *x * b) / c;
  }
  if (r_abs(*t) > 1) {
    *t = *t > 0 ? real(1) : real(-1);
    *x = (u - *t * b) / a;
    *end = *x > 1 ? 1 : *x < -1 ? -1 : *end;
    *x = clamp1(*x);
  }
  return true;
}

FN void nearest_edge(const real* pos, const real* half, real half_length, const real* size,
                     NearestPart* best) {
  NO_UNROLL
  for (int i = 0; i < 12; ++i) {
    const int axis = i / 4;
    const int axis1 = axis == 0 ? 1 : 0;  // the two others, lower first
    const int axis2 = axis == 2 ? 1 : 2;
    const int corner = ((i & 1) << axis1) | (((i >> 1) & 1) << axis2);

    // middle of the edge, seen from the middle of the segment
    real away[3];
    for (int k = 0; k < 3; ++k) {
      away[k] = (k == axis ? real(0) : ((corner >> k) & 1) != 0 ? size[k] : -size[k]) - pos[k];
    }
    real x;
    real t;
    int end;
    if (!segment_edge(away, half, half_length, size[axis], axis, &x, &t, &end)) {
      continue;
    }
    add_scaled3(away, half, -t);
    away[axis] += size[axis] * x;
    const real dist2 = dot3(away, away);

    // strictly nearer: equal distances within rounding go to what was found first
    if (dist2 < best->dist2 - MINVAL) {
      best->dist2 = dist2;
      best->t = t;
      best->along = x;
      best->kind = end == 0 ? NearestPart::EDGE : NearestPart::CORNER;
      best->corner = corner | ((end > 0 ? 1 : 0) << axis);
      best->edge = axis;
    }
  }
}

// how far a segment slides over a length of the box along one axis, in units of its half length
FN real slide_limit(real length, real half) { return length / r_abs(half); }

// The three functions below give the second contact's place relative to the first, in units of the
// segment's half length, or NO_SECOND. `up` has bit k set where the segment rises along axis k. A
// place of 0 makes the contact twice, as in MuJoCo.
constexpr real NO_SECOND = real(-4);

FN real second_beside_corner(const NearestPart& part, const real* axis, const real* half,
                             const real* size, int up) {
  int side = up ^ part.corner;
  if (side == 0 || side == 7) {
    return NO_SECOND;  // straight to or from the corner
  }
  const bool ahead = side == 1 || side == 2 || side == 4;
  const real direction = ahead ? real(1) : real(-1);
  side = ahead ? side : 7 - side;
  const int k = side == 1 ? 0 : side == 2 ? 1 : 2;
  const int k1 = (k + 1) % 3;
  const int k2 = (k + 2) % 3;
  if (axis[k] * axis[k] > real(0.5)) {
    // along the edge
    return direction * r_min(1 - direction * part.t, slide_limit(2 * size[k], half[k]));
  }
  // along the face
  const real limit =
      r_min(slide_limit(2 * size[k1], half[k1]), slide_limit(2 * size[k2], half[k2]));
  return -direction * r_min(1 + direction * part.t, limit);
}

FN real second_beside_edge(const NearestPart& part, const real* axis, const real* half,
                           const real* size, int up) {
  const int side = (up ^ part.corner) & ~(1 << part.edge);
  if (side != 1 && side != 2 && side != 4) {
    return NO_SECOND;  // the segment and the edge make a T
  }
  // of the two faces beside the edge, the one the segment lies flatter on: it runs along k2
  int k1 = (part.edge + 1) % 3;
  int k2 = (part.edge + 2) % 3;
  if (r_abs(axis[k1]) > r_abs(axis[k2])) {
    const int swap = k1;
    k1 = k2;
    k2 = swap;
  }
  const bool ahead = ((side >> k2) & 1) != 0;
  const real direction = ahead ? real(1) : real(-1);
  const bool rises = ((up >> part.edge) & 1) != 0;
  const real room = rises == ahead ? 1 - part.along : 1 + part.along;
  real second = 1 - direction * part.t;
  second = r_min(second, slide_limit(2 * size[k2], half[k2]));
  second = r_min(second, slide_limit(size[part.edge] * room, half[part.edge]));
  return direction * second;
}

FN real second_above_face(const NearestPart& part, const real* pos, const real* half,
                          const real* size) {
  if (part.face < 0) {
    return NO_SECOND;  // the end is inside the box
  }
  const real direction = -part.t;
  real second = 2;
  NO_UNROLL
  for (int k = 0; k < 3; ++k) {
    if (k == part.face) {
      continue;
    }
    const real end = pos[k] - direction * half[k];
    for (int side = 1; side >= -1; side -= 2) {
      const real limit = (side * size[k] - end) / half[k] * direction;
      if (limit > 0 && limit < second) {
        second = limit;
      }
    }
  }
  return direction * second;
}

FN int capsule_box(const Shape& capsule, const Shape& box, real margin, Contact* out) {
  // the capsule's segment in the box's frame
  real world[3];
  real pos[3];
  real axis[3];
  real half[3];
  sub3(world, capsule.pos, box.pos);
  mat_tvec3(pos, box.mat, world);
  mat_column3(world, capsule.mat, 2);
  mat_tvec3(axis, box.mat, world);
  scale3(half, axis, capsule.size[1]);
  const int up = (half[0] > 0 ? 1 : 0) | (half[1] > 0 ? 2 : 0) | (half[2] > 0 ? 4 : 0);

  NearestPart part;
  part.kind = NearestPart::NONE;
  part.t = 0;
  part.face = -1;
  part.edge = 0;
  part.corner = 0;
  part.along = 0;
  part.dist2 =
      margin + 2 * (capsule.size[0] + capsule.size[1] + box.size[0] + box.size[1] + box.size[2]);
  nearest_face(pos, half, box.size, &part);
  nearest_edge(pos, half, capsule.size[1], box.size, &part);
  if (part.kind == NearestPart::NONE) {
    return 0;
  }
  const real second =
      part.kind == NearestPart::CORNER ? second_beside_corner(part, axis, half, box.size, up)
      : part.kind == NearestPart::EDGE ? second_beside_edge(part, axis, half, box.size, up)
                                       : second_above_face(part, pos, half, box.size);

  int count = 0;
  NO_UNROLL
  for (int k = 0; k < (second != NO_SECOND ? 2 : 1); ++k) {
    real local[3];
    real centre[3];
    copy3(local, pos);
    add_scaled3(local, half, k == 0 ? part.t : part.t + second);
    mat_vec3(centre, box.mat, local);
    add3(centre, centre, box.pos);
    count += sphere_box(centre, capsule.size[0], box, margin, out + count);
  }
  return count;
}
