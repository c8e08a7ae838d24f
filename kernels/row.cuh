// One constraint row as it is written to the batched state.
#pragma once

#include "impedance.cuh"
#include "model.cuh"

/// Everything of a row but its Jacobian.
struct Row {
  int type;          // ConstraintType
  int id;            // equality, dof, joint or contact
  int tree0, tree1;  // trees it touches, ascending; -1: none
  real pos;          // violation before the margin is taken off: metres, radians
  real margin;
  real vel;    // J qvel
  real drift;  // (dJ/dt) qvel, where MuJoCo accounts for it
  real R;
  real frictionloss;
  Reference ref;
  Impedance imp;
};

/// Sets the two trees of a row or of a contact, in ascending order.
FN void set_trees(Row& row, int tree_a, int tree_b) {
  const int low = r_min(tree_a, tree_b), high = r_max(tree_a, tree_b);
  row.tree0 = low >= 0 ? low : high;
  row.tree1 = low >= 0 && low != high ? high : -1;
}

FN void put_row(const Data& d, int w, int place, const Row& row) {
  at_world(d.efc_type, w, NJMAX)[place] = row.type;
  at_world(d.efc_id, w, NJMAX)[place] = row.id;
  int* tree = at_world(d.efc_tree, w, NJMAX * NTREEROW) + place * NTREEROW;
  tree[0] = row.tree0;
  if constexpr (NTREEROW > 1) {
    tree[1] = row.tree1;
  }
  at_world(d.efc_D, w, NJMAX)[place] = 1 / row.R;
  at_world(d.efc_frictionloss, w, NJMAX)[place] = row.frictionloss;
  at_world(d.efc_aref, w, NJMAX)[place] =
      -row.ref.damping * row.vel - row.ref.stiffness * row.imp.value * (row.pos - row.margin) -
      row.drift;
  if (d.efc_pos != nullptr) {
    at_world(d.efc_pos, w, NJMAX)[place] = row.pos;
    at_world(d.efc_margin, w, NJMAX)[place] = row.margin;
    at_world(d.efc_vel, w, NJMAX)[place] = row.vel;
    at_world(d.efc_R, w, NJMAX)[place] = row.R;
    at_world(d.efc_diagA, w, NJMAX)[place] = row.R * row.imp.value / row.imp.rest;
    real* kbip = at_world(d.efc_KBIP, w, NJMAX * 4) + 4 * place;
    kbip[0] = row.ref.stiffness;
    kbip[1] = row.ref.damping;
    kbip[2] = row.imp.value;
    kbip[3] = row.imp.slope;
  }
}
