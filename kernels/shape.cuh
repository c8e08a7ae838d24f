// Convex shapes as the narrow phases of general pairs see them: geoms, and prisms of a height
// field.
#pragma once

#include "enums.cuh"
#include "model.cuh"
#include "vec.cuh"

// kinds of shapes that occur in pairs of GJK and EPA; others are not compiled
constexpr bool SHAPE_PRISM = PAIR_HFIELD_SPHERE || PAIR_HFIELD_CAPSULE || PAIR_HFIELD_ELLIPSOID ||
                             PAIR_HFIELD_CYLINDER || PAIR_HFIELD_BOX || PAIR_HFIELD_MESH;
constexpr bool SHAPE_SPHERE = PAIR_SPHERE_ELLIPSOID || PAIR_SPHERE_MESH || PAIR_HFIELD_SPHERE;
constexpr bool SHAPE_CAPSULE =
    PAIR_CAPSULE_ELLIPSOID || PAIR_CAPSULE_CYLINDER || PAIR_CAPSULE_MESH || PAIR_HFIELD_CAPSULE;
constexpr bool SHAPE_ELLIPSOID = PAIR_SPHERE_ELLIPSOID || PAIR_CAPSULE_ELLIPSOID ||
                                 PAIR_ELLIPSOID_ELLIPSOID || PAIR_ELLIPSOID_CYLINDER ||
                                 PAIR_ELLIPSOID_BOX || PAIR_ELLIPSOID_MESH || PAIR_HFIELD_ELLIPSOID;
constexpr bool SHAPE_CYLINDER = PAIR_CAPSULE_CYLINDER || PAIR_ELLIPSOID_CYLINDER ||
                                PAIR_CYLINDER_CYLINDER || PAIR_CYLINDER_BOX || PAIR_CYLINDER_MESH ||
                                PAIR_HFIELD_CYLINDER;
constexpr bool SHAPE_BOX =
    PAIR_ELLIPSOID_BOX || PAIR_CYLINDER_BOX || PAIR_BOX_MESH || PAIR_HFIELD_BOX;
constexpr bool SHAPE_MESH = PAIR_SPHERE_MESH || PAIR_CAPSULE_MESH || PAIR_ELLIPSOID_MESH ||
                            PAIR_CYLINDER_MESH || PAIR_BOX_MESH || PAIR_MESH_MESH ||
                            PAIR_HFIELD_MESH;

constexpr int HILL_CLIMB_MIN = 10;  // vertices from which a mesh is searched along its hull's edges

/// A geom, or one prism of a height field, placed in the frame the pair is worked on in.
struct Shape {
  int type;          // GEOM_...; GEOM_HFIELD: a prism
  real size[3];      // as geom_size; a prism: size[0] is the z of its bottom
  real pos[3];       // centre, where GJK starts
  real mat[9];       // axes as columns; a prism: its three top corners as rows
  real margin;       // half of it is added all around the shape
  int vertex;        // latest support point: vertex of the mesh or corner of the box (bits: x, y, z
                     // positive); -1: none
  int hull_vertex;   // the same as index into the hull's graph, where the next search starts; -1:
                     // none
  int nvert;         // mesh only, with the three below
  const real* vert;  // [nvert x 3]
  const int* graph;  // hull in MuJoCo's mesh_graph layout; null: search all vertices
  const int* extrema;  // [27] hull vertex farthest along each direction of a 3 x 3 x 3 grid
};

/// Geom as a shape in the global frame.
FN void make_shape(const Model& m, const Data& d, int w, int geom, real margin, Shape& s) {
  s.type = m.geom_type[geom];
  copy3(s.size, m.geom_size + 3 * geom);
  copy3(s.pos, at_world(d.geom_xpos, w, NGEOM * 3) + 3 * geom);
  copy9(s.mat, at_world(d.geom_xmat, w, NGEOM * 9) + 9 * geom);
  s.margin = margin;
  s.vertex = -1;
  s.hull_vertex = -1;
  s.nvert = 0;
  s.vert = nullptr;
  s.graph = nullptr;
  s.extrema = nullptr;
  if constexpr (SHAPE_MESH) {
    if (s.type == GEOM_MESH) {
      const int mesh = m.geom_dataid[geom];
      const int graph = m.mesh_graphadr[mesh];
      s.nvert = m.mesh_vertnum[mesh];
      s.vert = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
      s.graph = graph >= 0 && s.nvert >= HILL_CLIMB_MIN ? m.mesh_graph + graph : nullptr;
      s.extrema = m.mesh_extrema + 27 * mesh;
    }
  }
}

/// out = pos + mat local
FN_NOINLINE void to_frame(const Shape& s, const real* local, real* out) {
  mat_vec3(out, s.mat, local);
  add3(out, out, s.pos);
}

/// Point of the Minkowski difference a - b, with the points it is the difference of.
struct Vertex {
  real p[3];   // of a - b
  real a[3];   // on a
  real b[3];   // on b
  int ia, ib;  // vertices of a and b, -1 where the shape has none
};
