// Narrow phase for pairs with a closed solution: a plane with anything; sphere, capsule and box
// among themselves; sphere with cylinder. A lane takes a pair; contacts are appended in the order
// of the pairs.
#include "collide_box_box.cuh"
#include "collide_capsule_box.cuh"
#include "collide_plane.cuh"
#include "collide_sphere.cuh"
#include "sizes.h"

// most contacts of one pair, among the kinds this scene has
constexpr int PRIMITIVE_CONTACTS = PAIR_BOX_BOX ? BOX_BOX_CONTACTS : 4;

FN Shape shape_of(const Model& m, const real* xpos, const real* xmat, int geom) {
  return Shape{xpos + 3 * geom, xmat + 9 * geom, m.geom_size + 3 * geom};
}

FN MeshView mesh_of(const Model& m, int geom) {
  const int mesh = m.geom_dataid[geom];
  const int vertadr = m.mesh_vertadr[mesh];
  const int polyadr = m.mesh_polyadr[mesh];
  const int graphadr = m.mesh_graphadr[mesh];
  return MeshView{m.mesh_vert + 3 * vertadr,
                  m.mesh_vertnum[mesh],
                  graphadr >= 0 ? m.mesh_graph + graphadr : nullptr,
                  m.mesh_polymapadr + vertadr,
                  m.mesh_polymapnum + vertadr,
                  m.mesh_polymap,
                  m.mesh_polynormal + 3 * polyadr,
                  m.mesh_polyvertadr + polyadr,
                  m.mesh_polyvertnum + polyadr,
                  m.mesh_polyvert};
}

// a plane and the geom g2
FN int collide_with_plane(const Model& m, const Shape& plane, const Shape& other, int g2,
                          real reach, Contact* out) {
  const int type = m.geom_type[g2];
  if constexpr (PAIR_PLANE_SPHERE) {
    if (type == GEOM_SPHERE) {
      return plane_sphere(plane, other.pos, other.size[0], reach, out);
    }
  }
  if constexpr (PAIR_PLANE_CAPSULE) {
    if (type == GEOM_CAPSULE) {
      return plane_capsule(plane, other, reach, out);
    }
  }
  if constexpr (PAIR_PLANE_ELLIPSOID) {
    if (type == GEOM_ELLIPSOID) {
      return plane_ellipsoid(plane, other, reach, out);
    }
  }
  if constexpr (PAIR_PLANE_CYLINDER) {
    if (type == GEOM_CYLINDER) {
      return plane_cylinder(plane, other, reach, out);
    }
  }
  if constexpr (PAIR_PLANE_BOX) {
    if (type == GEOM_BOX) {
      return plane_box(plane, other, reach, out);
    }
  }
  if constexpr (PAIR_PLANE_MESH) {
    if (type == GEOM_MESH) {
      return plane_mesh(plane, other, mesh_of(m, g2), reach, out);
    }
  }
  return 0;
}

// contacts of one pair; reach: farther apart than this there is none
FN int collide_primitive(const Model& m, const real* xpos, const real* xmat, int pair,
                         Contact* out) {
  const int g1 = m.geompair_geom[2 * pair];
  const int g2 = m.geompair_geom[2 * pair + 1];
  const int type1 = m.geom_type[g1];
  const int type2 = m.geom_type[g2];
  const real reach = m.geompair_reach[pair];
  const Shape one = shape_of(m, xpos, xmat, g1);
  const Shape two = shape_of(m, xpos, xmat, g2);
  if (type1 == GEOM_PLANE) {
    return collide_with_plane(m, one, two, g2, reach, out);
  }
  if constexpr (PAIR_SPHERE_SPHERE) {
    if (type1 == GEOM_SPHERE && type2 == GEOM_SPHERE) {
      return sphere_sphere(one.pos, one.size[0], one.mat, two.pos, two.size[0], two.mat, reach,
                           out);
    }
  }
  if constexpr (PAIR_SPHERE_CAPSULE) {
    if (type1 == GEOM_SPHERE && type2 == GEOM_CAPSULE) {
      return sphere_capsule(one, two, reach, out);
    }
  }
  if constexpr (PAIR_SPHERE_CYLINDER) {
    if (type1 == GEOM_SPHERE && type2 == GEOM_CYLINDER) {
      return sphere_cylinder(one, two, reach, out);
    }
  }
  if constexpr (PAIR_CAPSULE_CAPSULE) {
    if (type1 == GEOM_CAPSULE && type2 == GEOM_CAPSULE) {
      return capsule_capsule(one, two, reach, out);
    }
  }
  if constexpr (PAIR_SPHERE_BOX) {
    if (type1 == GEOM_SPHERE && type2 == GEOM_BOX) {
      return sphere_box(one.pos, one.size[0], two, reach, out);
    }
  }
  if constexpr (PAIR_CAPSULE_BOX) {
    if (type1 == GEOM_CAPSULE && type2 == GEOM_BOX) {
      return capsule_box(one, two, reach, out);
    }
  }
  if constexpr (PAIR_BOX_BOX) {
    if (type1 == GEOM_BOX && type2 == GEOM_BOX) {
      return box_box(one, two, reach, out);
    }
  }
  return 0;
}

KERNEL(narrowphase_primitive, 1) {
  const int w = g.world();
  const real* xpos = at_world(d.geom_xpos, w, NGEOM * 3);
  const real* xmat = at_world(d.geom_xmat, w, NGEOM * 9);
  const int* pairs = at_world(d.primitive_pair, w, NPRIMITIVEMAX);
  const int npair = r_min(d.nprimitive[w], NPRIMITIVEMAX);
  int ncon = d.ncon[w];
  NO_UNROLL
  for (int start = 0; start < npair; start += g.size) {
    const int i = start + g.lane();
    const int pair = i < npair ? pairs[i] : -1;
    Contact contacts[PRIMITIVE_CONTACTS];
    const int count = pair >= 0 ? collide_primitive(m, xpos, xmat, pair, contacts) : 0;
    ncon = append_contacts(g, m, d, ncon, pair, count, contacts);
  }
  if (g.lane() == 0) {
    d.ncon[w] = ncon;
  }
}
