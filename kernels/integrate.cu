// Ends a step: Euler with implicit joint damping, implicitfast or implicit. RK4 has rk4.cu.
//
// What an integrator is implicit in changes the matrix that turns forces into accelerations:
//   Euler         M + h diag(damping)
//   implicitfast  M - h D, D the derivative of the smooth forces by velocity without the bias
//   forces, made symmetric;
//                 with them, and not symmetric, for bodies that float alone
//   implicit      M - h D, all of it
#include "advance.cuh"
#include "factor.cuh"
#include "implicit.cuh"

/// True when the integrator solves for an acceleration of its own.
FN bool is_implicit(const Model& m) {
  if constexpr (INTEGRATOR == INT_EULER) {
    return HAS_DAMPING && !(m.opt_disableflags[0] & (DSBL_EULERDAMP | DSBL_DAMPER));
  }
  return NV > 0;
}

/// Accelerations over the step, into s.x. Returns them, or the solver's when the integrator is
/// explicit.
FN const real* step_acceleration(Group g, const Model& m, const Data& d, int w, const Implicit& s) {
  if (!is_implicit(m)) {
    return at_world(d.qacc, w, NV);
  }
  load_system(g, m, d, w, s);
  if constexpr (INTEGRATOR != INT_EULER) {
    add_velocity_derivatives(g, m, d, w, s);
  }
  if constexpr (INTEGRATOR == INT_IMPLICIT) {
    for (int t = 0; t < NTREE; ++t) {
      solve_unsymmetric<true>(g, m, s.A, s.diagonal, s.x, t);
    }
  } else {
    tree_factor_solve<false>(g, m, s.A, s.diagonal, s.x);
  }
  return s.x;
}

KERNEL(integrate, 1) {
  SHARED(real, memory, WORK_IS_SHARED ? IMPLICIT_REALS : 0);
  const int w = g.world();
  const Implicit s =
      carve_implicit(WORK_IS_SHARED ? memory : at_world(d.smooth_scratch, w, NSMOOTHSCRATCH));
  const real* qacc = step_acceleration(g, m, d, w, s);
  advance_activations(g, m, d, w, at_world(d.act_dot, w, NA));
  g.sync();
  advance_motion(g, m, d, w, qacc, nullptr);
}
