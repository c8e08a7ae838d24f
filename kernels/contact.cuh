// Contacts: what a narrow phase hands over, the frame made from a normal, and appending to a
// world's list in a fixed order.
#pragma once

#include "model.cuh"

/// One contact as a narrow phase finds it; global frame, metres.
struct Contact {
  real dist;        // negative: penetration
  real pos[3];      // midway between the two surfaces
  real normal[3];   // unit, from the pair's first geom to its second
  real tangent[3];  // wish for the first tangent; zero: left to make_frame
};

/// Completes a contact frame: rows normal, first tangent, second tangent.
/// @param normal    unit or any length above 0; at no length the x axis is taken
/// @param tangent   wish for the first tangent, need not be perpendicular; shorter than 0.5: the y
/// axis, or the z axis where
///                  the normal lies within 60 degrees of y
/// @param frame     [9] result, row-major, right-handed
/// Source: MuJoCo's mju_makeFrame convention
FN void make_frame(const real* normal, const real* tangent, real* frame) {
  const real tiny = real(1e-15);
  real nx = normal[0], ny = normal[1], nz = normal[2];
  const real length = r_sqrt(nx * nx + ny * ny + nz * nz);
  const real inverse = length < tiny ? real(0) : 1 / length;
  nx = length < tiny ? real(1) : nx * inverse;
  ny *= inverse;
  nz *= inverse;

  // the wish, or the axis that is far enough from the normal
  real tx = tangent[0], ty = tangent[1], tz = tangent[2];
  if (tx * tx + ty * ty + tz * tz < real(0.25)) {
    const bool use_y = ny < real(0.5) && ny > real(-0.5);
    tx = 0;
    ty = use_y ? real(1) : real(0);
    tz = use_y ? real(0) : real(1);
  }

  // remove the normal's part
  const real along = nx * tx + ny * ty + nz * tz;
  tx -= nx * along;
  ty -= ny * along;
  tz -= nz * along;
  const real tangent_length = r_sqrt(tx * tx + ty * ty + tz * tz);
  const real tangent_inverse = tangent_length < tiny ? real(0) : 1 / tangent_length;
  tx = tangent_length < tiny ? real(1) : tx * tangent_inverse;
  ty *= tangent_inverse;
  tz *= tangent_inverse;

  frame[0] = nx;
  frame[1] = ny;
  frame[2] = nz;
  frame[3] = tx;
  frame[4] = ty;
  frame[5] = tz;
  frame[6] = ny * tz - nz * ty;
  frame[7] = nz * tx - nx * tz;
  frame[8] = nx * ty - ny * tx;
}

/// Writes a contact at a place of world w's list; beyond NCONMAX it is dropped (the list's count
/// still tells the demand).
FN void put_contact(const Model& m, const Data& d, int w, int place, int pair,
                    const Contact& contact) {
  if (place >= NCONMAX) {
    return;
  }
  at_world(d.contact_dist, w, NCONMAX)[place] = contact.dist;
  at_world(d.contact_pair, w, NCONMAX)[place] = pair;
  real* pos = at_world(d.contact_pos, w, NCONMAX * 3) + 3 * place;
  pos[0] = contact.pos[0];
  pos[1] = contact.pos[1];
  pos[2] = contact.pos[2];
  make_frame(contact.normal, contact.tangent,
             at_world(d.contact_frame, w, NCONMAX * 9) + 9 * place);
  if (d.contact_geom != nullptr) {
    int* geom = at_world(d.contact_geom, w, NCONMAX * 2) + 2 * place;
    geom[0] = m.geompair_geom[2 * pair];
    geom[1] = m.geompair_geom[2 * pair + 1];
  }
}

/// Appends every lane's contacts, lane by lane, so that the order is that of the lanes. All lanes
/// call it.
/// @param first      where the list ends now; the same in all lanes
/// @param count      this lane's contacts, 0: none
/// @param contacts   [count]
/// @return           where the list ends afterwards; the caller writes the last value to d.ncon
FN int append_contacts(const Group& g, const Model& m, const Data& d, int first, int pair,
                       int count, const Contact* contacts) {
  int total = 0;
  const int place = first + g.exclusive_scan(count, &total);
  NO_UNROLL
  for (int i = 0; i < count; ++i) {
    put_contact(m, d, g.world(), place + i, pair, contacts[i]);
  }
  return first + total;
}
