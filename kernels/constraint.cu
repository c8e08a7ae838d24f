// Constraint rows of a world, in MuJoCo's order: equalities, friction loss, joint limits, contacts;
// then the islands that they make of the trees. A lane writes the rows of one element; the
// Jacobian's columns follow, a lane a dof.
//
// Where rows go is decided by a scan over each element's number of rows, so the order is fixed. A
// row that would end beyond NJMAX is left out with its whole element, and so is everything after
// it; nefc goes on counting.

#include "contact_rows.cuh"
#include "equality.cuh"
#include "islands.cuh"
#include "limits.cuh"
#include "world_start.cuh"

constexpr int TREE_WIDTH = NVTREE > 0 ? NVTREE : 1;
constexpr int ROW_WIDTH = NTREEROW * TREE_WIDTH;  // values of a Jacobian row
constexpr bool HAS_ANCHORED = HAS_CONNECT || HAS_WELD;

// lanes side by side over a row's values: a power of two, so that short rows share a group
constexpr int span_of(int width) {
  int span = 1;
  while (span < width && span < Group::size) {
    span *= 2;
  }
  return span;
}

/// Places for the rows of the lanes' elements. All lanes call it.
struct Places {
  int demand = 0;  // rows asked for so far
  int kept = 0;    // of these, rows that fit

  /// @return   first row of this lane's element, -1: it has none or does not fit
  FN_MEMBER int take(const Group& g, int size) {
    int total = 0;
    const int place = demand + g.exclusive_scan(size, &total);
    const bool fits = size > 0 && place + size <= NJMAX;
    demand += total;
    kept = demand <= NJMAX ? demand : g.max(fits ? place + size : kept);
    return fits ? place : -1;
  }
};

FN void put_equalities(const Group& g, const Model& m, const Data& d, Places& places,
                       int* eq_place) {
  const int w = g.world();
  NO_UNROLL
  for (int first = 0; first < NEQ; first += g.size) {
    const int eq = first + g.lane();
    const bool active = eq < NEQ && m.eq_active0[eq];
    const bool anchored = HAS_ANCHORED && active && m.eq_type[eq] != EQ_JOINT;
    int size = active ? 1 : 0;
    Anchors anchors;
    if (anchored) {
      anchors = equality_anchors(m, d, w, eq);
      const int full = m.eq_type[eq] == EQ_WELD ? 6 : 3;
      size = equality_acts(m, d, w, eq, anchors) ? full : 0;
    }
    const int place = places.take(g, size);
    if (eq < NEQ) {
      eq_place[eq] = place;
    }
    if (place >= 0 && anchored) {
      put_anchored(m, d, w, eq, anchors, place);
    } else if (HAS_JOINT_EQUALITY && place >= 0) {
      put_coupling(m, d, w, eq, place);
    }
  }
}

FN void put_joint_rows(const Group& g, const Model& m, const Data& d, Places& places) {
  const int w = g.world();
  if (HAS_FRICTIONLOSS && !(m.opt_disableflags[0] & DSBL_FRICTIONLOSS)) {
    NO_UNROLL
    for (int first = 0; first < NV; first += g.size) {
      const int dof = first + g.lane();
      const int place = places.take(g, dof < NV && m.dof_frictionloss[dof] != 0 ? 1 : 0);
      if (place >= 0) {
        put_frictionloss(m, d, w, dof, place);
      }
    }
  }
  if (HAS_LIMIT && !(m.opt_disableflags[0] & DSBL_LIMIT)) {
    NO_UNROLL
    for (int first = 0; first < NJNT; first += g.size) {
      const int joint = first + g.lane();
      LimitState state{};
      if (joint < NJNT) {
        state = limit_state(m, d, w, joint);
      }
      const int place = places.take(g, state.count);
      if (place >= 0) {
        put_limits(m, d, w, joint, state, place);
      }
    }
  }
}

/// What the dump wants to know of a contact.
FN void dump_contact(const Data& d, int w, int contact, const ContactParams& params) {
  if (d.contact_dim == nullptr) {
    return;
  }
  at_world(d.contact_dim, w, NCONMAX)[contact] = params.condim;
  at_world(d.contact_includemargin, w, NCONMAX)[contact] = params.margin;
  for (int i = 0; i < 5; ++i) {
    at_world(d.contact_friction, w, NCONMAX * 5)[5 * contact + i] = params.friction[i];
    at_world(d.contact_solimp, w, NCONMAX * 5)[5 * contact + i] = params.solimp[i];
  }
  for (int i = 0; i < 2; ++i) {
    at_world(d.contact_solref, w, NCONMAX * 2)[2 * contact + i] = params.solref[i];
    at_world(d.contact_solreffriction, w, NCONMAX * 2)[2 * contact + i] = params.solreffriction[i];
  }
}

FN void put_contacts(const Group& g, const Model& m, const Data& d, int ncon, bool enabled,
                     Places& places) {
  const int w = g.world();
  NO_UNROLL
  for (int first = 0; first < ncon; first += g.size) {
    const int contact = first + g.lane();
    ContactParams params;
    int size = 0;
    if (contact < ncon) {
      contact_params(m, at_world(d.contact_pair, w, NCONMAX)[contact], params);
      dump_contact(d, w, contact, params);
      size = enabled ? contact_row_count(m, d, w, contact, params) : 0;
    }
    const int place = places.take(g, size);
    if (place >= 0) {
      put_contact_rows(m, d, w, contact, params, place);
    }
    if (contact < ncon) {
      at_world(d.contact_efc_address, w, NCONMAX)[contact] = place;
      at_world(d.contact_nrow, w, NCONMAX)[contact] = place >= 0 ? size : 0;
    }
  }
}

/// Puts a value where a row has its dof. The row's trees are known already.
FN void set_entry(const Model& m, const int* tree, real* J, int dof, real value) {
  const int slot = NTREEROW > 1 && m.dof_treeid[dof] != tree[0] ? 1 : 0;
  J[slot * TREE_WIDTH + dof - m.tree_dofadr[m.dof_treeid[dof]]] = value;
}

/// Jacobian of the rows that have one to three values: joint equalities, friction loss, limits.
FN void fill_sparse_rows(const Group& g, const Model& m, const Data& d, int nrow) {
  const int w = g.world();
  real* J = at_world(d.efc_J, w, NJMAX * ROW_WIDTH);
  for (int i = g.lane(); i < nrow * ROW_WIDTH; i += g.size) {
    J[i] = 0;
  }
  g.sync();
  NO_UNROLL
  for (int r = g.lane(); r < nrow; r += g.size) {
    const int type = at_world(d.efc_type, w, NJMAX)[r];
    const int id = at_world(d.efc_id, w, NJMAX)[r];
    const int* tree = at_world(d.efc_tree, w, NJMAX * NTREEROW) + r * NTREEROW;
    real* row = J + r * ROW_WIDTH;
    if (type == CNSTR_FRICTION_DOF) {
      set_entry(m, tree, row, id, 1);
    } else if (type == CNSTR_LIMIT_JOINT) {
      const int ndof = m.jnt_type[id] == JNT_BALL ? 3 : 1;
      for (int k = 0; k < ndof; ++k) {
        set_entry(m, tree, row, m.jnt_dofadr[id] + k, at_world(d.efc_mu, w, NJMAX * 6)[6 * r + k]);
      }
    } else if (HAS_JOINT_EQUALITY && m.eq_type[id] == EQ_JOINT) {
      set_entry(m, tree, row, m.jnt_dofadr[m.eq_obj1id[id]], 1);
      if (m.eq_obj2id[id] >= 0) {
        set_entry(m, tree, row, m.jnt_dofadr[m.eq_obj2id[id]], -coupling_slope(m, d, w, id));
      }
    }
  }
  g.sync();
}

/// Jacobian of connects and welds.
FN void fill_anchored_rows(const Group& g, const Model& m, const Data& d, const int* eq_place) {
  const int w = g.world();
  NO_UNROLL
  for (int eq = 0; eq < NEQ; ++eq) {
    const int place = eq_place[eq];
    if (place < 0 || m.eq_type[eq] == EQ_JOINT) {
      continue;
    }
    const Anchors anchors = equality_anchors(m, d, w, eq);
    const int* tree = at_world(d.efc_tree, w, NJMAX * NTREEROW) + place * NTREEROW;
    const int size = m.eq_type[eq] == EQ_WELD ? 6 : 3;
    NO_UNROLL
    for (int i = g.lane(); i < ROW_WIDTH; i += g.size) {
      const int slot = i / TREE_WIDTH, column = i % TREE_WIDTH;
      if (tree[slot] >= 0 && column < m.tree_dofnum[tree[slot]]) {
        real value[6];
        equality_column(m, d, w, eq, anchors, tree[slot], column, value);
        real* J = at_world(d.efc_J, w, NJMAX * ROW_WIDTH) + place * ROW_WIDTH + i;
        for (int k = 0; k < size; ++k) {
          J[k * ROW_WIDTH] = value[k];
        }
      }
    }
  }
}

/// Jacobian of the contacts: each lane holds to its columns, a span of lanes to its contacts.
FN void fill_contact_rows(const Group& g, const Model& m, const Data& d, int ncon) {
  const int w = g.world();
  constexpr int SPAN = span_of(ROW_WIDTH);
  NO_UNROLL
  for (int contact = g.lane() / SPAN; contact < ncon; contact += Group::size / SPAN) {
    const int place = at_world(d.contact_efc_address, w, NCONMAX)[contact];
    if (place < 0) {
      continue;
    }
    ContactFrame c;
    contact_bodies(m, d, w, contact, c.body);
    c.dim = contact_condim(at_world(d.contact_nrow, w, NCONMAX)[contact]);
    c.pos = at_world(d.contact_pos, w, NCONMAX * 3) + 3 * contact;
    c.frame = at_world(d.contact_frame, w, NCONMAX * 9) + 9 * contact;
    c.friction = at_world(d.efc_mu, w, NJMAX * 6) + 6 * place + 1;
    const int* tree = at_world(d.efc_tree, w, NJMAX * NTREEROW) + place * NTREEROW;
    real* J = at_world(d.efc_J, w, NJMAX * ROW_WIDTH) + place * ROW_WIDTH;
    NO_UNROLL
    for (int i = g.lane() % SPAN; i < ROW_WIDTH; i += SPAN) {
      const int slot = NTREEROW == 1 ? 0 : i / TREE_WIDTH;
      const int column = i - slot * TREE_WIDTH;
      if (NTREEROW == 1 || (tree[slot] >= 0 && column < m.tree_dofnum[tree[slot]])) {
        contact_column(m, d, w, c, tree[slot], column, J + i, ROW_WIDTH);
      }
    }
  }
}

KERNEL(constraint, 1) {
  const int w = g.world();
  SHARED(int, eq_place, NEQ);
  const int disabled = m.opt_disableflags[0];
  const int ncon = HAS_CONTACT ? r_min(d.ncon[w], NCONMAX) : 0;
  Places places;
  int nsparse = 0;
  for (int eq = g.lane(); eq < NEQ; eq += g.size) {
    eq_place[eq] = -1;
  }

  // numbers of the rows
  if (NV > 0 && !(disabled & DSBL_CONSTRAINT)) {
    if (NEQ > 0 && !(disabled & DSBL_EQUALITY)) {
      put_equalities(g, m, d, places, eq_place);
    }
    put_joint_rows(g, m, d, places);
    nsparse = places.kept;
  }
  if (HAS_CONTACT) {
    const bool enabled = NV > 0 && !(disabled & (DSBL_CONSTRAINT | DSBL_CONTACT));
    put_contacts(g, m, d, ncon, enabled, places);
  }
  if (g.lane() == 0) {
    d.nefc[w] = places.demand;
    d.nrow[w] = places.kept;
  }
  g.sync();

  // their Jacobian
  if constexpr (NV > 0) {
    fill_sparse_rows(g, m, d, nsparse);
    if constexpr (HAS_ANCHORED) {
      fill_anchored_rows(g, m, d, eq_place);
    }
    if constexpr (HAS_CONTACT) {
      fill_contact_rows(g, m, d, ncon);
    }
    find_islands(g, m, d, places.kept);
    if constexpr (START_OF_WORLD) {
      choose_world_start(g, m, d, places.kept);
    }
  }
}
