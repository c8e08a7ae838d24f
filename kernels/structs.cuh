// Model and Data, what every kernel is called with. The host includes this file too, once with
// `real` as float and once as double, so that both sides agree on the layout; hence no include
// guard, and nothing here but the two structs.

/// The compiled model, shared by all worlds; arrays are [rows][columns].
struct Model {
#define OPT(type, name, columns) type opt_##name[columns];
#define FIELD(type, name, rows, columns) const type* name;
#include "model_fields.def"
  real stat_meaninertia;
};

/// The batched state; arrays are [world][rows][columns]. A field made for the dump is null without
/// it.
struct Data {
  int nworld;
  // control noise and replay
  real noise_std;
  real noise_rate;          // seconds; 0: no lag
  int nreplay;              // rows of replay_ctrl; 0: control is left alone
  const real* replay_ctrl;  // [nreplay][nu] centre of the noise at each step; beyond the end the
                            // last row holds
  int* step_counter;  // [steps][NCOUNTER] totals over the worlds for each step; null: not wanted
  int nstep_counter;  // rows of step_counter
#define STATE(type, name, rows, columns) type* name;
#define DUMP(type, name, rows, columns) type* name;
#include "data_fields.def"
};
