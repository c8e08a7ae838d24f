// Exact line search along the solver's direction: Newton steps on the slope until they bracket the
// minimum, then the bracket shrinks by its ends' Newton points and its middle. The evaluations come
// in MuJoCo's order, so that iteration counts and last digits agree; the walk is written as a
// machine with a single place that evaluates, for the sake of compile time and of full warps.
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
  if constexpr (Group::size == 1) {
    for (int k = 0; k < rows.count; ++k) {
      if (k == rows.inequality && k < rows.cone) {
        add_inequality_lines(rows, k, rows.cone, alpha, p);
        k = rows.cone - 1;
        continue;
      }
      add_row_line(rows, k, alpha, p);
    }
  } else {
    NO_UNROLL
    for (int i = g.lane(); i < rows.line_count(); i += g.size) {
      add_line(rows, rows.line_row(i), alpha, p);
    }
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

/// The walk's state.
struct LineWalk {
  enum Phase { AT_ZERO, FIRST, ONE_SIDED, NEXT, MIDDLE, UPDATE_1, UPDATE_2 };
  Phase phase = AT_ZERO;
  LinePoint p1{}, p2{}, next1{}, next2{};
  real alpha = 0, direction = 1;  // where to evaluate
  bool moved2 = false;
  LineSearch result{0, 0};
};

/// Takes the newest point, with the slopes' tolerance, and says whether the result stands. Its
/// exits lead to one place, so that groups that share a warp go on together.
FN bool take_point(LineWalk& s, const LinePoint& p, real floor, bool is_last,
                   real& slope_tolerance) {
  const bool flat = r_abs(p.slope) < slope_tolerance;
  if (s.phase == LineWalk::AT_ZERO) {
    s.p2 = p;
    slope_tolerance = r_max(slope_tolerance, floor * r_abs(p.slope));
    s.alpha = newton_point(p);
    s.phase = LineWalk::FIRST;
    return false;
  }

  // Newton steps on one side of the minimum
  if (s.phase == LineWalk::FIRST || s.phase == LineWalk::ONE_SIDED) {
    const bool is_first = s.phase == LineWalk::FIRST;
    s.p1 = p;
    if (is_first) {
      s.direction = p.slope < 0 ? real(1) : real(-1);
    }
    if (is_last || (flat && (p.cost < 0 || (is_first && p.alpha == 0)))) {
      s.result = {p.alpha, -p.cost};
      return true;
    }
    if (p.slope * s.direction <= -slope_tolerance) {
      s.p2 = p;
      s.phase = LineWalk::ONE_SIDED;
    } else {
      s.next2 = p;
      s.phase = LineWalk::NEXT;
    }
    s.alpha = newton_point(p);
    return false;
  }

  // the bracket p1, p2 with the Newton point of each
  if (s.phase == LineWalk::MIDDLE) {
    bool found = false;
    keep_flat(s.result, found, s.next1, slope_tolerance);
    keep_flat(s.result, found, s.next2, slope_tolerance);
    keep_flat(s.result, found, p, slope_tolerance);
    if (found) {
      return true;
    }
    bool moved1 = tighten(s.p1, s.next1);
    moved1 |= tighten(s.p1, s.next2);
    moved1 |= tighten(s.p1, p);
    s.moved2 = tighten(s.p2, s.next1);
    s.moved2 |= tighten(s.p2, s.next2);
    s.moved2 |= tighten(s.p2, p);
    s.result = moved1 || s.moved2 ? LineSearch{0, 0} : LineSearch{p.alpha, -p.cost};
    s.alpha = newton_point(moved1 ? s.p1 : s.p2);
    s.phase = moved1 ? LineWalk::UPDATE_1 : LineWalk::UPDATE_2;
    return !moved1 && !s.moved2;
  }
  if (s.phase == LineWalk::UPDATE_2) {
    s.next2 = p;
  } else {
    s.next1 = p;
    if (s.phase == LineWalk::UPDATE_1 && s.moved2) {
      s.alpha = newton_point(s.p2);
      s.phase = LineWalk::UPDATE_2;
      return false;
    }
  }
  if (is_last) {
    // the better end, if it is one at all
    const bool is_first = s.p1.cost <= s.p2.cost;
    const real cost = is_first ? s.p1.cost : s.p2.cost;
    s.result = cost < 0 ? LineSearch{is_first ? s.p1.alpha : s.p2.alpha, -cost} : LineSearch{0, 0};
    return true;
  }
  s.alpha = real(0.5) * (s.p1.alpha + s.p2.alpha);
  s.phase = LineWalk::MIDDLE;
  return false;
}

/// @param slope_tolerance   stop where the slope is below it
/// @param floor             stop also where the slope is below this part of the first slope
/// @param max_evaluations   at most so many points
FN LineSearch search_line(const Group& g, const Rows& rows, const LineGauss& gauss,
                          real slope_tolerance, real floor, int max_evaluations) {
  LineWalk walk;
  bool is_done = false;
  NO_UNROLL
  for (int evaluations = 1; !is_done; ++evaluations) {
    const LinePoint p = evaluate_line(g, rows, gauss, walk.alpha);
    is_done = take_point(walk, p, floor, evaluations >= max_evaluations, slope_tolerance);
  }
  return walk.result;
}
