// The last stage of convex geom pairs: several contacts where faces or edges lie flat on each
// other; then all the pairs' contacts are appended to the world's list in the order of the pairs.
#include "contact.cuh"
#include "multicontact.cuh"

// replaces the contact of entry `item` of the world's list where several are found
FN void spread_contact(Group g, const Model& m, const Data& d, int w, int item) {
  ConvexPair pair;
  set_pair(m, d, w, item, pair);
  Ccd s;
  load_simplex(d, pair, s);
  copy3(s.x1, d.ccd_witness + 6 * pair.place);
  copy3(s.x2, d.ccd_witness + 6 * pair.place + 3);
  copy3(s.normal, d.ccd_normal + 3 * CCD_CONTACTS * pair.place);
  static_assert(sizeof(Polygons) <= NCCDSCRATCH * sizeof(real), "room for the polygons");
  Polygons& room = *reinterpret_cast<Polygons*>(at_world(d.ccd_scratch, w, NCCDSCRATCH));
  const int count = multicontact(g, m, d, pair, s, room);
  if (g.lane() == 0) {
    d.ccd_ncon[pair.place] = count > 0 ? count : 1;
  }
  g.sync();  // the room is free again
}

// appends the pairs' contacts to the world's list
FN void gather_contacts(Group g, const Model& m, const Data& d, int w) {
  const int npair = r_min(d.nccd[w], NCCDMAX);
  const int* ncon = at_world(d.ccd_ncon, w, NCCDMAX);
  int end = d.ncon[w];
  g.sync();  // all have read ncon before it is written
  NO_UNROLL
  for (int first = 0; first < npair; first += g.size) {
    const int item = first + g.lane();
    const int count = item < npair ? ncon[item] : 0;
    const int index = item < npair ? at_world(d.ccd_pair, w, NCCDMAX)[item] : 0;
    int total = 0;
    const int place = end + g.exclusive_scan(count, &total);
    NO_UNROLL
    for (int i = 0; i < count; ++i) {
      const long long at = CCD_CONTACTS * (static_cast<long long>(w) * NCCDMAX + item) + i;
      Contact contact;
      contact.dist = d.ccd_dist[at];
      copy3(contact.pos, d.ccd_pos + 3 * at);
      copy3(contact.normal, d.ccd_normal + 3 * at);
      zero3(contact.tangent);
      put_contact(m, d, w, place + i, index, contact);
    }
    end += total;
  }
  if (g.lane() == 0) {
    d.ncon[w] = end;
  }
}

KERNEL(narrowphase_multicontact, 1) {
  const int w = g.world();
  if constexpr (MULTICONTACT) {
    for_each_left(g, d, w, CCD_FLAT, [&](int item) { spread_contact(g, m, d, w, item); });
  }
  gather_contacts(g, m, d, w);
}
