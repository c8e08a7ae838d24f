// Height fields, second part: contacts of geoms with prisms of the ground. Each prism is a convex
// pair with the geom.
//
// The lanes of a world's group take one prism each for GJK. EPA is rare, and all lanes work on one
// prism after the other. Contacts are appended in the order of the prisms.
#include "approach.cuh"
#include "contact.cuh"
#include "epa.cuh"
#include "hfield_pair.cuh"

constexpr int HFIELD_CONTACTS = 50;  // most contacts of a pair, MuJoCo's mjMAXCONPAIR

/// A prism that may be touched.
struct Candidate {
  int entry;  // its pair's in the world's list; -1: none
  int prism;
};

/// What is left of a world's candidates: the list, then all prisms behind it if it is too short.
struct Candidates {
  int item, nitem;    // in the list
  int entry, nentry;  // beyond the list: the pair
  int prism;          // and its first prism that is left
};

FN Candidates start_candidates(const Data& d, int w) {
  const int count = d.nhfieldprism[w];
  const int npair = r_min(d.nhfieldpair[w], NHFIELDPAIRMAX);
  Candidates c = {0, r_min(count, NHFIELDPRISMMAX), npair, npair, 0};
  if (count > NHFIELDPRISMMAX) {
    const int* latest =
        at_world(d.hfield_prism, w, NHFIELDPRISMMAX * 2) + 2 * (NHFIELDPRISMMAX - 1);
    c.entry = latest[0];
    c.prism = latest[1] + 1;
  }
  return c;
}

/// A candidate for each lane, in order. @return false: none is left
FN bool next_candidates(Group g, const Data& d, int w, Candidates& c, Candidate& mine) {
  mine.entry = -1;
  if (c.item < c.nitem) {
    const int item = c.item + g.lane();
    if (item < c.nitem) {
      const int* place = at_world(d.hfield_prism, w, NHFIELDPRISMMAX * 2) + 2 * item;
      mine = Candidate{place[0], place[1]};
    }
    c.item += g.size;
    return true;
  }
  NO_UNROLL
  for (; c.entry < c.nentry; ++c.entry) {
    const int nprism = at_world(d.hfield_cells, w, NHFIELDPAIRMAX * 4)[4 * c.entry + 3];
    if (c.prism < nprism) {
      mine = Candidate{c.prism + g.lane() < nprism ? c.entry : -1, c.prism + g.lane()};
      c.prism += g.size;
      return true;
    }
    c.prism = 0;
  }
  return false;
}

/// The contact of a prism, in the global frame.
FN void make_contact(const Model& m, const Data& d, int w, const HFieldPair& pair, const Ccd& s,
                     Contact& contact) {
  const int geom1 = m.geompair_geom[2 * pair.index];
  const real* mat1 = at_world(d.geom_xmat, w, NGEOM * 9) + 9 * geom1;
  real pos[3];
  add3(pos, s.x1, s.x2);
  scale3(pos, pos, real(0.5));
  mat_vec3(contact.pos, mat1, pos);
  add3(contact.pos, contact.pos, at_world(d.geom_xpos, w, NGEOM * 3) + 3 * geom1);
  mat_vec3(contact.normal, mat1, s.normal);
  zero3(contact.tangent);
  contact.dist = pair.reach + s.dist;
}

/// Whether a prism and its geom touch, by GJK, and if all lanes ask for the same one by EPA, too.
/// @return   CCD_DEEP: EPA has to tell; else the number of contacts, 0 or 1
FN int collide_prism(Group g, const Model& m, const Data& d, int w, const Candidate& candidate,
                     bool is_shared, Contact& contact) {
  if (candidate.entry < 0) {
    return 0;
  }
  HFieldPair pair;
  load_pair(m, d, w, candidate.entry, pair);
  Shape prism, geom;
  if (!make_prism(m, pair, candidate.prism, prism)) {
    return 0;
  }
  load_geom(m, d, w, pair, geom);
  Ccd s;
  set_limits(m, s);
  int found = approach(prism, geom, s);
  if (is_shared) {
    static_assert(sizeof(PolytopeRoom) <= NCCDSCRATCH * sizeof(real), "room for the polytope");
    PolytopeRoom& room = *reinterpret_cast<PolytopeRoom*>(at_world(d.ccd_scratch, w, NCCDSCRATCH));
    found = epa(g, room, prism, geom, s) ? 1 : 0;
    g.sync();  // the room is free again
  }
  if (found == 1) {
    make_contact(m, d, w, pair, s, contact);
  }
  return found;
}

/// GJK and EPA for a round of candidates: first each lane its own, then all lanes together those
/// whose cores overlap, one after the other.
/// @return   whether this lane's has a contact
FN bool collide_round(Group g, const Model& m, const Data& d, int w, const Candidate& mine,
                      Contact& contact) {
  Candidate now = mine;
  int lane = g.lane();
  unsigned deep = 0;
  bool is_shared = false, is_found = false;
  NO_UNROLL
  do {
    Contact latest;
    const int found = collide_prism(g, m, d, w, now, is_shared, latest);
    if (found == 1 && lane == g.lane()) {
      contact = latest;
      is_found = true;
    }
    deep = is_shared ? deep & (deep - 1) : g.warp_mask(found == CCD_DEEP);
    is_shared = true;
    if (deep != 0) {
      lane = lowest_bit(deep);
      now = Candidate{g.broadcast(mine.entry, lane), g.broadcast(mine.prism, lane)};
    }
  } while (deep != 0);
  return is_found;
}

/// Which of a pair's contacts a lane's is, counting from 0.
/// @param found_before   contacts of the pairs before, an entry a pair; -1: not known yet
/// @param nfound         contacts so far
FN int rank_in_pair(Group g, int entry, bool is_found, int* found_before, int& nfound) {
  int total;
  const int before = nfound + g.count_before(is_found, &total);
  const int previous = g.broadcast(entry, r_max(g.lane() - 1, 0));
  if (entry >= 0 && (g.lane() == 0 || previous != entry) && found_before[entry] < 0) {
    found_before[entry] = before;
  }
  g.sync();
  nfound += total;
  return entry >= 0 ? before - found_before[entry] : 0;
}

KERNEL(narrowphase_hfield, 1) {
  static_assert(Group::size <= 32, "votes name the lanes of one warp");
  const int w = g.world();
  Candidates left = start_candidates(d, w);
  Candidate mine;
  int end = d.ncon[w], nfound = 0;
  g.sync();  // all have read ncon before it is written
  NO_UNROLL
  while (next_candidates(g, d, w, left, mine)) {
    Contact contact;
    const bool is_found = collide_round(g, m, d, w, mine, contact);

    // a pair's contacts beyond the most it may have are left out, the latest ones first
    int* found_before = at_world(d.hfield_found, w, NHFIELDPAIRMAX);
    const int rank = rank_in_pair(g, mine.entry, is_found, found_before, nfound);
    const bool keep = is_found && rank < HFIELD_CONTACTS;
    int total;
    const int place = end + g.count_before(keep, &total);
    if (keep) {
      const int index = at_world(d.hfield_pair, w, NHFIELDPAIRMAX)[mine.entry];
      put_contact(m, d, w, place, index, contact);
    }
    end += total;
  }
  if (g.lane() == 0) {
    d.ncon[w] = end;
  }
}
