// Sets the controls of the coming step: Ornstein-Uhlenbeck noise around the keyframe's control or
// the replay's.
#include "model.cuh"

/// Element `index` of the Halton sequence in `base`: the digits of the index mirrored at the point,
/// in [0, 1).
template <typename Index>
FN real halton(Index index, Index base) {
  const real step = 1 / real(base);
  real weight = step;
  real value = 0;
  NO_UNROLL
  while (index > 0) {
    const Index rest = index / base;
    value += weight * real(index - rest * base);
    weight *= step;
    index = rest;
  }
  return value;
}

/// Draw of a world, actuator and step, between -1 and 1. The index can pass 2^32, where division is
/// slower.
FN real draw(int step, int world, int actuator) {
  const unsigned long long index = (step + 1ull) * (world + 1ull);
  if (index < 0xffffffffull) {
    return 2 * halton<unsigned>(unsigned(index), unsigned(actuator + 2)) - 1;
  }
  return 2 * halton<unsigned long long>(index, actuator + 2ull) - 1;
}

KERNEL(control, 1) {
  if (d.nreplay == 0) {
    return;
  }
  const int w = g.world();
  const int step = d.step_index[w];
  real* ctrl = at_world(d.ctrl, w, NU);
  const int row = step < d.nreplay ? step : d.nreplay - 1;
  const real* centre = at_world(d.replay_ctrl, row, NU);

  // the process over one time step: what remains, and the size of the new noise
  const real keep = d.noise_rate > 0 ? r_exp(-m.opt_timestep[0] / d.noise_rate) : real(0);
  const real scale = d.noise_std * r_sqrt(1 - keep * keep);

  NO_UNROLL
  for (int u = g.lane(); u < NU; u += g.size) {
    const bool limited = m.actuator_ctrllimited[u] != 0;
    const real low = m.actuator_ctrlrange[2 * u];
    const real high = m.actuator_ctrlrange[2 * u + 1];
    real value = keep * ctrl[u] + (1 - keep) * centre[u];
    if (scale > 0) {
      const real half_range = limited ? real(0.5) * (high - low) : real(1);
      value += scale * half_range * draw(step, w, u);
    }
    ctrl[u] = limited ? r_min(r_max(value, low), high) : value;
  }
}
