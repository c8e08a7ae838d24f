// Whether two convex shapes touch: GJK, with round shapes shrunk to their cores.
#pragma once

#include "gjk.cuh"

// how far a shape's surface, with half its margin, is from its core: a sphere's centre, a capsule's
// segment, or the shape
FN real core_distance(const Shape& s) {
  const bool is_round =
      (SHAPE_SPHERE && s.type == GEOM_SPHERE) || (SHAPE_CAPSULE && s.type == GEOM_CAPSULE);
  return (is_round ? s.size[0] : real(0)) + real(0.5) * s.margin;
}

// takes a shape's radius and margin away, or gives them back
FN void set_core(bool is_core, real radius, real margin, Shape& s) {
  if ((SHAPE_SPHERE && s.type == GEOM_SPHERE) || (SHAPE_CAPSULE && s.type == GEOM_CAPSULE)) {
    s.size[0] = is_core ? real(0) : radius;
  }
  s.margin = is_core ? real(0) : margin;
}

/// Whether two shapes are nearer than the sum of their half margins, and where.
/// @param s   in: tolerance, iterations; out: the vertices that the witnesses come from in simplex,
/// and for a contact dist from margin to margin, below 0, x1, x2 and normal
/// @return    0: they are not; 1: a contact; CCD_DEEP: EPA has to tell
FN int approach(Shape& a, Shape& b, Ccd& s) {
  const real radius_a = a.size[0], margin_a = a.margin, inflate_a = core_distance(a);
  const real radius_b = b.size[0], margin_b = b.margin, inflate_b = core_distance(b);
  const real inflate = inflate_a + inflate_b;

  // first pass: the cores, which decide all but deep contacts; second: the shapes as they are
  NO_UNROLL
  for (int pass = inflate > 0 ? 0 : 1; pass < 2; ++pass) {
    set_core(pass == 0, radius_a, margin_a, a);
    set_core(pass == 0, radius_b, margin_b, b);
    copy3(s.x1, a.pos);
    copy3(s.x2, b.pos);
    gjk(a, b, pass == 0 ? inflate : real(0), s);
    if (pass == 0 && s.dist > s.tolerance) {
      // apart: push the cores' witnesses out to the surfaces
      set_core(false, radius_a, margin_a, a);
      set_core(false, radius_b, margin_b, b);
      s.dist -= inflate;
      if (!(s.dist < 0)) {
        return 0;
      }
      real direction[3];
      sub3(direction, s.x2, s.x1);
      normalize3(direction);
      add_scaled3(s.x1, direction, inflate_a);
      add_scaled3(s.x2, direction, -inflate_b);
      set_normal(direction, s);
      return 1;
    }
  }
  return s.dist > s.tolerance || s.n < 2 ? 0 : CCD_DEEP;
}
