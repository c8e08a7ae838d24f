// Columns of Data::step_counter, for kernels and host alike; integer sums and maxima over all
// worlds, so that their order cannot matter.
#pragma once

enum Counter {
  COUNT_NCON_SUM,  // contacts found, also those beyond nconmax
  COUNT_NCON_MAX,
  COUNT_NEFC_SUM,  // rows asked for, also those beyond njmax
  COUNT_NEFC_MAX,
  COUNT_PAIR_SUM,    // geom pairs handed to the narrow phases
  COUNT_PAIR_MAX,    // most entries wanted in the list of primitive pairs
  COUNT_CCD_MAX,     // most entries wanted in the list of convex pairs
  COUNT_HFIELD_MAX,  // most entries wanted in the list of height-field pairs
  COUNT_NITER_SUM,   // solver iterations, the largest over a world's trees
  COUNT_NITER_MAX,
  COUNT_OVERFLOW,   // worlds in which one of the above did not fit
  COUNT_NITER_BIN,  // first of NNITERBIN columns: worlds by their solver iterations; the last takes
                    // what is above too
  NCOUNTER = COUNT_NITER_BIN + 32
};
constexpr int NNITERBIN = NCOUNTER - COUNT_NITER_BIN;
