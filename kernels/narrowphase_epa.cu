// Convex geom pairs whose cores overlap: EPA tells how deep and where. The lanes of a world's group
// work on one pair after the other together.
#include "convex_pair.cuh"
#include "epa.cuh"

FN void measure_depth(const Group& g, const Model& m, const Data& d, int w, int item) {
  ConvexPair pair;
  set_pair(m, d, w, item, pair);
  Ccd s;
  set_limits(m, s);
  load_simplex(d, pair, s);
  static_assert(sizeof(PolytopeRoom) <= NCCDSCRATCH * sizeof(real), "room for the polytope");
  PolytopeRoom& room = *reinterpret_cast<PolytopeRoom*>(at_world(d.ccd_scratch, w, NCCDSCRATCH));
  const bool overlaps = epa(g, room, pair.a, pair.b, s);
  g.sync();  // all have read what is written now, and the room is free again
  if (g.lane() == 0) {
    d.ccd_ncon[pair.place] = overlaps ? keep_contact(m, d, pair, s) : 0;
  }
}

KERNEL(narrowphase_epa, 1) {
  const int w = g.world();
  for_each_left(g, d, w, CCD_DEEP, [&](int item) { measure_depth(g, m, d, w, item); });
}
