// The kernels' view of the model and of the batched state: one pointer an array, made from the field lists.
#pragma once

#include "dialect.h"
#include "sizes.h"

/// The compiled model, shared by all worlds; arrays are [rows][columns].
struct Model {
#define OPT(type, name, columns) type opt_##name[columns];
#define FIELD(type, name, rows, columns) const type* name;
#include "model_fields.def"
  real stat_meaninertia;
};

/// The batched state; arrays are [world][rows][columns]. A field made for the dump is null without it.
struct Data {
  int nworld;
  // control noise and replay
  real noise_std;
  real noise_rate;             // seconds; 0: no lag
  int nreplay;                 // rows of replay_ctrl; 0: control is left alone
  const real* replay_ctrl;     // [nreplay][nu] centre of the noise at each step; beyond the end the last row holds
  int* step_counter;           // [steps][NCOUNTER] totals over the worlds for each step; null: not wanted
  int nstep_counter;           // rows of step_counter
#define STATE(type, name, rows, columns) type* name;
#define DUMP(type, name, rows, columns) type* name;
#include "data_fields.def"
};

/// Columns of step_counter; integer sums and maxima over all worlds, so that their order cannot matter.
enum Counter {
  COUNT_NCON_SUM,     // contacts found, also those beyond nconmax
  COUNT_NCON_MAX,
  COUNT_NEFC_SUM,     // rows asked for, also those beyond njmax
  COUNT_NEFC_MAX,
  COUNT_PAIR_SUM,     // geom pairs handed to the narrow phases
  COUNT_PAIR_MAX,     // most entries wanted in the list of primitive pairs
  COUNT_CCD_MAX,      // most entries wanted in the list of convex pairs
  COUNT_HFIELD_MAX,   // most entries wanted in the list of height-field pairs
  COUNT_NITER_SUM,    // solver iterations, the largest over a world's trees
  COUNT_NITER_MAX,
  COUNT_OVERFLOW,     // worlds in which one of the above did not fit
  NCOUNTER
};

/// First element of world w in an array of `count` elements a world. 64-bit: all worlds together can pass 2^31.
template <typename T>
FN T* at_world(T* array, int w, int count) {
  return array + static_cast<long long>(w) * count;
}
