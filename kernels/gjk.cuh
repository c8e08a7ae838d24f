// Gilbert-Johnson-Keerthi: distance of two convex shapes, or a tetrahedron of their Minkowski
// difference around the origin.
//
// The steps and stopping tests are those of MuJoCo 4.0's native convex collision, because where the
// iteration stops decides the last digits of a contact. The point of the simplex nearest to the
// origin is found from differences of its vertices and along the normals of its faces, so that
// small simplices near the end cost no digits.
#pragma once

#include "ccd.cuh"
#include "support.cuh"
#include "triangle.cuh"

/// A candidate for the point of a simplex nearest to the origin.
struct Nearest {
  real square;  // its squared distance
  real x[3];
  real weight[4];  // of the simplex's vertices
};

// the point of segment i j nearest to the origin, if it is nearer than the nearest so far
FN_NOINLINE void try_segment(const Vertex* v, int i, int j, Nearest& nearest) {
  const real* p = v[i].p;
  real edge[3], x[3];
  sub3(edge, v[j].p, p);
  const real square = dot3(edge, edge);
  real t = square > 0 ? -dot3(p, edge) / square : real(0);
  t = t > 0 ? (t < 1 ? t : real(1)) : real(0);
  copy3(x, t < 1 ? p : v[j].p);
  if (t > 0 && t < 1) {
    add_scaled3(x, edge, t);
  }
  const real distance = dot3(x, x);
  if (distance < nearest.square) {
    nearest.square = distance;
    copy3(nearest.x, x);
    nearest.weight[0] = nearest.weight[1] = nearest.weight[2] = nearest.weight[3] = 0;
    nearest.weight[i] = 1 - t;
    nearest.weight[j] = t;
  }
}

// the same for the triangle i j k
FN_NOINLINE void try_triangle(const Vertex* v, int i, int j, int k, Nearest& nearest) {
  // inside, the nearest point lies along the triangle's normal: more exact than a sum of corners
  real x[3], weight[3] = {-1, -1, -1};
  if (project_origin(v[i].p, v[j].p, v[k].p, x)) {
    barycentric(v[i].p, v[j].p, v[k].p, x, weight);
    if (weight[0] > 0 && weight[1] > 0 && weight[2] > 0) {
      const real distance = dot3(x, x);
      if (distance < nearest.square) {
        nearest.square = distance;
        copy3(nearest.x, x);
        nearest.weight[0] = nearest.weight[1] = nearest.weight[2] = nearest.weight[3] = 0;
        nearest.weight[i] = weight[0];
        nearest.weight[j] = weight[1];
        nearest.weight[k] = weight[2];
      }
      return;
    }
  }
  NO_UNROLL
  for (int side = 0; side < 3; ++side) {
    if (!(weight[side] > 0)) {
      try_segment(v, side == 0 ? j : i, side == 2 ? j : k, nearest);
    }
  }
}

// whether the origin is strictly inside the face opposite to each vertex of a tetrahedron: one bit
// a face
FN int inner_sides(const Vertex* v) {
  int inside = 0;
  NO_UNROLL
  for (int i = 0; i < 4; ++i) {
    const real* p = v[i == 0 ? 1 : 0].p;
    real e1[3], e2[3], n[3], e3[3];
    sub3(e1, v[i <= 1 ? 2 : 1].p, p);
    sub3(e2, v[i <= 2 ? 3 : 2].p, p);
    sub3(e3, v[i].p, p);
    cross3(n, e1, e2);
    inside |= same_sign(dot3(n, e3), -dot3(n, p)) ? 1 << i : 0;
  }
  return inside;
}

/// Point of a simplex of n vertices nearest to the origin.
/// @return false: the origin is inside a tetrahedron, and x and the weights are not set
FN bool find_nearest(const Vertex* v, int n, Nearest& nearest) {
  nearest.square = FAR;
  if (n == 1) {
    copy3(nearest.x, v[0].p);
    nearest.weight[0] = 1;
    nearest.weight[1] = nearest.weight[2] = nearest.weight[3] = 0;
  } else if (n == 2) {
    try_segment(v, 0, 1, nearest);
  } else {
    // a triangle is the face opposite to the vertex that is not there
    const int inside = n == 4 ? inner_sides(v) : 7;
    if (inside == 15) {
      return false;
    }
    NO_UNROLL
    for (int i = 0; i < 4; ++i) {
      if (!(inside >> i & 1)) {
        try_triangle(v, i == 0 ? 1 : 0, i <= 1 ? 2 : 1, i <= 2 ? 3 : 2, nearest);
      }
    }
  }
  return true;
}

// keeps the simplex's vertices that carry weight
FN void drop_weightless(Ccd& s, real* weight) {
  s.n = 0;
  NO_UNROLL
  for (int i = 0; i < 4; ++i) {
    if (weight[i] != 0) {
      if (s.n != i) {
        s.simplex[s.n] = s.simplex[i];
      }
      weight[s.n++] = weight[i];
    }
  }
}

FN void set_apart(Ccd& s) {
  s.n = 0;
  s.dist = FAR;
}

/// Distance of two shapes, or a simplex that touches or holds the origin.
/// @param cutoff   metres; 0: whether they are apart is enough; above 0: distances from here on
/// need not be measured
/// @param s        in: witnesses (points inside), tolerance, iterations; out: dist, witnesses,
/// simplex
FN_NOINLINE void gjk(Shape& a, Shape& b, real cutoff, Ccd& s) {
  const bool polyhedral = is_polyhedral(a) && is_polyhedral(b);
  const real gap_enough = polyhedral ? real(0) : real(0.5) * s.tolerance * s.tolerance;
  const real near_enough = polyhedral ? MINVAL : s.tolerance;
  Nearest nearest;
  real* x = nearest.x;
  sub3(x, s.x1, s.x2);
  real length = norm3(x), previous = 0;
  s.n = 0;

  NO_UNROLL
  for (int k = 0; k < s.iterations; ++k) {
    // at the origin, or no longer moving; one point at the origin still has to become a simplex
    if (s.n < 2 && length < MINVAL) {
      set3(x, 1, 0, 0);
      length = 1;
    }
    if ((s.n >= 2 && length < near_enough) || r_abs(previous - length) < MINVAL) {
      break;
    }

    // next support point; stop where it is no nearer to the origin: the Frank-Wolfe duality gap
    real dir[3], step[3];
    scale3(dir, x, 1 / length);
    scale3(dir, dir, -1);
    Vertex& next = s.simplex[s.n];
    support_difference(a, b, dir, next);
    sub3(step, x, next.p);
    if (dot3(x, step) < gap_enough) {
      break;
    }

    // a plane between the shapes, this far from both
    const real lower = dot3(x, next.p);
    if (lower > 0 && (cutoff <= 0 || lower >= cutoff * length)) {
      set_apart(s);
      return;
    }

    // nearest point of the simplex, and the vertices it needs; rounding may make it no nearer than
    // the one before
    Nearest candidate;
    if (!find_nearest(s.simplex, s.n + 1, candidate)) {
      s.n = 4;
      s.dist = 0;
      return;
    }
    if (s.n > 0 && !(candidate.square < nearest.square)) {
      break;
    }
    nearest = candidate;
    drop_weightless(s, nearest.weight);
    if (s.n < 1) {
      set_apart(s);
      return;
    }
    previous = length;
    length = norm3(x);
  }
  s.dist = length;
  if (s.n > 0) {
    combine(s, nearest.weight, 0, s.x1);
    combine(s, nearest.weight, 1, s.x2);
  }
}
