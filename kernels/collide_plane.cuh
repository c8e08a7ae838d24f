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

// A mesh against a plane touches with its lowest vertex, and with other corners of the hull's face
// that is at that vertex and lies flattest. Of a face with many corners four are kept: the lowest,
// and three others that make the quadrangle large (growing from the lowest's neighbours; not always
// the largest). Source: the behaviour of MuJoCo 4.0, found by experiment; 3.12 took other vertices.
constexpr int PLANE_MESH_CONTACTS = 4;

/// A mesh's vertices and hull faces in the geom's frame; see mesh_graph and mesh_poly* of mjModel.
struct MeshView {
  const real* vert;  // [nvert][3]
  int nvert;
  const int* graph;       // null: no hull, and no faces
  const int* polymapadr;  // [nvert] faces around a vertex: polymap[polymapadr .. + polymapnum)
  const int* polymapnum;
  const int* polymap;      // [] face of this mesh
  const real* polynormal;  // [npoly][3]
  const int* polyvertadr;  // [npoly] corners of a face: polyvert[polyvertadr .. + polyvertnum)
  const int* polyvertnum;
  const int* polyvert;  // [] vertex
};

// the vertex lowest along `up`; of equal ones the first
FN int lowest_vertex(const MeshView& mesh, const real* up) {
  const int count = mesh.graph != nullptr ? mesh.graph[0] : mesh.nvert;
  const int* globalid = mesh.graph != nullptr ? mesh.graph + 2 + count : nullptr;
  int best = 0;
  real lowest = real(1e30);
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    const int v = globalid != nullptr ? globalid[i] : i;
    const real height = dot3(up, mesh.vert + 3 * v);
    if (height < lowest) {
      lowest = height;
      best = v;
    }
  }
  return best;
}

// the face around vertex v that faces down most, -1: there is none
FN int flattest_face(const MeshView& mesh, const real* up, int v) {
  int best = -1;
  real lowest = real(1e30);
  NO_UNROLL
  for (int i = 0; i < mesh.polymapnum[v]; ++i) {
    const int face = mesh.polymap[mesh.polymapadr[v] + i];
    const real slope = dot3(up, mesh.polynormal + 3 * face);
    if (slope < lowest) {
      lowest = slope;
      best = face;
    }
  }
  return best;
}

// the corners of a face, counted from the corner `first`
struct FaceCorners {
  const real* vert;
  const int* polyvert;
  int count;
  int first;
  FN_MEMBER int vertex(int k) const { return polyvert[(first + k) % count]; }
};

// area of the quadrangle of four corners
FN real quadrangle(const FaceCorners& face, int a, int b, int c, int d) {
  real across1[3];
  real across2[3];
  real product[3];
  sub3(across1, face.vert + 3 * face.vertex(c), face.vert + 3 * face.vertex(a));
  sub3(across2, face.vert + 3 * face.vertex(d), face.vert + 3 * face.vertex(b));
  cross3(product, across1, across2);
  return real(0.5) * norm3(product);
}

// moves corner 3 on as long as the area grows, after each move corners 2 and 1; corner 0 stays
FN_NOINLINE void grow_quadrangle(const FaceCorners& face, int* corner) {
  real area = quadrangle(face, corner[0], corner[1], corner[2], corner[3]);
  int moving = 3;
  NO_UNROLL
  for (int steps = 0; steps < 4 * face.count; ++steps) {
    int trial[4] = {corner[0], corner[1], corner[2], corner[3]};
    trial[moving] = (trial[moving] + 1) % face.count;
    const real larger = quadrangle(face, trial[0], trial[1], trial[2], trial[3]);
    if (larger > area) {
      area = larger;
      corner[moving] = trial[moving];
      moving = moving == 3 ? 2 : moving;
    } else if (moving == 3) {
      return;
    } else {
      moving = moving == 2 ? 1 : 3;
    }
  }
}

FN int plane_mesh(const Shape& plane, const Shape& geom, const MeshView& mesh, real margin,
                  Contact* out) {
  real normal[3];
  real up[3];
  mat_column3(normal, plane.mat, 2);
  mat_tvec3(up, geom.mat, normal);
  const int first = lowest_vertex(mesh, up);
  const int polygon = mesh.graph != nullptr ? flattest_face(mesh, up, first) : -1;

  // the face's corners from the lowest on
  FaceCorners face = {mesh.vert, &first, 1, 0};
  if (polygon >= 0) {
    face.polyvert = mesh.polyvert + mesh.polyvertadr[polygon];
    face.count = mesh.polyvertnum[polygon];
    while (face.first < face.count - 1 && face.polyvert[face.first] != first) {
      ++face.first;
    }
  }
  int corner[PLANE_MESH_CONTACTS] = {0, 1, 2, 3};
  if (face.count > PLANE_MESH_CONTACTS) {
    grow_quadrangle(face, corner);
  }

  int count = 0;
  NO_UNROLL
  for (int k = 0; k < r_min(face.count, PLANE_MESH_CONTACTS); ++k) {
    real point[3];
    mat_vec3(point, geom.mat, mesh.vert + 3 * face.vertex(corner[k]));
    add3(point, point, geom.pos);
    const real dist = plane_distance(plane, normal, point);
    if (dist <= margin) {
      plane_contact(point, normal, dist, out + count++);
    }
  }
  return count;
}
