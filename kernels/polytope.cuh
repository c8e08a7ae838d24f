// The polytope of EPA: its faces, and what it starts with, made from GJK's simplex.
//
// A group of lanes works on one polytope, which lies in memory that they share. Every lane keeps
// the counts, and its copy of what is small; the type of the group is a parameter, so that a single
// lane can have a polytope of its own, too.
#pragma once

#include "ccd.cuh"
#include "support.cuh"
#include "triangle.cuh"

// room for a polytope: each iteration adds a vertex and a ring of faces, five or six of them on
// average
constexpr int EPA_ITERATIONS = CCD_ITERATIONS < 128 ? CCD_ITERATIONS : 128;
constexpr int EPA_VERTICES = EPA_ITERATIONS + 5;
constexpr int EPA_FACES = EPA_ITERATIONS < 4 ? 24 : 6 * EPA_ITERATIONS;
constexpr int EPA_RING =
    48;  // edges around the faces seen from one point; and how deep their search goes

// squared distances below which the origin lies on a face of an initial polytope
constexpr real EPA_ON_FACE = SINGLE ? real(1e-10) : real(1e-30);
constexpr real EPA_ON_FACE4 = SINGLE ? real(1e-17) : real(1e-30);
struct Face {
  real v[3];    // the origin's projection on its plane, so that it points outward
  real square;  // of v's length
  short vert[3];
  short beside[3];  // the face across the edge vert[i], vert[i + 1]
  short slot;       // where it stands in `near`; -1: not there, -2: no longer part of the polytope
};

/// Memory of one polytope.
struct PolytopeRoom {
  Vertex vert[EPA_VERTICES];
  Face face[EPA_FACES];
  short near[EPA_FACES];
  short ring_face[EPA_RING];  // faces just outside the faces seen from the latest point, in order
                              // around them
  short ring_edge[EPA_RING];
};

/// A polytope as one lane knows it: where it lies, and how much of that is in use.
struct Polytope {
  Vertex* vert;
  Face* face;
  short* near;
  short* ring_face;
  short* ring_edge;
  real center[3];  // a point inside
  int nvert, nface, nnear, nring;
};

// makes face i; its outward projection of the origin is found here
// returns the projection's squared length; 0: the face has no area
FN_NOINLINE real attach_face(const Polytope& t, int i, int v1, int v2, int v3, int f1, int f2,
                             int f3) {
  Face& face = t.face[i];
  face.vert[0] = short(v1);
  face.vert[1] = short(v2);
  face.vert[2] = short(v3);
  face.beside[0] = short(f1);
  face.beside[1] = short(f2);
  face.beside[2] = short(f3);
  face.slot = -1;
  real v[3], square = 0;
  if (project_origin(t.vert[v3].p, t.vert[v2].p, t.vert[v1].p, v)) {
    real outward[3];
    sub3(outward, t.vert[v1].p, t.center);
    if (dot3(v, outward) < 0) {
      scale3(v, v, -1);
    }
    square = dot3(v, v);
    copy3(face.v, v);
  }
  face.square = square;
  return square;
}

// the next vertex, farthest along d; a lane for each of the two shapes, whose search goes on from
// where it ended in that lane
template <typename G>
FN_NOINLINE int add_support(const G& g, Polytope& t, Shape& a, Shape& b, const real* d,
                            real length) {
  const real scale = length > MINVAL ? length : real(1);
  const bool has_dir = length > MINVAL;
  Vertex& v = t.vert[t.nvert];
  NO_UNROLL
  for (int i = g.lane(); i < 2; i += g.size) {
    const real sign = i == 0 ? real(1) : real(-1);
    real dir[3];
    set3(dir, sign * (has_dir ? d[0] / scale : real(1)), sign * (has_dir ? d[1] / scale : real(0)),
         sign * (has_dir ? d[2] / scale : real(0)));
    Shape& shape = i == 0 ? a : b;
    real point[3];
    support(shape, dir, point);
    copy3(i == 0 ? v.a : v.b, point);
    *(i == 0 ? &v.ia : &v.ib) = shape.vertex;
  }
  g.sync();
  sub3(v.p, v.a, v.b);  // every lane writes it, so that none has to wait
  return t.nvert++;
}

// takes a face out of the polytope; the last of `near` moves into its place
FN void remove_face(Polytope& t, int i) {
  Face& face = t.face[i];
  if (face.slot >= 0) {
    const short last = t.near[--t.nnear];
    t.near[face.slot] = last;
    t.face[last].slot = face.slot;
  }
  face.slot = -2;
}

// a polytope of tabulated faces over the first vertices: corners, then neighbours, one hexadecimal
// digit each; returns the first face the origin lies on, -1: none
template <typename G>
FN_NOINLINE int attach_table(const G& g, Polytope& t, const unsigned* table, int count,
                             real on_face) {
  int touched = count;
  NO_UNROLL
  for (int i = g.lane(); i < count; i += g.size) {
    const unsigned e = table[i];
    const real square = attach_face(t, i, e >> 20 & 15, e >> 16 & 15, e >> 12 & 15, e >> 8 & 15,
                                    e >> 4 & 15, e & 15);
    touched = square < on_face ? r_min(touched, i) : touched;
  }
  t.nface = count;
  touched = g.min(touched);
  g.sync();
  return touched < count ? touched : -1;
}

template <typename G>
FN_NOINLINE void take_vertices(const G& g, Polytope& t, const Ccd& s) {
  g.sync();  // none reads the vertices that were there before
  t.nvert = s.n;
  t.nface = t.nnear = t.nring = 0;
  zero3(t.center);
  NO_UNROLL
  for (int i = 0; i < s.n; ++i) {
    if (i % g.size == g.lane()) {
      t.vert[i] = s.simplex[i];
    }
    add3(t.center, t.center, s.simplex[i].p);
  }
  scale3(t.center, t.center, s.n == 2 ? real(0.5) : s.n == 3 ? real(1.0 / 3.0) : real(0.25));
  g.sync();
}

// puts a face of the polytope, on which the origin lies, in the simplex's place
FN_NOINLINE void take_face(const Polytope& t, int i, Ccd& s) {
  const Face& face = t.face[i];
  NO_UNROLL
  for (int k = 0; k < 3; ++k) {
    s.simplex[k] = t.vert[face.vert[k]];
  }
  s.n = 3;
}

FN real det3(const real* a, const real* b, const real* c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// whether the ray from v1 through v2 passes the triangle v3 v4 v5
FN bool ray_hits(const real* v1, const real* v2, const real* v3, const real* v4, const real* v5) {
  real ray[3], c3[3], c4[3], c5[3];
  sub3(ray, v2, v1);
  sub3(c3, v3, v1);
  sub3(c4, v4, v1);
  sub3(c5, v5, v1);
  const real a = det3(c3, c4, ray), b = det3(c4, c5, ray), c = det3(c5, c3, ray);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

// two tetrahedra around a segment: three support points at right angles to it, 120 degrees apart
// returns false: no polytope; s.n becomes 3 where the origin lies on a face
template <typename G>
FN bool start_from_segment(const G& g, Polytope& t, Shape& a, Shape& b, Ccd& s) {
  real axis[3];
  sub3(axis, s.simplex[1].p, s.simplex[0].p);
  int smallest = 0;
  for (int i = 1; i < 3; ++i) {
    smallest = r_abs(axis[i]) < r_abs(axis[smallest]) ? i : smallest;
  }
  const real e[3] = {smallest == 0 ? real(1) : real(0), smallest == 1 ? real(1) : real(0),
                     smallest == 2 ? real(1) : real(0)};
  real dir[3];
  cross3(dir, e, axis);

  // the rotation by 120 degrees about the segment
  const real sine = real(0.86602540378), cosine = real(-0.5);
  const real length = norm3(axis);
  const real x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
  const real turn[9] = {cosine + x * x * (1 - cosine),   x * y * (1 - cosine) - z * sine,
                        x * z * (1 - cosine) + y * sine, y * x * (1 - cosine) + z * sine,
                        cosine + y * y * (1 - cosine),   y * z * (1 - cosine) - x * sine,
                        x * z * (1 - cosine) - y * sine, y * z * (1 - cosine) + x * sine,
                        cosine + z * z * (1 - cosine)};
  NO_UNROLL
  for (int i = 0; i < 3; ++i) {
    add_support(g, t, a, b, dir, norm3(dir));
    real turned[3];
    mat_vec3(turned, turn, dir);
    copy3(dir, turned);
  }

  const unsigned faces[6] = {0x023132, 0x042240, 0x034051, 0x132504, 0x124315, 0x143423};
  const int touched = attach_table(g, t, faces, 6, EPA_ON_FACE);
  if (touched >= 0) {
    take_face(t, touched, s);
    return true;
  }
  return ray_hits(t.vert[0].p, t.vert[1].p, t.vert[2].p, t.vert[3].p, t.vert[4].p);
}

// whether the origin and p3 lie strictly on the same side of the plane p0 p1 p2
FN bool same_side(const real* p0, const real* p1, const real* p2, const real* p3) {
  real e1[3], e2[3], n[3], to3[3];
  sub3(e1, p1, p0);
  sub3(e2, p2, p0);
  cross3(n, e1, e2);
  sub3(to3, p3, p0);
  const real to_origin[3] = {-p0[0], -p0[1], -p0[2]};
  return same_sign(dot3(n, to3), dot3(n, to_origin));
}

FN bool holds_origin(const Vertex* v) {
  bool is_inside = true;
  NO_UNROLL
  for (int i = 0; i < 4 && is_inside; ++i) {
    is_inside = same_side(v[i].p, v[(i + 1) & 3].p, v[(i + 2) & 3].p, v[(i + 3) & 3].p);
  }
  return is_inside;
}

// the tetrahedron of GJK; s.n becomes 3 where the origin lies on a face
template <typename G>
FN bool start_from_tetrahedron(const G& g, Polytope& t, Ccd& s) {
  const unsigned faces[4] = {0x012132, 0x031230, 0x023031, 0x321201};
  const int touched = attach_table(g, t, faces, 4, EPA_ON_FACE4);
  if (touched >= 0) {
    take_face(t, touched, s);
    return true;
  }
  return holds_origin(t.vert);
}

// whether p is a point of the triangle
FN_NOINLINE bool on_triangle(const Vertex* v, const real* p) {
  real weight[3], at[3];
  barycentric(v[0].p, v[1].p, v[2].p, p, weight);
  zero3(at);
  for (int i = 0; i < 3; ++i) {
    if (weight[i] < 0) {
      return false;
    }
    add_scaled3(at, v[i].p, weight[i]);
  }
  return distance3(at, p) < MINVAL;
}

// two tetrahedra on both sides of a triangle
template <typename G>
FN bool start_from_triangle(const G& g, Polytope& t, Shape& a, Shape& b) {
  real e1[3], e2[3], n[3];
  sub3(e1, t.vert[1].p, t.vert[0].p);
  sub3(e2, t.vert[2].p, t.vert[0].p);
  cross3(n, e1, e2);
  const real length = norm3(n);
  if (length < MINVAL) {
    return false;
  }
  NO_UNROLL
  for (int i = 0; i < 2; ++i) {
    scale3(n, n, -1);  // first below, then above
    add_support(g, t, a, b, n, length);
  }
  if (on_triangle(t.vert, t.vert[4].p) || on_triangle(t.vert, t.vert[3].p)) {
    return false;
  }
  const unsigned faces[6] = {0x401132, 0x420240, 0x412051, 0x310504, 0x302315, 0x321423};
  return attach_table(g, t, faces, 6, EPA_ON_FACE) < 0;
}

// the polytope that EPA starts with; false: the shapes only touch, or the simplex is degenerate
template <typename G>
FN bool start_polytope(const G& g, Polytope& t, Shape& a, Shape& b, Ccd& s) {
  bool is_started = false;
  if (s.n != 3) {
    take_vertices(g, t, s);
    is_started = s.n == 2 ? start_from_segment(g, t, a, b, s) : start_from_tetrahedron(g, t, s);
    if (!is_started) {
      return false;
    }
    is_started = s.n != 3;
  }
  if (!is_started) {
    take_vertices(g, t, s);
    if (!start_from_triangle(g, t, a, b)) {
      return false;
    }
  }
  NO_UNROLL
  for (int i = g.lane(); i < t.nface; i += g.size) {
    t.face[i].slot = t.near[i] = short(i);
  }
  t.nnear = t.nface;
  g.sync();
  return true;
}
