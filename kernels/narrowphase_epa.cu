// Convex geom pairs whose cores overlap: EPA tells how deep and where.
#include "convex_pair.cuh"
#include "epa.cuh"

ITEM_KERNEL(narrowphase_epa, nccd, NCCDMAX) {
  if (at_world(d.ccd_ncon, world, NCCDMAX)[item] != CCD_DEEP) {
    return;
  }
  ConvexPair pair;
  set_pair(m, d, world, item, pair);
  Ccd s;
  s.tolerance = m.opt_ccd_tolerance[0];
  s.iterations = m.opt_ccd_iterations[0];
  load_simplex(d, pair, s);
  d.ccd_ncon[pair.place] = epa(pair.a, pair.b, s) ? keep_contact(m, d, pair, s) : 0;
}
