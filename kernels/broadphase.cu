// Broad phase: which of the geom pairs that may ever meet are near enough now for the narrow phases
// to look at.
//
// Two filters, cheap to dear. Bounding spheres come first, over all pairs; what passes is gathered
// in a short list in shared memory, so that the second filter, oriented bounding boxes, runs on
// full warps. On aloha_pot 9154 pairs shrink to 766 by spheres and to 14 by boxes. Lists keep the
// order of the pairs whatever lane found them.
#include "enums.cuh"
#include "model.cuh"

constexpr int NEAR_CAPACITY =
    256;  // pairs that wait for the box filter; at least two rounds of lanes

// slack of the box filter, relative to the boxes: it may never lose a pair to rounding
constexpr real BOX_SLACK = real(1e-5);

FN bool spheres_meet(const Model& m, const real* xpos, const real* xmat, int pair) {
  const int g1 = m.geompair_geom[2 * pair];
  const int g2 = m.geompair_geom[2 * pair + 1];
  const real* p1 = xpos + 3 * g1;
  const real* p2 = xpos + 3 * g2;
  const real dx = p2[0] - p1[0];
  const real dy = p2[1] - p1[1];
  const real dz = p2[2] - p1[2];
  const real reach = m.geompair_reach[pair];
  const real r2 = m.geom_rbound[g2];

  // a plane has no bounding sphere: distance of the other's sphere along its normal
  if (m.geom_type[g1] == GEOM_PLANE) {
    const real* mat = xmat + 9 * g1;
    return dx * mat[2] + dy * mat[5] + dz * mat[8] <= reach + r2;
  }
  const real bound = m.geom_rbound[g1] + r2 + reach;
  return dx * dx + dy * dy + dz * dz <= bound * bound;
}

// half width of a box with half sizes `half` and axes the columns of `mat`, along a unit direction
FN real box_radius(const real* mat, const real* half, const real* dir) {
  real sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += half[k] * r_abs(mat[k] * dir[0] + mat[3 + k] * dir[1] + mat[6 + k] * dir[2]);
  }
  return sum;
}

// false when one of the six face normals separates the geoms' oriented bounding boxes
FN bool boxes_meet(const Model& m, const real* xpos, const real* xmat, int pair) {
  const int g1 = m.geompair_geom[2 * pair];
  const int g2 = m.geompair_geom[2 * pair + 1];
  if (m.geom_type[g1] == GEOM_PLANE) {
    return true;
  }
  const real* mat1 = xmat + 9 * g1;
  const real* mat2 = xmat + 9 * g2;
  const real* box1 = m.geom_aabb + 6 * g1;
  const real* box2 = m.geom_aabb + 6 * g2;
  real gap[3];
  for (int k = 0; k < 3; ++k) {
    gap[k] = xpos[3 * g2 + k] - xpos[3 * g1 + k];
    for (int j = 0; j < 3; ++j) {
      gap[k] += mat2[3 * k + j] * box2[j] - mat1[3 * k + j] * box1[j];
    }
  }
  const real reach = m.geompair_reach[pair];
  NO_UNROLL
  for (int axis = 0; axis < 6; ++axis) {
    const real* mat = axis < 3 ? mat1 : mat2;
    const int column = axis < 3 ? axis : axis - 3;
    const real dir[3] = {mat[column], mat[3 + column], mat[6 + column]};
    const real radius = box_radius(mat1, box1 + 3, dir) + box_radius(mat2, box2 + 3, dir);
    const real apart = r_abs(gap[0] * dir[0] + gap[1] * dir[1] + gap[2] * dir[2]);
    if (apart > radius + reach + BOX_SLACK * (radius + reach)) {
      return false;
    }
  }
  return true;
}

// runs the box filter over the waiting pairs and appends those that pass to list; returns the new
// length, which counts also what did not fit
FN int keep_boxes(Group g, const Model& m, const real* xpos, const real* xmat, const int* waiting,
                  int nwaiting, int* list, int length, int capacity) {
  NO_UNROLL
  for (int start = 0; start < nwaiting; start += g.size) {
    const int i = start + g.lane();
    const bool keep = i < nwaiting && boxes_meet(m, xpos, xmat, waiting[i]);
    if (!g.any(keep)) {
      continue;
    }
    int total;
    const int at = length + g.exclusive_scan(keep ? 1 : 0, &total);
    if (keep && at < capacity) {
      list[at] = waiting[i];
    }
    length += total;
  }
  return length;
}

// the pairs begin .. end of one kind of narrow phase that are near, in order; returns how many
// there are
FN int near_pairs(Group g, const Model& m, const real* xpos, const real* xmat, int begin, int end,
                  int* waiting, int* list, int capacity) {
  int nwaiting = 0;
  int length = 0;
  NO_UNROLL
  for (int start = begin; start < end; start += g.size) {
    const int pair = start + g.lane();
    const bool keep = pair < end && spheres_meet(m, xpos, xmat, pair);
    if (g.any(keep)) {
      int total;
      const int at = nwaiting + g.exclusive_scan(keep ? 1 : 0, &total);
      if (keep) {
        waiting[at] = pair;
      }
      nwaiting += total;
    }
    if (nwaiting > NEAR_CAPACITY - g.size || start + g.size >= end) {
      g.sync();
      length = keep_boxes(g, m, xpos, xmat, waiting, nwaiting, list, length, capacity);
      nwaiting = 0;
      g.sync();
    }
  }
  return length;
}

KERNEL(broadphase, 1) {
  static_assert(NEAR_CAPACITY >= 2 * Group::size, "a round of lanes must fit beside what waits");
  SHARED(int, waiting, NEAR_CAPACITY);
  const int w = g.world();
  const real* xpos = at_world(d.geom_xpos, w, NGEOM * 3);
  const real* xmat = at_world(d.geom_xmat, w, NGEOM * 9);
  const bool off = (m.opt_disableflags[0] & (DSBL_CONTACT | DSBL_CONSTRAINT)) != 0;

  int begin = 0;
  int end = off ? 0 : NPAIR_PRIMITIVE;
  const int nprimitive = near_pairs(g, m, xpos, xmat, begin, end, waiting,
                                    at_world(d.primitive_pair, w, NPRIMITIVEMAX), NPRIMITIVEMAX);
  begin = NPAIR_PRIMITIVE;
  end = off ? begin : begin + NPAIR_CONVEX;
  const int nccd =
      near_pairs(g, m, xpos, xmat, begin, end, waiting, at_world(d.ccd_pair, w, NCCDMAX), NCCDMAX);
  begin = NPAIR_PRIMITIVE + NPAIR_CONVEX;
  end = off ? begin : begin + NPAIR_HFIELD;
  const int nhfield = near_pairs(g, m, xpos, xmat, begin, end, waiting,
                                 at_world(d.hfield_pair, w, NHFIELDPAIRMAX), NHFIELDPAIRMAX);
  if (g.lane() == 0) {
    d.nprimitive[w] = nprimitive;
    d.nccd[w] = nccd;
    d.nhfieldpair[w] = nhfield;
    d.ncon[w] = 0;
  }
}
