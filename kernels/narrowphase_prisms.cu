// Height fields, first part: the ground under a geom is cut into triangular prisms; which of them
// may the geom touch?
//
// A lane places a pair; then the prisms of all these pairs go through two filters, each on full
// rounds of lanes over what the one before let through: heights and the plane of the prism's top,
// then planes at its edges and sides. On g1 these leave 44 and 7.5 of 170 prisms a world.
// Queues and the list keep the order of the prisms.
#include "hfield_apart.cuh"

/// Pairs whose prisms are looked at together, a lane a pair; the lanes share the arrays. A prism's
/// number runs over all of them.
struct Batch {
  BoundedPair* pair;  // [Group::size]
  int* first_prism;   // [Group::size] number of the pair's first
  int entry;          // in the world's list of pairs, of the first pair
  int nprism;
};

/// Prisms that wait for a filter, in order.
struct Queue {
  int* prism;  // [2 * Group::size]
  int length;
};

FN void push(Group g, bool keep, int prism, Queue& queue) {
  int total;
  const int place = queue.length + g.count_before(keep, &total);
  if (keep) {
    queue.prism[place] = prism;
  }
  queue.length += total;
  g.sync();
}

/// This lane's of the first prisms of a queue, -1: none.
FN int pop(Group g, Queue& queue) {
  const int lane = g.lane();
  const int prism = lane < queue.length ? queue.prism[lane] : -1;
  const int next = lane + g.size < queue.length ? queue.prism[lane + g.size] : -1;
  g.sync();
  if (next >= 0) {
    queue.prism[lane] = next;
  }
  queue.length = r_max(queue.length - g.size, 0);
  g.sync();
  return prism;
}

/// Slot of the pair that a prism belongs to: the last that begins there or before.
FN int slot_of(Group g, const Batch& b, int prism) {
  int slot = 0;
  NO_UNROLL
  for (int step = g.size / 2; step > 0; step /= 2) {
    slot += b.first_prism[slot + step] <= prism ? step : 0;
  }
  return slot;
}

/// Whether a prism passes the first filter, or the second.
FN bool may_touch(Group g, const Model& m, const Batch& b, bool is_second, int prism) {
  const int slot = slot_of(g, b, prism);
  const BoundedPair& pair = b.pair[slot];
  const real bottom = prism_bottom(m, pair);
  real corner[9];
  const bool is_high = find_corners(m, pair, prism - b.first_prism[slot], corner);
  if (is_second) {
    return !is_beside(pair, corner, bottom);
  }
  return is_high && !is_above(pair, corner, bottom);
}

/// Places the pairs of the world's list from `b.entry` on, a lane a pair.
FN void start_batch(Group g, const Model& m, const Data& d, int w, int npair, Batch& b) {
  const int entry = b.entry + g.lane();
  int count = 0;
  if (entry < npair) {
    BoundedPair& pair = b.pair[g.lane()];
    count = place_pair(m, d, w, entry, pair);
    if (count > 0) {
      save_pair(d, w, entry, pair);
    }
    at_world(d.hfield_cells, w, NHFIELDPAIRMAX * 4)[4 * entry + 3] = count;
  }
  b.first_prism[g.lane()] = g.exclusive_scan(count, &b.nprism);
  g.sync();
}

/// Appends this lane's prism to the world's list; returns the new length, which counts also what
/// did not fit.
FN int list_prism(Group g, const Data& d, int w, const Batch& b, bool keep, int prism, int length) {
  int total;
  const int place = length + g.count_before(keep, &total);
  if (keep && place < NHFIELDPRISMMAX) {
    const int slot = slot_of(g, b, prism);
    int* item = at_world(d.hfield_prism, w, NHFIELDPRISMMAX * 2) + 2 * place;
    item[0] = b.entry + slot;
    item[1] = prism - b.first_prism[slot];
  }
  return length + total;
}

/// Sends the prisms of a batch through the filters.
FN int filter_batch(Group g, const Model& m, const Data& d, int w, const Batch& b, Queue& low,
                    int length) {
  int next = 0;
  NO_UNROLL
  while (next < b.nprism || low.length > 0) {
    const bool is_second = low.length >= g.size || next >= b.nprism;
    int prism = next + g.lane() < b.nprism ? next + g.lane() : -1;
    if (is_second) {
      prism = pop(g, low);
    } else {
      next += g.size;
    }
    const bool keep = prism >= 0 && may_touch(g, m, b, is_second, prism);
    if (is_second) {
      length = list_prism(g, d, w, b, keep, prism, length);
    } else {
      push(g, keep, prism, low);
    }
  }
  return length;
}

KERNEL(narrowphase_prisms, 1) {
  SHARED(BoundedPair, pair, Group::size);
  SHARED(int, first_prism, Group::size);
  SHARED(int, waiting, 2 * Group::size);
  const int w = g.world();
  const int npair = r_min(d.nhfieldpair[w], NHFIELDPAIRMAX);
  Batch b = {pair, first_prism, 0, 0};
  Queue low = {waiting, 0};
  int length = 0;
  NO_UNROLL
  for (; b.entry < npair; b.entry += g.size) {
    start_batch(g, m, d, w, npair, b);
    length = filter_batch(g, m, d, w, b, low, length);
    g.sync();  // all are done with these pairs
  }
  if (g.lane() == 0) {
    d.nhfieldprism[w] = length;
  }
}
