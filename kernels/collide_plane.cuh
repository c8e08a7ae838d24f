// A plane against sphere, capsule, ellipsoid, cylinder, box and mesh. The plane is the first geom:
// normals point from it to the other. Functions append to `out` and return how many contacts they
// made.
#pragma once

#include "contact.cuh"
#include "enums.cuh"
#include "vec.cuh"

/// A geom's place and shape in the world: centre, axes as columns, sizes as in MJCF.
struct Shape {
  const real* pos;   // [3]
  const real* mat;   // [9]
  const real* size;  // [3]
};

// fills a contact whose second surface has the point `on_other` at signed distance `dist` along the
// normal
FN void plane_contact(const real* on_other, const real* normal, real dist, Contact* out) {
  out->dist = dist;
  copy3(out->normal, normal);
  copy3(out->pos, on_other);
  add_scaled3(out->pos, normal, real(-0.5) * dist);
  zero3(out->tangent);
}

// signed distance of a point from the plane, along its normal
FN real plane_distance(const Shape& plane, const real* normal, const real* point) {
  real away[3];
  sub3(away, point, plane.pos);
  return dot3(away, normal);
}

FN int plane_sphere(const Shape& plane, const real* centre, real radius, real margin,
                    Contact* out) {
  real normal[3];
  mat_column3(normal, plane.mat, 2);
  const real height = plane_distance(plane, normal, centre);
  if (height > margin + radius) {
    return 0;
  }
  real touch[3];
  copy3(touch, centre);
  add_scaled3(touch, normal, -radius);
  plane_contact(touch, normal, height - radius, out);
  return 1;
}

// both ends of the capsule, with the first tangent along its axis
FN int plane_capsule(const Shape& plane, const Shape& capsule, real margin, Contact* out) {
  real axis[3];
  mat_column3(axis, capsule.mat, 2);
  int count = 0;
  NO_UNROLL
  for (int side = 1; side >= -1; side -= 2) {
    real end[3];
    copy3(end, capsule.pos);
    add_scaled3(end, axis, side * capsule.size[1]);
    const int found = plane_sphere(plane, end, capsule.size[0], margin, out + count);
    if (found != 0) {
      copy3(out[count].tangent, axis);
    }
    count += found;
  }
  return count;
}

FN int plane_ellipsoid(const Shape& plane, const Shape& ellipsoid, real margin, Contact* out) {
  real normal[3];
  mat_column3(normal, plane.mat, 2);

  // lowest point: the direction scaled by the sizes, normalised, scaled again
  real local[3];
  mat_tvec3(local, ellipsoid.mat, normal);
  real direction[3] = {-local[0] * ellipsoid.size[0], -local[1] * ellipsoid.size[1],
                       -local[2] * ellipsoid.size[2]};
  normalize3(direction);
  const real scaled[3] = {direction[0] * ellipsoid.size[0], direction[1] * ellipsoid.size[1],
                          direction[2] * ellipsoid.size[2]};
  real lowest[3];
  mat_vec3(lowest, ellipsoid.mat, scaled);
  add3(lowest, lowest, ellipsoid.pos);
  const real dist = plane_distance(plane, normal, lowest);
  if (dist > margin) {
    return 0;
  }
  plane_contact(lowest, normal, dist, out);
  return 1;
}

// up to four: the lowest point of each disc, then two that make a triangle on the disc nearer to
// the plane
FN int plane_cylinder(const Shape& plane, const Shape& cylinder, real margin, Contact* out) {
  const real radius = cylinder.size[0];
  real normal[3];
  real axis[3];
  mat_column3(normal, plane.mat, 2);
  mat_column3(axis, cylinder.mat, 2);

  // axis towards the plane
  real slope = dot3(normal, axis);
  if (slope > 0) {
    scale3(axis, axis, -1);
    slope = -slope;
  }

  // from the centre of a disc to its lowest point; any direction will do when the disc is parallel
  // to the plane
  real down[3];
  scale3(down, axis, slope);
  sub3(down, down, normal);
  const real length2 = dot3(down, down);
  if (length2 >= MINVAL * MINVAL) {
    scale3(down, down, radius / r_sqrt(length2));
  } else {
    mat_column3(down, cylinder.mat, 0);
    scale3(down, down, radius);
  }
  const real down_height = dot3(down, normal);
  const real centre_height = plane_distance(plane, normal, cylinder.pos);
  scale3(axis, axis, cylinder.size[1]);
  slope *= cylinder.size[1];

  // the near disc, then the far one
  real point[3];
  real height = centre_height + slope + down_height;
  if (height > margin) {
    return 0;
  }
  add3(point, cylinder.pos, down);
  add3(point, point, axis);
  plane_contact(point, normal, height, out);
  int count = 1;
  height = centre_height - slope + down_height;
  if (height <= margin) {
    add3(point, cylinder.pos, down);
    sub3(point, point, axis);
    plane_contact(point, normal, height, out + count++);
  }

  // two more points of the near disc, a third of a turn to each side
  height = centre_height + slope - real(0.5) * down_height;
  if (height <= margin) {
    real sideways[3];
    cross3(sideways, down, axis);
    normalize3(sideways);
    scale3(sideways, sideways, radius * r_sqrt(real(3)) / 2);
    NO_UNROLL
    for (int side = 1; side >= -1; side -= 2) {
      copy3(point, cylinder.pos);
      add_scaled3(point, sideways, real(side));
      add3(point, point, axis);
      add_scaled3(point, down, real(-0.5));
      plane_contact(point, normal, height, out + count++);
    }
  }
  return count;
}

// the corners below the margin and below the box's centre, four at most
FN int plane_box(const Shape& plane, const Shape& box, real margin, Contact* out) {
  real normal[3];
  mat_column3(normal, plane.mat, 2);
  const real centre_height = plane_distance(plane, normal, box.pos);
  int count = 0;
  NO_UNROLL
  for (int i = 0; i < 8 && count < 4; ++i) {
    const real local[3] = {(i & 1) != 0 ? box.size[0] : -box.size[0],
                           (i & 2) != 0 ? box.size[1] : -box.size[1],
                           (i & 4) != 0 ? box.size[2] : -box.size[2]};
    real corner[3];
    mat_vec3(corner, box.mat, local);
    const real below = dot3(normal, corner);
    if (centre_height + below > margin || below > 0) {
      continue;
    }
    add3(corner, corner, box.pos);
    plane_contact(corner, normal, centre_height + below, out + count++);
  }
  return count;
}

// Contacts of a mesh with a plane: its lowest vertex, and up to two more below the margin that are
// far enough from it.
constexpr int PLANE_MESH_CONTACTS = 3;
constexpr real PLANE_MESH_SPREAD =
    real(0.3);  // least distance from the first contact, relative to geom_rbound

/// What plane_mesh needs of the mesh: all vertices, and the neighbours of each in the hull's graph.
struct MeshView {
  const real* vert;  // [nvert][3] in the geom's frame
  int nvert;
  const int* graph;  // null: no hull; see mesh_graph of mjModel
  real rbound;
};

// hull-local index and vertex index of the vertex lowest along -direction; of equal ones the first
FN int lowest_vertex(const MeshView& mesh, const real* local_up, int* hull_index) {
  const int count = mesh.graph != nullptr ? mesh.graph[0] : mesh.nvert;
  const int* globalid = mesh.graph != nullptr ? mesh.graph + 2 + count : nullptr;
  int best = 0;
  int best_local = 0;
  real lowest = real(1e30);
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    const int v = globalid != nullptr ? globalid[i] : i;
    const real height = dot3(local_up, mesh.vert + 3 * v);
    if (height < lowest) {
      lowest = height;
      best = v;
      best_local = i;
    }
  }
  *hull_index = best_local;
  return best;
}

FN int plane_mesh(const Shape& plane, const Shape& geom, const MeshView& mesh, real margin,
                  Contact* out) {
  real normal[3];
  real local_up[3];
  mat_column3(normal, plane.mat, 2);
  mat_tvec3(local_up, geom.mat, normal);
  int hull_index;
  const int first = lowest_vertex(mesh, local_up, &hull_index);
  real point[3];
  mat_vec3(point, geom.mat, mesh.vert + 3 * first);
  add3(point, point, geom.pos);
  const real dist = plane_distance(plane, normal, point);
  if (dist > margin) {
    return 0;
  }
  plane_contact(point, normal, dist, out);
  int count = 1;

  // neighbours of the first in the hull, or all vertices where there is no hull
  const int numvert = mesh.graph != nullptr ? mesh.graph[0] : 0;
  const int* neighbour =
      mesh.graph != nullptr ? mesh.graph + 2 + 2 * numvert + mesh.graph[2 + hull_index] : nullptr;
  const int* globalid = mesh.graph != nullptr ? mesh.graph + 2 + numvert : nullptr;
  const real centre_height = plane_distance(plane, normal, geom.pos);
  NO_UNROLL
  for (int i = 0; count < PLANE_MESH_CONTACTS; ++i) {
    if (neighbour != nullptr ? neighbour[i] < 0 : i >= mesh.nvert) {
      break;
    }
    const int v = neighbour != nullptr ? globalid[neighbour[i]] : i;
    const real height = centre_height + dot3(local_up, mesh.vert + 3 * v);
    if (v == first || height >= margin) {
      continue;
    }
    mat_vec3(point, geom.mat, mesh.vert + 3 * v);
    add3(point, point, geom.pos);
    if (distance3(point, out[0].pos) < PLANE_MESH_SPREAD * mesh.rbound) {
      continue;
    }
    plane_contact(point, normal, plane_distance(plane, normal, point), out + count++);
  }
  return count;
}
