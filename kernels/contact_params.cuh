// What a contact's rows are made of: the parameters of its two geoms mixed, or those of an explicit
// pair.
#pragma once

#include "enums.cuh"
#include "model.cuh"
#include "vec.cuh"

/// Friction coefficients are no smaller than this (MuJoCo's mjMINMU).
constexpr real MIN_FRICTION = real(1e-5);

struct ContactParams {
  int condim;        // 1: normal only, 3: and sliding, 4: and torsion, 6: and rolling
  real margin;       // metres; rows are made for distances below it
  real friction[5];  // sliding, sliding, torsion, rolling, rolling
  real solref[2];
  real solreffriction[2];  // of the friction rows of an elliptic contact; zeros: solref holds for
                           // them too
  real solimp[5];
};

/// How much the first geom's solver parameters count: 0 to 1.
FN real solmix_share(real first, real second) {
  if (first >= MINVAL && second >= MINVAL) {
    return first / (first + second);
  }
  if (first < MINVAL && second < MINVAL) {
    return real(0.5);
  }
  return first < MINVAL ? real(0) : real(1);
}

/// Parameters of geoms without an explicit pair: the higher priority decides, equal ones are mixed.
FN void mix_geoms(const Model& m, int g1, int g2, ContactParams& out) {
  const int priority1 = m.geom_priority[g1], priority2 = m.geom_priority[g2];
  const int condim1 = m.geom_condim[g1], condim2 = m.geom_condim[g2];
  const bool equal = priority1 == priority2;
  const real share = equal ? solmix_share(m.geom_solmix[g1], m.geom_solmix[g2])
                           : real(priority1 > priority2 ? 1 : 0);
  out.condim = equal ? r_max(condim1, condim2) : priority1 > priority2 ? condim1 : condim2;
  out.margin = m.geom_margin[g1] + m.geom_margin[g2];

  // reference: times and damping ratios are averaged, stiffness and damping (negative) take the
  // stronger
  const real* ref1 = m.geom_solref + 2 * g1;
  const real* ref2 = m.geom_solref + 2 * g2;
  const bool average = !equal || (ref1[0] > 0 && ref2[0] > 0);
  for (int i = 0; i < 2; ++i) {
    out.solref[i] = average ? share * ref1[i] + (1 - share) * ref2[i] : r_min(ref1[i], ref2[i]);
    out.solreffriction[i] = 0;
  }
  for (int i = 0; i < 5; ++i) {
    out.solimp[i] = share * m.geom_solimp[5 * g1 + i] + (1 - share) * m.geom_solimp[5 * g2 + i];
  }

  // friction: the larger of two equals
  real friction[3];
  for (int i = 0; i < 3; ++i) {
    const real f1 = m.geom_friction[3 * g1 + i], f2 = m.geom_friction[3 * g2 + i];
    friction[i] = equal ? r_max(f1, f2) : priority1 > priority2 ? f1 : f2;
  }
  out.friction[0] = out.friction[1] = friction[0];
  out.friction[2] = friction[1];
  out.friction[3] = out.friction[4] = friction[2];
}

/// Parameters of a contact of geom pair `pair` (index into geompair).
/// Source: MuJoCo documentation, "Contact parameters"
FN void contact_params(const Model& m, int pair, ContactParams& out) {
  const int id = m.geompair_pairid[pair];
  if (NPAIR > 0 && id >= 0) {
    out.condim = m.pair_dim[id];
    out.margin = m.pair_margin[id];
    for (int i = 0; i < 2; ++i) {
      out.solref[i] = m.pair_solref[2 * id + i];
      out.solreffriction[i] = m.pair_solreffriction[2 * id + i];
    }
    for (int i = 0; i < 5; ++i) {
      out.solimp[i] = m.pair_solimp[5 * id + i];
      out.friction[i] = m.pair_friction[5 * id + i];
    }
  } else {
    mix_geoms(m, m.geompair_geom[2 * pair], m.geompair_geom[2 * pair + 1], out);
  }

  // the override flag replaces everything but the dimension
  if (m.opt_enableflags[0] & ENBL_OVERRIDE) {
    out.margin = m.opt_o_margin[0];
    for (int i = 0; i < 2; ++i) {
      out.solref[i] = out.solreffriction[i] = m.opt_o_solref[i];
    }
    for (int i = 0; i < 5; ++i) {
      out.solimp[i] = m.opt_o_solimp[i];
      out.friction[i] = m.opt_o_friction[i];
    }
  }
  for (int i = 0; i < 5; ++i) {
    out.friction[i] = r_max(MIN_FRICTION, out.friction[i]);
  }
}
