// What a shape touches another one with: its faces and edges at the vertices that GJK or EPA ended
// with. Polyhedra have faces and edges; a cylinder has its caps and the line along its side, a
// capsule that line only.
#pragma once

#include "convex_pair.cuh"

// about 5.1 degrees: cosine from which two faces count as parallel, sine below which an edge lies
// in a face
constexpr real FACE_ALIGNED = real(0.996);
constexpr real EDGE_ALIGNED = real(0.0888);

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
FN_NOINLINE void find_edge(const Model& m, const Shape& s, const Feature& f, int i, real* edge) {
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

// what a shape touches the other one with
FN_NOINLINE void find_feature(const Model& m, const Ccd& s, int which, int geom, const Shape& shape,
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
