// Expanding polytope: depth and direction of the overlap of two convex shapes.
//
// A polytope of support points around the origin grows at the face nearest to the origin until that
// face lies on the Minkowski difference's surface. The initial polytopes, the order of faces and
// the stopping tests are those of MuJoCo's native convex collision: where several faces are equally
// near (a box flat on a box) the order decides which is taken. Faces are never reused, so that a
// face's number stays valid; the list `near` holds those that may still be the nearest.
#pragma once

#include "polytope.cuh"

// gap of the bounds that ends EPA for polyhedra: metres; in float a part of the points' distance
// from the frame's origin, whose rounding it must not mistake for progress
constexpr real EPA_POLYHEDRAL_GAP = SINGLE ? real(1e-7) : real(1e-15);
constexpr real EPA_BELOW =
    SINGLE ? real(1e-6) : real(1e-10);  // bounds this far the wrong way round: no overlap

// how far a point must be above a face to see it, relative to the point's distance from the origin:
// in float, points of one plane are that far off it by rounding, and would give faces without area
constexpr real EPA_SEEN = SINGLE ? real(1e-6) : real(0);

// removes the faces seen from w, starting at `first`, and lists the faces and edges around them in
// order; returns false: too many for the room
FN_NOINLINE bool find_ring(Polytope& t, int first, const real* w) {
  // depth first: faces under search, each with the edge it was entered through and how many edges
  // are done
  short stack_face[EPA_RING], stack_edge[EPA_RING];
  const real above = r_max(MINVAL, EPA_SEEN * norm3(w));
  int depth = 1;
  stack_face[0] = short(first);
  stack_edge[0] = 2;  // entry edge in the low two bits, edges done above; the first face has three
  t.nring = 0;
  remove_face(t, first);
  NO_UNROLL
  while (depth > 0) {
    const int i = stack_face[depth - 1];
    const int entry = stack_edge[depth - 1] & 3;
    const int done = stack_edge[depth - 1] >> 2;
    if (done == (depth == 1 ? 3 : 2)) {
      --depth;
      continue;
    }
    stack_edge[depth - 1] = short(entry | (done + 1) << 2);

    // the face across the next edge, unless it is gone already
    const Face& face = t.face[i];
    const int edge = (entry + done + 1) % 3;
    const int other = face.beside[edge];
    const Face& beside = t.face[other];
    if (beside.slot == -2) {
      continue;
    }
    const int corner = face.vert[(edge + 1) % 3];
    const int back = beside.vert[0] == corner ? 0 : beside.vert[1] == corner ? 1 : 2;
    const real height = dot3(beside.v, w) - beside.square;
    const bool is_seen = height > (SINGLE ? above * r_sqrt(beside.square) : MINVAL);
    if (depth == EPA_RING || t.nring == EPA_RING) {
      return false;
    }
    if (is_seen) {
      remove_face(t, other);
      stack_face[depth] = short(other);
      stack_edge[depth++] = short(back);
    } else {
      t.ring_face[t.nring] = short(other);
      t.ring_edge[t.nring++] = short(back);
    }
  }
  return true;
}

// faces from the ring to the vertex w; those that may become the nearest go to `near`
// returns false: one has no area
template <typename G>
FN bool close_ring(const G& g, Polytope& t, int w, real lower, real upper) {
  bool is_flat = false;
  NO_UNROLL
  for (int start = 0; start < t.nring; start += g.size) {
    const int i = start + g.lane();
    const int made = t.nface + i;
    real square = -1;
    if (i < t.nring) {
      const int outer = t.ring_face[i];
      const int edge = t.ring_edge[i];
      Face& face = t.face[outer];
      const int before = t.nface + (i == 0 ? t.nring - 1 : i - 1);
      const int after = t.nface + (i + 1 == t.nring ? 0 : i + 1);
      face.beside[edge] = short(made);
      square =
          attach_face(t, made, w, face.vert[(edge + 1) % 3], face.vert[edge], before, outer, after);
      is_flat = is_flat || square == 0;
    }
    const bool is_near = square >= lower && square <= upper;
    int total = 0;
    const int slot = t.nnear + g.exclusive_scan(is_near ? 1 : 0, &total);
    if (is_near) {
      t.face[made].slot = short(slot);
      t.near[slot] = short(made);
    }
    t.nnear += total;
  }
  t.nface += t.nring;
  g.sync();
  return !g.any(is_flat);
}

template <typename G>
FN bool is_repeated(const G& g, const Polytope& t, int w) {
  bool is_found = false;
  NO_UNROLL
  for (int i = g.lane(); i < w; i += g.size) {
    is_found = is_found || (t.vert[i].ia == t.vert[w].ia && t.vert[i].ib == t.vert[w].ib);
  }
  return g.any(is_found);
}

// the face nearest to the origin, the first in `near` of equals; -1: none is there
template <typename G>
FN int find_nearest_face(const G& g, const Polytope& t, real& square) {
  constexpr int nowhere = EPA_FACES;
  real least = FAR;
  int place = nowhere;
  NO_UNROLL
  for (int i = g.lane(); i < t.nnear; i += g.size) {
    const real here = t.face[t.near[i]].square;
    if (here < least) {
      least = here;
      place = i;
    }
  }
  square = g.min(least);
  place = g.min(least == square ? place : nowhere);
  return place < nowhere ? t.near[place] : -1;
}

// grows the polytope; returns the face nearest to the origin, -1: no contact
template <typename G>
FN int grow(const G& g, Polytope& t, Shape& a, Shape& b, const Ccd& s) {
  const bool polyhedral = is_polyhedral(a) && is_polyhedral(b);
  const int iterations = s.iterations < EPA_ITERATIONS ? s.iterations : EPA_ITERATIONS;
  real upper = FAR, upper_square = FAR;
  int nearest = -1;
  NO_UNROLL
  for (int k = 0; k < iterations; ++k) {
    // the nearest face: its distance is a lower bound of the depth
    const int previous = nearest;
    real lower_square;
    const int found = find_nearest_face(g, t, lower_square);
    nearest = found >= 0 ? found : nearest;
    if (lower_square > upper_square || nearest < 0) {
      return previous;
    }
    if (lower_square <= 0) {
      return nearest;
    }

    // the support point along its normal gives an upper bound
    const real lower = r_sqrt(lower_square);
    const int w = add_support(g, t, a, b, t.face[nearest].v, lower);
    const real bound = dot3(t.face[nearest].v, t.vert[w].p) / lower;
    if (bound < upper) {
      upper = bound;
      upper_square = upper * upper;
    }
    const real gap_enough =
        polyhedral ? EPA_POLYHEDRAL_GAP * (SINGLE ? norm3(t.vert[w].a) : real(1)) : s.tolerance;
    if (bound - lower < gap_enough) {
      return k == 0 && upper < lower - EPA_BELOW ? -1 : nearest;
    }
    if (polyhedral && is_repeated(g, t, w)) {
      return nearest;
    }

    // replace the faces seen from the new vertex; one lane goes around them
    bool has_room = true;
    g.sync();
    if (g.lane() == 0) {
      has_room = find_ring(t, nearest, t.vert[w].p);
    }
    g.sync();
    t.nring = g.broadcast(has_room ? t.nring : -1, 0);
    t.nnear = g.broadcast(t.nnear, 0);
    if (t.nring < 0) {
      return nearest;
    }
    if (t.nring < 3) {
      return SINGLE ? nearest : -1;
    }
    if (t.nring > EPA_FACES - t.nface) {
      return nearest;
    }
    if (!close_ring(g, t, w, lower_square, upper_square)) {
      return SINGLE ? nearest : -1;
    }
    if (t.nnear == 0) {
      return nearest;
    }
  }
  return nearest;
}

/// Depth, witnesses and normal of two overlapping shapes; needs GJK's simplex of two to four
/// vertices. All lanes call it, with copies of the same shapes and simplex.
/// @param room   memory that they share
/// @param s      out: dist (minus the depth), x1, x2, normal, and in simplex[0..2] the face of a -
/// b they lie on
/// @return       false: no overlap after all, or the numbers do not allow to tell
template <typename G>
FN_NOINLINE bool epa(const G& g, PolytopeRoom& room, Shape& a, Shape& b, Ccd& s) {
  Polytope t;
  t.vert = room.vert;
  t.face = room.face;
  t.near = room.near;
  t.ring_face = room.ring_face;
  t.ring_edge = room.ring_edge;
  if (!start_polytope(g, t, a, b, s)) {
    return false;
  }
  const int nearest = grow(g, t, a, b, s);
  if (nearest < 0) {
    return false;
  }

  // the origin's projection on the face, carried over to both shapes
  const Face& face = t.face[nearest];
  take_face(t, nearest, s);
  real weight[3];
  barycentric(s.simplex[0].p, s.simplex[1].p, s.simplex[2].p, face.v, weight);
  combine(s, weight, 0, s.x1);
  combine(s, weight, 1, s.x2);
  s.dist = -r_sqrt(face.square);
  set_normal(face.v, s);
  return s.dist < 0;
}
