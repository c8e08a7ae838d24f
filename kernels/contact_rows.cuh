// Rows of contacts: frictionless, pyramidal and elliptic.
#pragma once

#include "contact_params.cuh"
#include "jacobian.cuh"
#include "row.cuh"

/// Bodies of the two geoms of a contact.
FN void contact_bodies(const Model& m, const Data& d, int w, int contact, int* body) {
  const int pair = at_world(d.contact_pair, w, NCONMAX)[contact];
  body[0] = m.geom_bodyid[m.geompair_geom[2 * pair]];
  body[1] = m.geom_bodyid[m.geompair_geom[2 * pair + 1]];
}

/// Rows that a contact makes: none where it is farther than its margin, or where neither body can
/// move.
FN int contact_row_count(const Model& m, const Data& d, int w, int contact,
                         const ContactParams& params) {
  int body[2];
  contact_bodies(m, d, w, contact, body);
  const bool fixed = m.body_treeid[body[0]] < 0 && m.body_treeid[body[1]] < 0;
  if (fixed || !(at_world(d.contact_dist, w, NCONMAX)[contact] < params.margin)) {
    return 0;
  }
  return ELLIPTIC || params.condim == 1 ? params.condim : 2 * (params.condim - 1);
}

FN int contact_condim(int nrow) { return ELLIPTIC || nrow == 1 ? nrow : nrow / 2 + 1; }

/// Velocity of the second geom against the first at the contact: [6] in the contact frame, linear
/// then angular.
FN void contact_velocity(const Model& m, const Data& d, int w, const int* body, const real* pos,
                         const real* frame, real* out) {
  const real* cvel = at_world(d.cvel, w, NBODY * 6);
  real linear[2][3], relative[3];
  for (int i = 0; i < 2; ++i) {
    point_velocity(cvel + 6 * body[i], tree_com(m, d, w, body[i]), pos, linear[i]);
  }
  sub3(relative, linear[1], linear[0]);
  mat_vec3(out, frame, relative);
  sub3(relative, cvel + 6 * body[1], cvel + 6 * body[0]);
  mat_vec3(out + 3, frame, relative);
}

/// Writes a contact's rows (all but the Jacobian), and its regularised friction and coefficients
/// into efc_mu.
FN void put_contact_rows(const Model& m, const Data& d, int w, int contact,
                         const ContactParams& params, int place) {
  int body[2];
  contact_bodies(m, d, w, contact, body);
  const real* friction = params.friction;
  const int dim = params.condim;
  const real impratio = r_max(MINVAL, m.opt_impratio[0]);

  // what all rows share; friction's reference may have parameters of its own
  real solref[2], solreffriction[2], vel[6];
  safe_solref(m, params.solref, real(0.02), 1, solref);
  safe_solref(m, params.solreffriction, 0, 0, solreffriction);
  const real dwidth = clip_impedance(params.solimp[1]);
  contact_velocity(m, d, w, body, at_world(d.contact_pos, w, NCONMAX * 3) + 3 * contact,
                   at_world(d.contact_frame, w, NCONMAX * 9) + 9 * contact, vel);
  Row row{};
  row.id = contact;
  row.pos = at_world(d.contact_dist, w, NCONMAX)[contact];
  row.margin = params.margin;
  row.imp = impedance(params.solimp, row.pos - row.margin);
  row.ref = reference(solref, dwidth);
  set_trees(row, m.body_treeid[body[0]], m.body_treeid[body[1]]);
  const real tran = m.body_invweight0[2 * body[0]] + m.body_invweight0[2 * body[1]];

  real* mu = at_world(d.efc_mu, w, NJMAX * 6) + 6 * place;
  for (int i = 0; i < 5; ++i) {
    mu[i + 1] = friction[i];
  }
  mu[0] = friction[0] * r_sqrt(1 / impratio);

  if (dim == 1) {
    row.type = CNSTR_CONTACT_FRICTIONLESS;
    row.vel = vel[0];
    row.R = regulariser(row.imp, tran);
    put_row(d, w, place, row);
  } else if (!ELLIPTIC) {
    // opposite edges of the pyramid, with the regulariser that gives the normal and the friction of
    // the elliptic model
    row.type = CNSTR_CONTACT_PYRAMIDAL;
    const real normal_R = regulariser(row.imp, tran + friction[0] * friction[0] * tran);
    row.R = 2 * mu[0] * mu[0] * normal_R;
    for (int k = 1; k < dim; ++k) {
      for (int side = 0; side < 2; ++side) {
        row.vel = vel[0] + (side == 0 ? friction[k - 1] : -friction[k - 1]) * vel[k];
        put_row(d, w, place + 2 * (k - 1) + side, row);
      }
    }
  } else {
    // friction rows have no position, and regularisers that make the cone circular
    row.type = CNSTR_CONTACT_ELLIPTIC;
    row.vel = vel[0];
    row.R = regulariser(row.imp, tran);
    put_row(d, w, place, row);
    const real friction_R = row.R / impratio;
    if (solreffriction[0] != 0 || solreffriction[1] != 0) {
      row.ref = reference(solreffriction, dwidth);
    }
    row.ref.stiffness = 0;
    row.pos = row.margin = 0;
    for (int k = 1; k < dim; ++k) {
      row.vel = vel[k];
      row.R = k == 1 ? friction_R
                     : friction_R * friction[0] * friction[0] / (friction[k - 1] * friction[k - 1]);
      put_row(d, w, place + k, row);
    }
  }
}

/// A contact as its Jacobian needs it.
struct ContactFrame {
  int body[2];
  int tree[2];  // of the rows: ascending, -1: none
  int dim;
  const real* pos;
  const real* frame;
  const real* friction;
};

/// Values of all rows of a contact over one dof, at J[row * stride].
/// @param tree     whose dof it is
/// @param column   dof within the tree
FN void contact_column(const Model& m, const Data& d, int w, const ContactFrame& c, int tree,
                       int column, real* J, int stride) {
  // a dof that moves both bodies moves them alike
  const bool first = m.body_treeid[c.body[0]] == tree && moves_body(m, c.body[0], column);
  const bool second = m.body_treeid[c.body[1]] == tree && moves_body(m, c.body[1], column);
  real value[6] = {0, 0, 0, 0, 0, 0};
  if (first != second) {
    const real* cdof = at_world(d.cdof, w, NV * 6) + 6 * (m.tree_dofadr[tree] + column);
    const real sign = second ? real(1) : real(-1);
    real linear[3];
    point_velocity(cdof, tree_com(m, d, w, c.body[second ? 1 : 0]), c.pos, linear);
    scale3(linear, linear, sign);
    mat_vec3(value, c.frame, linear);
    if (MAXCONDIM > 3 && c.dim > 3) {
      real angular[3];
      scale3(angular, cdof, sign);
      mat_vec3(value + 3, c.frame, angular);
    }
  }
  if (ELLIPTIC || c.dim == 1) {
    for (int k = 0; k < MAXCONDIM; ++k) {
      if (k < c.dim) {
        J[k * stride] = value[k];
      }
    }
  } else {
    for (int k = 1; k < MAXCONDIM; ++k) {
      if (k < c.dim) {
        J[(2 * k - 2) * stride] = value[0] + c.friction[k - 1] * value[k];
        J[(2 * k - 1) * stride] = value[0] - c.friction[k - 1] * value[k];
      }
    }
  }
}
