// MuJoCo's primal solvers: minimise 1/2 (a - a_smooth)^T M (a - a_smooth) + cost(J a - aref) over
// the accelerations a of one island. Newton steps along -H^-1 gradient, CG along conjugate
// directions preconditioned by M^-1; both search the line exactly. What depends on how M and J are
// stored is the System's:
//   size()                  entries of its vectors: dofs, and maybe zeros behind them
//   qacc Ma grad search Mv qfrc_smooth force    vectors; force is J^T times the rows' forces
//   mul_M(v, out)           out = M v
//   mul_J(v, out)           out[row] = scale[row] (J v)[row]
//   mul_JT(rows, out)       out = J^T (scale rows)
//   solve_M(v, out)         out = M^-1 v, CG only
//   newton_direction()      search = -H^-1 grad, with H at the rows' present state
//   Mgrad old_grad old_Mgrad   vectors, CG only
#pragma once

#include "linesearch.cuh"

// In float a step is noise, whatever the tolerance asks for, when it improves the cost by less than
// this part of slopes^2 / curvature: the slope is a sum of large terms that cancel, each with a
// rounding error of about 1e-7 of itself, and the gain that it promises is quadratic in it.
constexpr real IMPROVEMENT_FLOOR = real(1e-12);

// And a line search stops in float where less than this part of its first slope is left.
constexpr real SLOPE_FLOOR = sizeof(real) == 4 ? real(1e-4) : real(0);

/// a . b over n entries, for a group of several lanes. Called often, so not inlined: compile time.
FN_NOINLINE real dot_lanes(const Group g, const real* a, const real* b, int n) {
  real sum = 0;
  NO_UNROLL
  for (int i = g.lane(); i < n; i += g.size) {
    sum += a[i] * b[i];
  }
  return g.sum(sum);
}

/// a . b over n entries, in a fixed order; all lanes call it and get the sum.
FN real dot_n(const Group& g, const real* a, const real* b, int n) {
  if constexpr (Group::size == 1) {
    // eight sums side by side, which a compiler can hold in a vector register without reordering
    // anything
    real part[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int i = 0;
    for (; i + 8 <= n; i += 8) {
      for (int k = 0; k < 8; ++k) {
        part[k] += a[i + k] * b[i + k];
      }
    }
    real sum =
        ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
    for (; i < n; ++i) {
      sum += a[i] * b[i];
    }
    return sum;
  } else {
    return dot_lanes(g, a, b, n);
  }
}

/// Length of the search direction, squared, and the Gauss part of the cost along it. All lanes call
/// it.
template <typename System>
FN LineGauss gauss_along(const Group& g, const System& s, real& length2) {
  if constexpr (Group::size == 1) {
    length2 = dot_n(g, s.search, s.search, s.size());
    return {dot_n(g, s.search, s.Ma, s.size()) - dot_n(g, s.search, s.qfrc_smooth, s.size()),
            dot_n(g, s.search, s.Mv, s.size())};
  } else {
    real sum[3] = {0, 0, 0};
    NO_UNROLL
    for (int i = g.lane(); i < s.size(); i += g.size) {
      const real along = s.search[i];
      sum[0] += along * along;
      sum[1] += along * (s.Ma[i] - s.qfrc_smooth[i]);
      sum[2] += along * s.Mv[i];
    }
    g.sum_all(sum);
    length2 = sum[0];
    return {sum[1], sum[2]};
  }
}

/// grad = M qacc - qfrc_smooth - J^T forces, for the rows' present residuals; writes efc_force. All
/// lanes call it.
template <typename System>
FN void update_gradient(const Group& g, const Data& d, System& s, const Rows& rows) {
  row_forces(g, rows);
  g.sync();
  s.mul_JT(rows.v, s.force);
  real* efc_force = at_world(d.efc_force, g.world(), NJMAX);
  NO_UNROLL
  for (int k = g.lane(); k < rows.count; k += g.size) {
    efc_force[rows.row(k)] = rows.scale[k] * rows.v[k];
  }
  NO_UNROLL
  for (int i = g.lane(); i < s.size(); i += g.size) {
    s.grad[i] = s.Ma[i] - s.qfrc_smooth[i] - s.force[i];
  }
  g.sync();
}

/// Next CG direction, by Hager and Zhang's formula; the first is steepest descent. Keeps grad and
/// Mgrad for the next time.
template <typename System>
FN void conjugate_direction(const Group& g, System& s, bool start) {
  const int n = s.size();
  real beta = 0;
  if (!start) {
    // differences to the last gradients
    NO_UNROLL
    for (int i = g.lane(); i < n; i += g.size) {
      s.old_grad[i] = s.grad[i] - s.old_grad[i];
      s.old_Mgrad[i] = s.Mgrad[i] - s.old_Mgrad[i];
    }
    g.sync();
    const real* y = s.old_grad;
    const real dy = dot_n(g, s.search, y, n);
    if (dy >= MINVAL) {
      const real yMy = dot_n(g, y, s.old_Mgrad, n);
      const real yMgrad = dot_n(g, y, s.Mgrad, n);
      const real dgrad = dot_n(g, s.search, s.grad, n);
      const real length = r_sqrt(dot_n(g, s.search, s.search, n));
      const real gradient = r_sqrt(dot_n(g, s.grad, s.grad, n));
      const real bound = -1 / r_max(MINVAL, length * r_min(real(0.01), gradient));
      beta = r_max(bound, (yMgrad - 2 * (yMy / dy) * dgrad) / dy);
    }
  }
  g.sync();
  NO_UNROLL
  for (int i = g.lane(); i < n; i += g.size) {
    s.search[i] = (start ? real(0) : beta * s.search[i]) - s.Mgrad[i];
    s.old_grad[i] = s.grad[i];
    s.old_Mgrad[i] = s.Mgrad[i];
  }
  g.sync();
}

/// Improvement of the cost that rounding errors alone can pretend, for the direction that the rows'
/// v belongs to. All lanes call it.
FN real rounding_floor(const Group& g, const Rows& rows, const LineGauss& gauss) {
  real slopes = 0, curvature = 0;
  NO_UNROLL
  for (int k = g.lane(); k < rows.count; k += g.size) {
    const real v = rows.v[k], force = row_force_size(rows, k);
    slopes += force * r_abs(v);
    curvature += force > 0 ? v * v : real(0);
  }
  real sum[2] = {slopes, curvature};
  g.sum_all(sum);
  slopes = sum[0] + r_abs(gauss.slope);
  curvature = sum[1] + gauss.curvature;
  return IMPROVEMENT_FLOOR * slopes * slopes / r_max(MINVAL, curvature);
}

/// Goes along the search direction to the minimum. All lanes call it.
/// @return   improvement of the cost; alpha is 0 where there is none
template <typename System>
FN LineSearch step_along(const Group& g, const Model& m, System& s, const Rows& rows,
                         real tolerance, real scale) {
  s.mul_M(s.search, s.Mv);
  s.mul_J(s.search, rows.v);
  g.sync();
  real length2 = 0;
  const LineGauss gauss = gauss_along(g, s, length2);
  const real length = r_sqrt(length2);
  if (length < MINVAL) {
    return {0, 0};
  }
  LineSearch found = search_line(g, rows, gauss, tolerance * m.opt_ls_tolerance[0] * length / scale,
                                 SLOPE_FLOOR, m.opt_ls_iterations[0]);
  if (sizeof(real) == 4 && !(found.improvement > rounding_floor(g, rows, gauss))) {
    found.alpha = 0;
  }
  if (found.alpha != 0) {
    NO_UNROLL
    for (int i = g.lane(); i < s.size(); i += g.size) {
      s.qacc[i] += found.alpha * s.search[i];
      s.Ma[i] += found.alpha * s.Mv[i];
    }
    NO_UNROLL
    for (int k = g.lane(); k < rows.count; k += g.size) {
      rows.x[k] += found.alpha * rows.v[k];
    }
  }
  g.sync();
  return found;
}

/// Minimises from the System's qacc, Ma and the rows' x. All lanes call it.
/// @param scale   of cost and gradient for the tests: 1 / sum of M's diagonal
/// @return        iterations
template <typename System>
FN int minimise(const Group& g, const Model& m, const Data& d, System& s, const Rows& rows,
                real scale) {
  const real tolerance = m.opt_tolerance[0];
  real improvement = 0;
  NO_UNROLL
  for (int iteration = 0;; ++iteration) {
    const bool start = iteration == 0;
    update_gradient(g, d, s, rows);
    const bool small_gradient = scale * r_sqrt(dot_n(g, s.grad, s.grad, s.size())) < tolerance;
    const bool small_step = improvement > 0 && improvement < tolerance;
    if ((!start && (small_gradient || small_step)) || iteration >= m.opt_iterations[0]) {
      return iteration;
    }

    // the start's cost is above the minimum by no more than grad M^-1 grad / 2. Newton, which wants
    // its gradient small as well, has a nearer bound below, and needs no M^-1
    if constexpr (!NEWTON) {
      s.solve_M(s.grad, s.Mgrad);
      if (start &&
          r_max(real(0), real(0.5) * scale * dot_n(g, s.grad, s.Mgrad, s.size())) < tolerance) {
        return 0;
      }
    }

    // a direction, and for Newton what it promises
    if constexpr (NEWTON) {
      s.newton_direction();
      const real promise =
          r_max(real(0), -real(0.5) * scale * dot_n(g, s.grad, s.search, s.size()));
      if ((!start || small_gradient) && promise < tolerance) {
        return iteration;
      }
    } else {
      conjugate_direction(g, s, start);
    }
    const LineSearch found = step_along(g, m, s, rows, tolerance, scale);
    if (found.alpha == 0) {
      return iteration;
    }
    improvement = scale * found.improvement;
  }
}

/// Force of the constraints on dof i at the minimum. In float the sum J^T f carries the rounding of
/// stiff rows, D (J qacc - aref), thousands of times that of the acceleration; so where the
/// iterations converged it is what the acceleration says: M qacc - qfrc_smooth, which differs by a
/// gradient below the tolerance. Integrators that are implicit in the velocity start from it.
template <typename System>
FN real force_at_end(const Model& m, const System& s, int i, int iterations) {
  if constexpr (sizeof(real) == 4) {
    if (iterations < m.opt_iterations[0]) {
      return s.Ma[i] - s.qfrc_smooth[i];
    }
  }
  return s.force[i];
}
