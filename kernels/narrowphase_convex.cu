// Contacts of convex geom pairs: GJK, EPA, and several points where faces or edges lie flat on each
// other.
//
// One thread a pair writes the pair's contacts to a place of its own; a second kernel appends them
// to the world's list in the order of the pairs, so that the order never depends on which thread
// was first.
#include "ccd.cuh"
#include "contact.cuh"
#include "multicontact.cuh"
#include "quat.cuh"

constexpr int CCD_CONTACTS =
    4;  // most contacts of a pair; columns of ccd_dist, thirds of ccd_pos and ccd_normal

// pairs of shapes that both have edges, one of them a face
constexpr bool MULTICONTACT = PAIR_CAPSULE_CYLINDER || PAIR_CAPSULE_MESH ||
                              PAIR_CYLINDER_CYLINDER || PAIR_CYLINDER_BOX || PAIR_CYLINDER_MESH ||
                              PAIR_BOX_MESH || PAIR_MESH_MESH;

/// A pair on its way through the narrow phase.
struct ConvexPair {
  int geom1, geom2;
  real reach;      // margin + gap
  real origin[3];  // of the frame that the shapes are in
  Shape a, b;
};

FN void set_contact(const Ccd& s, real reach, Contact& contact) {
  contact.dist = reach + s.dist;
  add3(contact.pos, s.x1, s.x2);
  scale3(contact.pos, contact.pos, real(0.5));
  copy3(contact.normal, s.normal);
  zero3(contact.tangent);
}

// the pair's shapes; in float about the first one's centre, so that digits are not spent on where
// the pair is
FN void set_pair(const Model& m, const Data& d, int w, int index, ConvexPair& pair) {
  pair.geom1 = m.geompair_geom[2 * index];
  pair.geom2 = m.geompair_geom[2 * index + 1];
  pair.reach = m.geompair_reach[index];
  make_shape(m, d, w, pair.geom1, pair.reach, pair.a);
  make_shape(m, d, w, pair.geom2, pair.reach, pair.b);
  scale3(pair.origin, pair.a.pos, SINGLE ? real(1) : real(0));
  sub3(pair.a.pos, pair.a.pos, pair.origin);
  sub3(pair.b.pos, pair.b.pos, pair.origin);
}

// contacts of one pair; returns their number
FN int collide(const Model& m, ConvexPair& pair, Contact* contacts) {
  Ccd s;
  s.tolerance = m.opt_ccd_tolerance[0];
  s.iterations = m.opt_ccd_iterations[0];
  if (!penetrate(pair.a, pair.b, s)) {
    return 0;
  }
  set_contact(s, pair.reach, contacts[0]);
  if constexpr (MULTICONTACT) {
    const bool is_wanted = !(m.opt_disableflags[0] & DSBL_MULTICCD);
    if (is_wanted && has_edges(pair.a) && has_edges(pair.b) &&
        (has_faces(pair.a) || has_faces(pair.b))) {
      const int count =
          multicontact(m, pair.geom1, pair.geom2, pair.a, pair.b, s, pair.reach, contacts);
      return count > 0 ? count : 1;
    }
  }
  return 1;
}

ITEM_KERNEL(narrowphase_convex, nccd, NCCDMAX) {
  const int index = at_world(d.ccd_pair, world, NCCDMAX)[item];
  ConvexPair pair;
  set_pair(m, d, world, index, pair);
  Contact contacts[CCD_CONTACTS];
  const int count = collide(m, pair, contacts);
  at_world(d.ccd_ncon, world, NCCDMAX)[item] = count;
  real* dist = at_world(d.ccd_dist, world, NCCDMAX * CCD_CONTACTS) + CCD_CONTACTS * item;
  real* pos = at_world(d.ccd_pos, world, NCCDMAX * CCD_CONTACTS * 3) + CCD_CONTACTS * 3 * item;
  real* normal =
      at_world(d.ccd_normal, world, NCCDMAX * CCD_CONTACTS * 3) + CCD_CONTACTS * 3 * item;
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    dist[i] = contacts[i].dist;
    add3(pos + 3 * i, contacts[i].pos, pair.origin);
    copy3(normal + 3 * i, contacts[i].normal);
  }
}

// appends the pairs' contacts to the world's list
KERNEL(narrowphase_convex_gather, 1) {
  const int w = g.world();
  const int npair = r_min(d.nccd[w], NCCDMAX);
  const int* ncon = at_world(d.ccd_ncon, w, NCCDMAX);
  int end = d.ncon[w];
  g.sync();  // all have read ncon before it is written
  NO_UNROLL
  for (int first = 0; first < npair; first += g.size) {
    const int item = first + g.lane();
    const int count = item < npair ? ncon[item] : 0;
    const int index = item < npair ? at_world(d.ccd_pair, w, NCCDMAX)[item] : 0;
    int total = 0;
    const int place = end + g.exclusive_scan(count, &total);
    NO_UNROLL
    for (int i = 0; i < count; ++i) {
      const long long at = CCD_CONTACTS * (static_cast<long long>(w) * NCCDMAX + item) + i;
      Contact contact;
      contact.dist = d.ccd_dist[at];
      copy3(contact.pos, d.ccd_pos + 3 * at);
      copy3(contact.normal, d.ccd_normal + 3 * at);
      zero3(contact.tangent);
      put_contact(m, d, w, place + i, index, contact);
    }
    end += total;
  }
  if (g.lane() == 0) {
    d.ncon[w] = end;
  }
}
