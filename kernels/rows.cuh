// The rows of an island as the solver keeps them: scaled by the square root of D, so that a
// quadratic row costs x^2 / 2 and pushes with -x. A row belongs to one lane; an elliptic contact to
// the lane of its first row.
#pragma once

#include "cone.cuh"
#include "enums.cuh"
#include "model.cuh"
#include "vec.cuh"

constexpr bool ROWS_ON_CHIP = NJMAX <= 256;  // else they are in row_scratch and row_kind

enum RowKind {
  ROW_EQUALITY,
  ROW_FRICTION,  // linear beyond param
  ROW_INEQUALITY,
  ROW_CONE_REST,  // a further row of an elliptic contact
  ROW_CONE = 8    // first row of an elliptic contact, plus its number of rows; param is its mu
};

struct Rows {
  int count;
  int friction;  // first row of a kind above equality, above friction, and first that may be a cone
  int inequality;
  int cone;
  const int* list;  // row in efc_*, of each
  real* x;          // scaled residual: sqrt(D) (J qacc - aref)
  real* v;          // change of x along the search direction; between searches, the scaled forces
  real* scale;      // sqrt(D)
  real* param;
  int* kind;
  const unsigned short* line = nullptr;  // the rows that a line search looks at; null: all
  int lines = 0;
  FN_MEMBER int line_count() const { return line != nullptr ? lines : count; }
  FN_MEMBER int line_row(int i) const { return line != nullptr ? line[i] : i; }
  FN_MEMBER int row(int k) const { return NTREE == 1 ? k : list[k]; }
};

/// Puts the rows' numbers into row_scratch and row_kind, from entry `first` on.
FN void scratch_rows(const Data& d, int w, int first, Rows& rows) {
  real* scratch = at_world(d.row_scratch, w, 4 * NJMAX) + first;
  rows.x = scratch;
  rows.v = scratch + NJMAX;
  rows.scale = scratch + 2 * NJMAX;
  rows.param = scratch + 3 * NJMAX;
  rows.kind = at_world(d.row_kind, w, NJMAX) + first;
}

/// Fills scale, param and kind. All lanes call it; sync before others read.
FN void load_rows(const Group& g, const Data& d, Rows& rows) {
  const int w = g.world();
  int equalities = 0, frictions = 0, plain = 0;
  NO_UNROLL
  for (int k = g.lane(); k < rows.count; k += g.size) {
    const int r = rows.row(k);
    const int type = at_world(d.efc_type, w, NJMAX)[r];
    const real scale = r_sqrt(at_world(d.efc_D, w, NJMAX)[r]);
    int kind = type == CNSTR_EQUALITY ? ROW_EQUALITY : ROW_INEQUALITY;
    real param = 0;
    if (type == CNSTR_FRICTION_DOF) {
      kind = ROW_FRICTION;
      param = at_world(d.efc_frictionloss, w, NJMAX)[r] / scale;
    } else if (ELLIPTIC && type == CNSTR_CONTACT_ELLIPTIC) {
      const int contact = at_world(d.efc_id, w, NJMAX)[r];
      const bool first = at_world(d.contact_efc_address, w, NCONMAX)[contact] == r;
      kind = first ? ROW_CONE + at_world(d.contact_nrow, w, NCONMAX)[contact] : ROW_CONE_REST;
      param = first ? at_world(d.efc_mu, w, NJMAX * 6)[6 * r] : real(0);
    }
    rows.scale[k] = scale;
    rows.param[k] = param;
    rows.kind[k] = kind;
    equalities += kind == ROW_EQUALITY ? 1 : 0;
    frictions += kind == ROW_FRICTION ? 1 : 0;
    plain += !ELLIPTIC || type < CNSTR_CONTACT_FRICTIONLESS ? 1 : 0;
  }
  if constexpr (Group::size == 1) {
    rows.friction = equalities;
    rows.inequality = equalities + frictions;
    rows.cone = plain;
  }
}

/// Lists the rows that are not a cone's further ones, for groups of several lanes. All lanes call
/// it; sync before others read.
FN void list_lines(const Group& g, Rows& rows, unsigned short* line) {
  rows.line = line;
  NO_UNROLL
  for (int first = 0; first < rows.count; first += g.size) {
    const int k = first + g.lane();
    const bool mine = k < rows.count && rows.kind[k] != ROW_CONE_REST;
    int total = 0;
    const int place = rows.lines + g.count_before(mine, &total);
    if (mine) {
      line[place] = static_cast<unsigned short>(k);
    }
    rows.lines += total;
  }
}

/// Squared length of a contact's tangential entries, k being its first row.
FN real tangent_square(const real* x, int k, int dim) {
  real sum = 0;
  NO_UNROLL
  for (int j = 1; j < dim; ++j) {
    sum += x[k + j] * x[k + j];
  }
  return sum;
}

/// Cost of row k at residuals x; an elliptic contact's at its first row.
FN real row_cost(const Rows& rows, int k, const real* x) {
  const int kind = rows.kind[k];
  const real bound = rows.param[k];
  if (kind == ROW_FRICTION && r_abs(x[k]) >= bound) {
    return bound * (r_abs(x[k]) - real(0.5) * bound);
  }
  if (kind <= ROW_FRICTION || (kind == ROW_INEQUALITY && x[k] < 0)) {
    return real(0.5) * x[k] * x[k];
  }
  return ELLIPTIC && kind > ROW_CONE ? cone_cost(x[k], tangent_square(x, k, kind - ROW_CONE), bound)
                                     : real(0);
}

/// Cost of the rows at residuals x less that at y, row by row, so that what does not differ cannot
/// drown what does. All lanes call it and get the sum.
FN real rows_cost_difference(const Group& g, const Rows& rows, const real* x, const real* y) {
  real cost = 0;
  NO_UNROLL
  for (int k = g.lane(); k < rows.count; k += g.size) {
    real change = 0;
    NO_UNROLL
    for (int side = 0; side < 2; ++side) {
      change = row_cost(rows, k, side == 0 ? y : x) - change;
    }
    cost += change;
  }
  return g.sum(cost);
}

/// Forces of an elliptic contact whose first row is k.
FN void cone_forces(const Rows& rows, int k, int dim) {
  const real mu = rows.param[k], n = rows.x[k];
  const real t = r_sqrt(tangent_square(rows.x, k, dim));
  const ConeZone zone = cone_zone(n, t, mu);
  if (zone != CONE_MIDDLE) {
    NO_UNROLL
    for (int j = 0; j < dim; ++j) {
      rows.v[k + j] = zone == CONE_TOP ? real(0) : -rows.x[k + j];
    }
    return;
  }
  const real normal = -cone_factor(mu) * (n - mu * t);
  rows.v[k] = normal;
  NO_UNROLL
  for (int j = 1; j < dim; ++j) {
    rows.v[k + j] = -normal * mu * rows.x[k + j] / t;
  }
}

/// Scaled forces at x, into v. All lanes call it; sync before others read.
FN void row_forces(const Group& g, const Rows& rows) {
  if constexpr (Group::size == 1) {
    for (int k = rows.inequality; k < rows.cone; ++k) {
      rows.v[k] = rows.x[k] < 0 ? -rows.x[k] : real(0);
    }
  }
  NO_UNROLL
  for (int k = g.lane(); k < rows.count; k += g.size) {
    if (Group::size == 1 && k == rows.inequality && k < rows.cone) {
      k = rows.cone - 1;  // done above
      continue;
    }
    const int kind = rows.kind[k];
    const real x = rows.x[k];
    if (kind == ROW_EQUALITY) {
      rows.v[k] = -x;
    } else if (kind == ROW_FRICTION) {
      rows.v[k] = r_max(-rows.param[k], r_min(rows.param[k], -x));
    } else if (kind == ROW_INEQUALITY) {
      rows.v[k] = x < 0 ? -x : real(0);
    } else if (ELLIPTIC && kind > ROW_CONE) {
      cone_forces(rows, k, kind - ROW_CONE);
    }
  }
}

/// Size of the row's scaled force, roughly: a cone's rows count with all they could have.
FN real row_force_size(const Rows& rows, int k) {
  const int kind = rows.kind[k];
  const real size = r_abs(rows.x[k]);
  if (kind == ROW_FRICTION) {
    return r_min(size, rows.param[k]);
  }
  return kind == ROW_INEQUALITY && rows.x[k] >= 0 ? real(0) : size;
}

/// Does the row enter the Hessian with weight one? Not so the rows of a cone in its middle zone.
FN bool is_quadratic(const Rows& rows, int k) {
  const int kind = rows.kind[k];
  const real x = rows.x[k];
  return kind == ROW_EQUALITY || (kind == ROW_FRICTION && r_abs(x) < rows.param[k]) ||
         (kind == ROW_INEQUALITY && x < 0);
}

/// A point of the line search: cost less that at 0, and its derivatives.
struct LinePoint {
  real alpha;
  real cost;
  real slope;
  real curvature;
};

/// Adds a contact's part of the cost along the line.
FN void add_cone_line(const Rows& rows, int k, real alpha, LinePoint& p) {
  const int dim = rows.kind[k] - ROW_CONE;
  ConeLine line{rows.x[k], rows.v[k], 0, 0, 0};
  NO_UNROLL
  for (int j = 1; j < dim; ++j) {
    line.xx += rows.x[k + j] * rows.x[k + j];
    line.xd += rows.x[k + j] * rows.v[k + j];
    line.dd += rows.v[k + j] * rows.v[k + j];
  }
  p.cost += cone_cost_change(line, alpha, rows.param[k]);
  cone_slopes(line, alpha, rows.param[k], &p.slope, &p.curvature);
}

/// add_row_line for lanes that do alike whatever the kinds of their rows: but for cones, a row
/// pushes with -x, cut off at the bounds of its kind.
FN void add_line(const Rows& rows, int k, real alpha, LinePoint& p) {
  const int kind = rows.kind[k];
  if (ELLIPTIC && kind > ROW_CONE) {
    add_cone_line(rows, k, alpha, p);
  } else if (!ELLIPTIC || kind != ROW_CONE_REST) {
    const real most = kind == ROW_FRICTION ? rows.param[k] : real(1e30);
    const real least = kind == ROW_INEQUALITY ? real(0) : -most;
    const real x = rows.x[k], v = rows.v[k], step = alpha * v, at = x + step;
    const real from = r_max(least, r_min(most, -x)), to = r_max(least, r_min(most, -at));
    p.cost -= to * step + (to - from) * (x + real(0.5) * (to + from));
    p.slope -= v * to;
    p.curvature += -at > least && -at < most ? v * v : real(0);
  }
}

/// Adds one row's part of the cost along the line (an elliptic contact's at its first row).
FN void add_row_line(const Rows& rows, int k, real alpha, LinePoint& p) {
  const int kind = rows.kind[k];
  const real x = rows.x[k], v = rows.v[k];
  const real at = x + alpha * v;
  const real half = real(0.5);
  if (kind == ROW_EQUALITY) {
    p.cost += alpha * v * (x + half * alpha * v);
    p.slope += v * at;
    p.curvature += v * v;
  } else if (kind == ROW_INEQUALITY) {
    const bool from = x < 0, to = at < 0;
    p.cost += from && to ? alpha * v * (x + half * alpha * v)
              : to       ? half * at * at
              : from     ? -half * x * x
                         : real(0);
    p.slope += to ? v * at : real(0);
    p.curvature += to ? v * v : real(0);
  } else if (kind == ROW_FRICTION) {
    // Huber: quadratic within the bound, linear outside
    const real bound = rows.param[k];
    const bool from = r_abs(x) < bound, to = r_abs(at) < bound;
    if (from && to) {
      p.cost += alpha * v * (x + half * alpha * v);
    } else if (!from && !to && (x < 0) == (at < 0)) {
      p.cost += (x < 0 ? -bound : bound) * alpha * v;
    } else {
      p.cost += (to ? half * at * at : bound * (r_abs(at) - half * bound)) -
                (from ? half * x * x : bound * (r_abs(x) - half * bound));
    }
    p.slope += v * r_max(-bound, r_min(bound, at));
    p.curvature += to ? v * v : real(0);
  } else if (ELLIPTIC && kind > ROW_CONE) {
    add_cone_line(rows, k, alpha, p);
  }
}

/// Adds rows first .. last-1, which are all of ROW_INEQUALITY, to the point: branch-free, eight
/// side by side.
FN void add_inequality_lines(const Rows& rows, int first, int last, real alpha, LinePoint& p) {
  constexpr int WIDE = 8;
  real cost[WIDE] = {}, slope[WIDE] = {}, curvature[WIDE] = {};
  const real half = real(0.5);
  int k = first;
  for (; k + WIDE <= last; k += WIDE) {
    const real *RESTRICT x = rows.x + k, *RESTRICT v = rows.v + k;
    for (int i = 0; i < WIDE; ++i) {
      const real at = x[i] + alpha * v[i];
      const real from = x[i] < 0 ? x[i] : real(0), to = at < 0 ? at : real(0);
      const real move = to < 0 ? v[i] : real(0);
      const real inside = alpha * v[i] * (x[i] + half * alpha * v[i]);
      cost[i] += x[i] < 0 && at < 0 ? inside : half * (to * to - from * from);
      slope[i] += move * at;
      curvature[i] += move * move;
    }
  }
  for (int i = 0; i < WIDE; ++i) {
    p.cost += cost[i];
    p.slope += slope[i];
    p.curvature += curvature[i];
  }
  for (; k < last; ++k) {
    add_row_line(rows, k, alpha, p);
  }
}
