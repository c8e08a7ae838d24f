// The point of a convex shape that is farthest along a direction.
#pragma once

#include "shape.cuh"

// vertex of a mesh farthest along a direction of its own frame, trying all; the latest one wins a
// tie
FN int farthest_vertex(const Shape& s, const real* dir) {
  int best = s.vertex >= 0 ? s.vertex : 0;
  real best_along = s.vertex >= 0 ? dot3(dir, s.vert + 3 * best) : real(-1e30);
  NO_UNROLL
  for (int i = 0; i < s.nvert; ++i) {
    const real along = dot3(dir, s.vert + 3 * i);
    if (along > best_along) {
      best_along = along;
      best = i;
    }
  }
  return best;
}

// -1, 0 or 1: the cell of a coordinate of a unit vector in the grid of `extrema`
FN int grid_cell(real x) { return (x > real(0.4) ? 1 : 0) - (x < real(-0.4) ? 1 : 0); }

// hull vertex farthest along a direction of the mesh's frame, walking along the hull's edges
FN int climb_hull(const Shape& s, const real* dir) {
  const int nhull = s.graph[0];
  const int* edge_adr = s.graph + 2;
  const int* global = s.graph + 2 + nhull;
  const int* edge = s.graph + 2 + 2 * nhull;

  // start at the grid's vertex, or where the latest search ended if that is as far
  int best = s.extrema[9 * grid_cell(dir[0]) + 3 * grid_cell(dir[1]) + grid_cell(dir[2]) + 13];
  real best_along = dot3(dir, s.vert + 3 * global[best]);
  if (s.hull_vertex >= 0) {
    const real along = dot3(dir, s.vert + 3 * global[s.hull_vertex]);
    if (!(best_along > along)) {
      best = s.hull_vertex;
      best_along = along;
    }
  }

  // to the best neighbour until none is farther
  int previous = -1;
  NO_UNROLL
  while (best != previous) {
    previous = best;
    NO_UNROLL
    for (const int* neighbour = edge + edge_adr[previous]; *neighbour >= 0; ++neighbour) {
      const real along = dot3(dir, s.vert + 3 * global[*neighbour]);
      if (along > best_along) {
        best_along = along;
        best = *neighbour;
      }
    }
  }
  return best;
}

FN void support_prism(const Shape& s, const real* dir, real* out) {
  // the half that faces the direction, then the best of its three corners
  const bool bottom = dir[2] < 0;
  real best_along = 0;
  NO_UNROLL
  for (int i = 0; i < 3; ++i) {
    const real corner[3] = {s.mat[3 * i], s.mat[3 * i + 1], bottom ? s.size[0] : s.mat[3 * i + 2]};
    const real along = dot3(corner, dir);
    if (i == 0 || along > best_along) {
      best_along = along;
      copy3(out, corner);
    }
  }
}

FN void support_ellipsoid(const Shape& s, const real* dir, real* local) {
  set3(local, dir[0] * s.size[0], dir[1] * s.size[1], dir[2] * s.size[2]);
  const real square = dot3(local, local);
  if (square < MINVAL * MINVAL) {
    set3(local, s.size[0], 0, 0);
  } else {
    const real inverse = 1 / r_sqrt(square);
    set3(local, local[0] * (inverse * s.size[0]), local[1] * (inverse * s.size[1]),
         local[2] * (inverse * s.size[2]));
  }
}

FN void support_cylinder(const Shape& s, const real* dir, real* local) {
  const real square = dir[0] * dir[0] + dir[1] * dir[1];
  const real scale = square >= MINVAL * MINVAL ? s.size[0] / r_sqrt(square) : real(0);
  set3(local, scale * dir[0], scale * dir[1], dir[2] >= 0 ? s.size[1] : -s.size[1]);
}

FN void support_box(Shape& s, const real* dir, real* local) {
  int corner = 0;
  for (int i = 0; i < 3; ++i) {
    const bool positive = dir[i] >= 0;
    local[i] = positive ? s.size[i] : -s.size[i];
    corner |= positive ? 1 << i : 0;
  }
  s.vertex = corner;
}

FN void support_mesh(Shape& s, const real* dir, real* local) {
  if (s.graph == nullptr) {
    s.vertex = farthest_vertex(s, dir);
  } else {
    s.hull_vertex = climb_hull(s, dir);
    s.vertex = s.graph[2 + s.graph[0] + s.hull_vertex];
  }
  copy3(local, s.vert + 3 * s.vertex);
}

/// Point of a shape, margin included, that is farthest along `dir`; remembers which vertex it is.
/// @param dir   direction, unit where the shape is round or has a margin
/// @param out   [3] the point; not dir
FN_NOINLINE void support(Shape& s, const real* dir, real* out) {
  if (SHAPE_SPHERE && s.type == GEOM_SPHERE) {
    set3(out, s.size[0] * dir[0] + s.pos[0], s.size[0] * dir[1] + s.pos[1],
         s.size[0] * dir[2] + s.pos[2]);
  } else if (SHAPE_PRISM && s.type == GEOM_HFIELD) {
    support_prism(s, dir, out);
  } else {
    real local_dir[3], local[3] = {0, 0, 0};
    mat_tvec3(local_dir, s.mat, dir);
    if (SHAPE_CAPSULE && s.type == GEOM_CAPSULE) {
      scale3(local, local_dir, s.size[0]);
      local[2] += local_dir[2] >= 0 ? s.size[1] : -s.size[1];
    } else if (SHAPE_ELLIPSOID && s.type == GEOM_ELLIPSOID) {
      support_ellipsoid(s, local_dir, local);
    } else if (SHAPE_CYLINDER && s.type == GEOM_CYLINDER) {
      support_cylinder(s, local_dir, local);
    } else if (SHAPE_BOX && s.type == GEOM_BOX) {
      support_box(s, local_dir, local);
    } else if (SHAPE_MESH) {
      support_mesh(s, local_dir, local);
    }
    to_frame(s, local, out);
  }
  if (s.margin > 0) {
    add_scaled3(out, dir, real(0.5) * s.margin);
  }
}

/// Support point of a - b along `dir`, a unit vector.
FN_NOINLINE void support_difference(Shape& a, Shape& b, const real* dir, Vertex& v) {
  const real opposite[3] = {-dir[0], -dir[1], -dir[2]};
  NO_UNROLL
  for (int i = 0; i < 2; ++i) {  // one call site: the shapes' code stands there once
    support(i == 0 ? a : b, i == 0 ? dir : opposite, i == 0 ? v.a : v.b);
  }
  sub3(v.p, v.a, v.b);
  v.ia = a.vertex;
  v.ib = b.vertex;
}
