// The polytope of EPA: its faces, and what it starts with, made from GJK's simplex.
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

struct Polytope {
  Vertex vert[EPA_VERTICES];
  Face face[EPA_FACES];
  short near[EPA_FACES];
  short ring_face[EPA_RING];  // faces just outside the faces seen from the latest point, in order
                              // around them
  short ring_edge[EPA_RING];
  real center[3];  // a point inside
  int nvert, nface, nnear, nring;
};

// adds a face; its outward projection of the origin is found here
// returns the projection's squared length; 0: the face has no area
FN_NOINLINE real attach_face(Polytope& t, int v1, int v2, int v3, int f1, int f2, int f3) {
  Face& face = t.face[t.nface++];
  face.vert[0] = short(v1);
  face.vert[1] = short(v2);
  face.vert[2] = short(v3);
  face.beside[0] = short(f1);
  face.beside[1] = short(f2);
  face.beside[2] = short(f3);
  face.slot = -1;
  face.square = 0;
  if (!project_origin(t.vert[v3].p, t.vert[v2].p, t.vert[v1].p, face.v)) {
    return 0;
  }
  real outward[3];
  sub3(outward, t.vert[v1].p, t.center);
  if (dot3(face.v, outward) < 0) {
    scale3(face.v, face.v, -1);
  }
  face.square = dot3(face.v, face.v);
  return face.square;
}

// the next vertex, farthest along d
FN_NOINLINE int add_support(Polytope& t, Shape& a, Shape& b, const real* d, real length) {
  real dir[3] = {1, 0, 0};
  if (length > MINVAL) {
    set3(dir, d[0] / length, d[1] / length, d[2] / length);
  }
  support_difference(a, b, dir, t.vert[t.nvert]);
  return t.nvert++;
}

FN void set_near(Polytope& t, int i) {
  t.face[i].slot = short(t.nnear);
  t.near[t.nnear++] = short(i);
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
FN_NOINLINE int attach_table(Polytope& t, const unsigned* table, int count, real on_face) {
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    const unsigned e = table[i];
    if (attach_face(t, e >> 20 & 15, e >> 16 & 15, e >> 12 & 15, e >> 8 & 15, e >> 4 & 15, e & 15) <
        on_face) {
      return i;
    }
  }
  return -1;
}

FN_NOINLINE void take_vertices(Polytope& t, const Ccd& s) {
  t.nvert = s.n;
  t.nface = t.nnear = t.nring = 0;
  zero3(t.center);
  NO_UNROLL
  for (int i = 0; i < s.n; ++i) {
    t.vert[i] = s.simplex[i];
    add3(t.center, t.center, s.simplex[i].p);
  }
  scale3(t.center, t.center, s.n == 2 ? real(0.5) : s.n == 3 ? real(1.0 / 3.0) : real(0.25));
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
FN bool start_from_segment(Polytope& t, Shape& a, Shape& b, Ccd& s) {
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
    add_support(t, a, b, dir, norm3(dir));
    real turned[3];
    mat_vec3(turned, turn, dir);
    copy3(dir, turned);
  }

  const unsigned faces[6] = {0x023132, 0x042240, 0x034051, 0x132504, 0x124315, 0x143423};
  const int touched = attach_table(t, faces, 6, EPA_ON_FACE);
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
FN bool start_from_tetrahedron(Polytope& t, Ccd& s) {
  const unsigned faces[4] = {0x012132, 0x031230, 0x023031, 0x321201};
  const int touched = attach_table(t, faces, 4, EPA_ON_FACE4);
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
FN bool start_from_triangle(Polytope& t, Shape& a, Shape& b) {
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
    add_support(t, a, b, n, length);
  }
  if (on_triangle(t.vert, t.vert[4].p) || on_triangle(t.vert, t.vert[3].p)) {
    return false;
  }
  const unsigned faces[6] = {0x401132, 0x420240, 0x412051, 0x310504, 0x302315, 0x321423};
  return attach_table(t, faces, 6, EPA_ON_FACE) < 0;
}

// the polytope that EPA starts with; false: the shapes only touch, or the simplex is degenerate
FN bool start_polytope(Polytope& t, Shape& a, Shape& b, Ccd& s) {
  bool is_started = false;
  if (s.n != 3) {
    take_vertices(t, s);
    is_started = s.n == 2 ? start_from_segment(t, a, b, s) : start_from_tetrahedron(t, s);
    if (!is_started) {
      return false;
    }
    is_started = s.n != 3;
  }
  if (!is_started) {
    take_vertices(t, s);
    if (!start_from_triangle(t, a, b)) {
      return false;
    }
  }
  NO_UNROLL
  for (int i = 0; i < t.nface; ++i) {
    set_near(t, i);
  }
  return true;
}
