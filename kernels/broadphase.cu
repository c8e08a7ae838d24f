// Broad phase: which of the geom pairs that may ever meet are near enough now for the narrow phases
// to look at.
//
// Three filters, cheap to dear, each on full warps over what the one before let through. Runs come
// first where a scene has long ones: pairs of one geom with geoms of one body, against a ball about
// the body. Then bounding spheres of pairs, then oriented bounding boxes. On aloha_pot 1089 runs
// shrink to 183 by their spheres and to 31 by the geom's box, which hold 168 of 9011 pairs; of
// these and 143 with planes 132 pass the spheres and 14 the boxes. Lists keep the order of the
// pairs whatever lane found them: runs are consecutive pairs, and each filter keeps the order.
#include "enums.cuh"
#include "near_tests.cuh"

constexpr int NEAR_CAPACITY =
    256;  // pairs that wait for the box filter; at least two rounds of lanes
constexpr int RUN_CAPACITY = NPAIRRUN > 0 ? 128 : 0;  // runs that wait for theirs; the same

/// What is left of one kind's pairs, and memory for what is on its way.
struct Search {
  int pair, pair_end;  // pairs to be tested one by one; a kind begins where the one before ended
  int run, run_end;    // runs to be tested, likewise
  int nwaiting;        // runs of `waiting` that were near by their spheres
  int taken;           // of these, so many went through the box filter
  int slot, nslot;     // pairs of the runs that came through last, and how many were handed out
  int* waiting;        // [RUN_CAPACITY]
  int* slot_begin;     // [Group::size] of the runs that came through last: slot of the first pair,
  int* slot_pair;      // [Group::size] and the first pair minus that slot
};

/// Appends `item` of those lanes that keep theirs to a list of `length` items, in the order of the
/// lanes. @return the new length, which counts also what did not fit
FN int append(Group g, bool keep, int item, int* list, int length, int capacity) {
  int total;
  const int place = length + g.count_before(keep, &total);
  if (keep && place < capacity) {
    list[place] = item;
  }
  return length + total;
}

/// Tests the spheres of runs until enough wait for the box filter.
FN void gather_runs(Group g, const Model& m, const Places& at, Search& s) {
  s.nwaiting = s.taken = 0;
  NO_UNROLL
  for (; s.run < s.run_end && s.nwaiting <= RUN_CAPACITY - g.size;
       s.run = r_min(s.run + g.size, s.run_end)) {
    const int run = s.run + g.lane();
    const bool keep = run < s.run_end && run_spheres_meet(m, at, run);
    s.nwaiting = append(g, keep, run, s.waiting, s.nwaiting, RUN_CAPACITY);
  }
  g.sync();
}

/// Sends the next runs that wait through the box filter and numbers the pairs of those that pass.
FN void lay_out_runs(Group g, const Model& m, const Places& at, Search& s) {
  const int i = s.taken + g.lane();
  int first = 0, count = 0;
  if (i < s.nwaiting && run_boxes_meet(m, at, s.waiting[i])) {
    first = m.pairrun[4 * s.waiting[i]];
    count = m.pairrun[4 * s.waiting[i] + 1];
  }
  s.taken += g.size;
  s.slot = 0;
  const int begin = g.exclusive_scan(count, &s.nslot);
  g.sync();  // all have read the pairs of the runs before
  s.slot_begin[g.lane()] = begin;
  s.slot_pair[g.lane()] = first - begin;
  g.sync();
}

/// The pair of a slot: of the last run that begins there or before.
FN int pair_of_slot(Group g, const Search& s, int slot) {
  int i = 0;
  NO_UNROLL
  for (int step = g.size / 2; step > 0; step /= 2) {
    i += s.slot_begin[i + step] <= slot ? step : 0;
  }
  return s.slot_pair[i] + slot;
}

/// A round of pairs to be tested, in order.
/// @param pair   this lane's, -1: none
/// @return       false: there are no more
FN bool next_pairs(Group g, const Model& m, const Places& at, Search& s, int& pair) {
  pair = -1;
  if (s.pair < s.pair_end) {
    pair = s.pair + g.lane() < s.pair_end ? s.pair + g.lane() : -1;
    s.pair = r_min(s.pair + g.size, s.pair_end);
    return true;
  }
  if constexpr (NPAIRRUN > 0) {
    NO_UNROLL
    while (s.slot >= s.nslot) {
      if (s.taken >= s.nwaiting) {
        if (s.run >= s.run_end) {
          return false;
        }
        gather_runs(g, m, at, s);
      }
      lay_out_runs(g, m, at, s);
    }
    pair = s.slot + g.lane() < s.nslot ? pair_of_slot(g, s, s.slot + g.lane()) : -1;
    s.slot += g.size;
    return true;
  }
  return false;
}

/// Runs the box filter over the pairs that wait and appends those that pass to the list.
FN int keep_boxes(Group g, const Model& m, const Places& at, const int* waiting, int nwaiting,
                  int* list, int length, int capacity) {
  NO_UNROLL
  for (int start = 0; start < nwaiting; start += g.size) {
    const int i = start + g.lane();
    const int pair = i < nwaiting ? waiting[i] : -1;
    const bool keep = pair >= 0 && boxes_meet(m, at, pair);
    length = append(g, keep, pair, list, length, capacity);
  }
  return length;
}

/// Lists the pairs of a search that are near, in order; returns how many there are.
FN int near_pairs(Group g, const Model& m, const Places& at, Search& s, int* waiting, int* list,
                  int capacity) {
  int nwaiting = 0, length = 0;
  bool more = true;
  NO_UNROLL
  while (more) {
    int pair;
    more = next_pairs(g, m, at, s, pair);
    const bool keep = pair >= 0 && spheres_meet(m, at, pair);
    nwaiting = append(g, keep, pair, waiting, nwaiting, NEAR_CAPACITY);
    if (!more || nwaiting > NEAR_CAPACITY - g.size) {
      g.sync();
      length = keep_boxes(g, m, at, waiting, nwaiting, list, length, capacity);
      nwaiting = 0;
      g.sync();
    }
  }
  return length;
}

/// Moves the ends of a search on to those of the next kind of narrow phase: pairs of planes are
/// tested one by one, others by runs where there are any.
FN void search_kind(Search& s, int kind) {
  if constexpr (NPAIRRUN > 0) {
    s.pair_end = NPAIR_PLANE;
    s.run_end = kind == 0 ? NRUN_PRIMITIVE : kind == 1 ? NRUN_PRIMITIVE + NRUN_CONVEX : NPAIRRUN;
  } else {
    s.pair_end = kind == 0   ? NPAIR_PRIMITIVE
                 : kind == 1 ? NPAIR_PRIMITIVE + NPAIR_CONVEX
                             : NGEOMPAIR;
  }
}

KERNEL(broadphase, 1) {
  static_assert(NEAR_CAPACITY >= 2 * Group::size, "a round of lanes must fit beside what waits");
  SHARED(Ball, ball, BALLS_ARE_SHARED ? NBALL : 0);
  SHARED(int, waiting, NEAR_CAPACITY);
  SHARED(int, waiting_run, RUN_CAPACITY);
  SHARED(int, slot_begin, NPAIRRUN > 0 ? Group::size : 0);
  SHARED(int, slot_pair, NPAIRRUN > 0 ? Group::size : 0);
  const int w = g.world();
  const Places at = {at_world(d.geom_xpos, w, NGEOM * 3), at_world(d.geom_xmat, w, NGEOM * 9),
                     at_world(d.xpos, w, NBODY * 3), at_world(d.xmat, w, NBODY * 9), ball};
  const bool off = (m.opt_disableflags[0] & (DSBL_CONTACT | DSBL_CONSTRAINT)) != 0;
  compute_balls(g, m, at);
  g.sync();
  Search s{};
  s.waiting = waiting_run;
  s.slot_begin = slot_begin;
  s.slot_pair = slot_pair;
  NO_UNROLL
  for (int kind = 0; kind < 3; ++kind) {
    if (!off) {
      search_kind(s, kind);
    }
    int* const list = kind == 0   ? at_world(d.primitive_pair, w, NPRIMITIVEMAX)
                      : kind == 1 ? at_world(d.ccd_pair, w, NCCDMAX)
                                  : at_world(d.hfield_pair, w, NHFIELDPAIRMAX);
    const int capacity = kind == 0 ? NPRIMITIVEMAX : kind == 1 ? NCCDMAX : NHFIELDPAIRMAX;
    const int length = near_pairs(g, m, at, s, waiting, list, capacity);
    if (g.lane() == 0) {
      int* const count = kind == 0 ? d.nprimitive : kind == 1 ? d.nccd : d.nhfieldpair;
      count[w] = length;
      d.ncon[w] = 0;
    }
  }
}
