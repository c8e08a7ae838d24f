// Convex geom pairs: GJK tells which of them touch.
//
// A thread takes a pair. Most pairs are apart or touch with their margins only, and are done here;
// EPA and the search for several contacts are kernels of their own, so that their threads all have
// work and this one keeps few registers.
#include "approach.cuh"
#include "convex_pair.cuh"

ITEM_KERNEL(narrowphase_convex, nccd, NCCDMAX) {
  ConvexPair pair;
  set_pair(m, d, world, item, pair);
  Ccd s;
  set_limits(m, s);
  int found = approach(pair.a, pair.b, s);
  if (found == CCD_DEEP) {
    save_simplex(d, pair, s);
  } else if (found == 1) {
    found = keep_contact(m, d, pair, s);
  }
  d.ccd_ncon[pair.place] = found;
}
