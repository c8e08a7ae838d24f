// What the stages of convex collision hand to each other: GJK's simplex, EPA's face, witnesses and
// normal.
#pragma once

#include "shape.cuh"

constexpr bool SINGLE = sizeof(real) == 4;
constexpr real FAR = real(1e30);  // a distance that says: apart, not measured

// what a stage says of a pair, beside the number of its contacts, 0 or 1
constexpr int CCD_DEEP = -1;  // the cores overlap: EPA is to measure how deep
constexpr int CCD_FLAT = -2;  // one contact, which several may replace: faces or edges may lie flat

/// What GJK and EPA know of a pair.
struct Ccd {
  real tolerance;     // opt_ccd_tolerance, metres
  int iterations;     // most iterations of GJK, and of EPA
  real dist;          // between the witnesses, negative: depth; FAR: apart
  real x1[3];         // witness on the first shape; before GJK: a point inside it
  real x2[3];         // witness on the second
  real normal[3];     // unit, from the first shape to the second; set where there is a contact
  int n;              // vertices of the simplex
  Vertex simplex[4];  // GJK's last simplex; after EPA the face nearest to the origin
};

FN void set_limits(const Model& m, Ccd& s) {
  s.tolerance = m.opt_ccd_tolerance[0];
  s.iterations = m.opt_ccd_iterations[0];
}

/// Both geometries have corners only, so that the iterations end by themselves.
FN bool is_polyhedral(const Shape& s) {
  return s.margin == 0 && (s.type == GEOM_MESH || s.type == GEOM_BOX || s.type == GEOM_HFIELD);
}

// out = weighted sum of the simplex's points on the first shape (which 0) or the second
FN_NOINLINE void combine(const Ccd& s, const real* weight, int which, real* out) {
  zero3(out);
  NO_UNROLL
  for (int i = 0; i < s.n; ++i) {
    add_scaled3(out, which == 0 ? s.simplex[i].a : s.simplex[i].b, weight[i]);
  }
}

// the normal: in double the witnesses' difference, which gives MuJoCo's digits; in float that is
// noise where the depth is small, so there it is the direction along which they were found
FN void set_normal(const real* direction, Ccd& s) {
  if constexpr (SINGLE) {
    copy3(s.normal, direction);
  } else {
    sub3(s.normal, s.x1, s.x2);
  }
  normalize3(s.normal);
}
