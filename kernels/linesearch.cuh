// Exact line search along the solver's direction: Newton steps on the slope until they bracket the
// minimum, then the bracket shrinks by its ends' Newton points and its middle. The evaluations come
// in MuJoCo's order, so that iteration counts and last digits agree; the walk is written as a
// machine with a single place that evaluates, for the sake of compile time.
#pragma once

#include "rows.cuh"

/// The Gauss part of the cost along the line: slope and curvature of M and the smooth forces.
struct LineGauss {
  real slope;      // search . (M qacc - qfrc_smooth)
  real curvature;  // search . M search
};

struct LineSearch {
  real alpha;        // 0: no improvement found
  real improvement;  // of the cost
};

/// All lanes call it and get the same point.
FN LinePoint evaluate_line(const Group& g, const Rows& rows, const LineGauss& gauss, real alpha) {
  LinePoint p{alpha, 0, 0, 0};
  NO_UNROLL
  for (int k = g.lane(); k < rows.count; k += g.size) {
    if (Group::size == 1 && k == rows.inequality && k < rows.cone) {
      add_inequality_lines(rows, k, rows.cone, alpha, p);
      k = rows.cone - 1;
      continue;
    }
    add_row_line(rows, k, alpha, p);
  }
  real sum[3] = {p.cost, p.slope, p.curvature};
  g.sum_all(sum);
  p.cost = sum[0] + alpha * (gauss.slope + real(0.5) * alpha * gauss.curvature);
  p.slope = sum[1] + gauss.slope + alpha * gauss.curvature;
  p.curvature = sum[2] + gauss.curvature;
  p.curvature = p.curvature > 0 ? p.curvature : MINVAL;
  return p;
}

FN real newton_point(const LinePoint& p) { return p.alpha - p.slope / p.curvature; }

/// Moves an end of the bracket to p if that is nearer to the minimum on its side.
FN bool tighten(LinePoint& end, const LinePoint& p) {
  const bool nearer = (end.slope < 0 && p.slope < 0 && end.slope < p.slope) ||
                      (end.slope > 0 && p.slope > 0 && end.slope > p.slope);
  if (nearer) {
    end = p;
  }
  return nearer;
}

/// Takes p for the best point if it is flat and cheaper than the flat point found before.
FN void keep_flat(LineSearch& best, bool& found, const LinePoint& p, real slope_tolerance) {
  if (r_abs(p.slope) < slope_tolerance && (!found || p.cost < -best.improvement)) {
    best = {p.alpha, -p.cost};
    found = true;
  }
}

/// @param slope_tolerance   stop where the slope is below it
/// @param floor             stop also where the slope is below this part of the first slope
/// @param max_evaluations   at most so many points
FN LineSearch search_line(const Group& g, const Rows& rows, const LineGauss& gauss,
                          real slope_tolerance, real floor, int max_evaluations) {
  enum Phase { AT_ZERO, FIRST, ONE_SIDED, NEXT, MIDDLE, UPDATE_1, UPDATE_2 };
  Phase phase = AT_ZERO;
  LinePoint p1{}, p2{}, next1{}, next2{};
  real alpha = 0, direction = 1;
  bool moved2 = false;
  NO_UNROLL
  for (int evaluations = 1;; ++evaluations) {
    const LinePoint p = evaluate_line(g, rows, gauss, alpha);
    const bool flat = r_abs(p.slope) < slope_tolerance;
    if (phase == AT_ZERO) {
      p2 = p;
      slope_tolerance = r_max(slope_tolerance, floor * r_abs(p.slope));
      alpha = newton_point(p);
      phase = FIRST;
      continue;
    }

    // Newton steps on one side of the minimum
    if (phase == FIRST || phase == ONE_SIDED) {
      p1 = p;
      if (flat && (p.cost < 0 || (phase == FIRST && p.alpha == 0))) {
        return {p.alpha, -p.cost};
      }
      if (phase == FIRST) {
        direction = p.slope < 0 ? real(1) : real(-1);
      }
      if (p.slope * direction <= -slope_tolerance && evaluations < max_evaluations) {
        p2 = p1;
        alpha = newton_point(p1);
        phase = ONE_SIDED;
        continue;
      }
      if (evaluations >= max_evaluations) {
        return {p.alpha, -p.cost};
      }
      next2 = p1;
      alpha = newton_point(p1);
      phase = NEXT;
      continue;
    }

    // the bracket p1, p2 with the Newton point of each
    if (phase == MIDDLE) {
      LineSearch best{0, 0};
      bool found = false;
      keep_flat(best, found, next1, slope_tolerance);
      keep_flat(best, found, next2, slope_tolerance);
      keep_flat(best, found, p, slope_tolerance);
      if (found) {
        return best;
      }
      bool moved1 = tighten(p1, next1);
      moved1 |= tighten(p1, next2);
      moved1 |= tighten(p1, p);
      moved2 = tighten(p2, next1);
      moved2 |= tighten(p2, next2);
      moved2 |= tighten(p2, p);
      if (!moved1 && !moved2) {
        return {p.alpha, -p.cost};
      }
      alpha = newton_point(moved1 ? p1 : p2);
      phase = moved1 ? UPDATE_1 : UPDATE_2;
      continue;
    }
    if (phase == NEXT) {
      next1 = p;
    } else if (phase == UPDATE_1) {
      next1 = p;
      if (moved2) {
        alpha = newton_point(p2);
        phase = UPDATE_2;
        continue;
      }
    } else {
      next2 = p;
    }
    if (evaluations >= max_evaluations) {
      break;
    }
    alpha = real(0.5) * (p1.alpha + p2.alpha);
    phase = MIDDLE;
  }

  // out of evaluations: the better end, if it is one at all
  if (p1.cost <= p2.cost && p1.cost < 0) {
    return {p1.alpha, -p1.cost};
  }
  return p2.cost <= p1.cost && p2.cost < 0 ? LineSearch{p2.alpha, -p2.cost} : LineSearch{0, 0};
}
