// Equality constraints: connect (two points stay together), weld (two frames do), joint (one joint
// follows another).
#pragma once

#include "jacobian.cuh"
#include "quat.cuh"
#include "row.cuh"

/// The two frames that a connect or weld holds together; global frame.
struct Anchors {
  int body[2];
  real pos[2][3];
  real quat0[4];     // orientation wanted of the second: the first's times the relative pose
  real inverse1[4];  // inverse orientation of the second
};

/// @param eq   a connect or weld, between bodies or between sites
FN Anchors equality_anchors(const Model& m, const Data& d, int w, int eq) {
  Anchors a;
  const int obj[2] = {m.eq_obj1id[eq], m.eq_obj2id[eq]};
  const real* data = m.eq_data + 12 * eq;
  const real* xquat = at_world(d.xquat, w, NBODY * 4);
  if (m.eq_objtype[eq] == OBJ_SITE) {
    for (int i = 0; i < 2; ++i) {
      a.body[i] = m.site_bodyid[obj[i]];
      copy3(a.pos[i], at_world(d.site_xpos, w, NSITE * 3) + 3 * obj[i]);
    }
    quat_mul(a.quat0, xquat + 4 * a.body[0], m.site_quat + 4 * obj[0]);
    quat_mul(a.inverse1, xquat + 4 * a.body[1], m.site_quat + 4 * obj[1]);
  } else {
    const bool connect = m.eq_type[eq] == EQ_CONNECT;
    for (int i = 0; i < 2; ++i) {
      // connect keeps the first body's anchor first, weld the second's
      a.body[i] = obj[i];
      mat_vec3(a.pos[i], at_world(d.xmat, w, NBODY * 9) + 9 * obj[i],
               data + (connect == (i == 1) ? 3 : 0));
      add3(a.pos[i], a.pos[i], at_world(d.xpos, w, NBODY * 3) + 3 * obj[i]);
    }
    quat_mul(a.quat0, xquat + 4 * obj[0], data + 6);
    copy4(a.inverse1, xquat + 4 * obj[1]);
  }
  quat_conjugate(a.inverse1, a.inverse1);
  return a;
}

/// out = vector part of a (0, v) b, for quaternions a and b
FN void sandwich(real* out, const real* a, const real* v, const real* b) {
  const real pure[4] = {0, v[0], v[1], v[2]};
  real left[4], both[4];
  quat_mul(left, a, pure);
  quat_mul(both, left, b);
  copy3(out, both + 1);
}

/// Column of a connect's (3 values) or weld's (6) Jacobian.
/// @param tree      whose dof it is
/// @param column    dof within the tree
/// @return          false where the dof moves neither body: all zero
FN bool equality_column(const Model& m, const Data& d, int w, int eq, const Anchors& a, int tree,
                        int column, real* out) {
  zero6(out);
  bool moved = false;
  real angular[3] = {0, 0, 0};
  const real* cdof = at_world(d.cdof, w, NV * 6) + 6 * (m.tree_dofadr[tree] + column);
  for (int i = 0; i < 2; ++i) {
    const int body = a.body[i];
    if (m.body_treeid[body] == tree && moves_body(m, body, column)) {
      real linear[3];
      point_velocity(cdof, tree_com(m, d, w, body), a.pos[i], linear);
      add_scaled3(out, linear, i == 0 ? real(1) : real(-1));
      add_scaled3(angular, cdof, i == 0 ? real(1) : real(-1));
      moved = true;
    }
  }
  if (moved && m.eq_type[eq] == EQ_WELD) {
    sandwich(out + 3, a.inverse1, angular, a.quat0);
    scale3(out + 3, out + 3, real(0.5) * m.eq_data[12 * eq + 10]);
  }
  return moved;
}

/// Has a connect or weld a row at all? MuJoCo drops one whose Jacobian is zero; with sparse
/// matrices only one whose bodies no dof moves.
FN bool equality_acts(const Model& m, const Data& d, int w, int eq, const Anchors& a) {
  const bool sparse = m.opt_jacobian[0] == 1 || (m.opt_jacobian[0] == 2 && NV >= 60);
  for (int i = 0; i < 2; ++i) {
    const int tree = m.body_treeid[a.body[i]];
    for (int column = 0; tree >= 0 && column < m.tree_dofnum[tree]; ++column) {
      real value[6];
      if (equality_column(m, d, w, eq, a, tree, column, value) &&
          (sparse || dot6(value, value) > 0)) {
        return true;
      }
    }
  }
  return false;
}

/// J-dot v of a connect or weld, [6].
FN void equality_drift(const Model& m, const Data& d, int w, int eq, const Anchors& a, real* out) {
  real linear[2][3], angular[2][3];
  for (int i = 0; i < 2; ++i) {
    drift_acceleration(m, d, w, a.body[i], a.pos[i], linear[i], angular[i]);
  }
  sub3(out, linear[0], linear[1]);
  zero3(out + 3);
  if (m.eq_type[eq] != EQ_WELD) {
    return;
  }

  // the rotation rows are inverse1 (J0 - J1) quat0 / 2: the product rule gives three terms
  const real* omega0 = at_world(d.cvel, w, NBODY * 6) + 6 * a.body[0];
  const real* omega1 = at_world(d.cvel, w, NBODY * 6) + 6 * a.body[1];
  const real pure0[4] = {0, omega0[0], omega0[1], omega0[2]};
  const real pure1[4] = {0, omega1[0], omega1[1], omega1[2]};
  real rate0[4], rate1[4], relative[3], relative_rate[3];
  quat_mul(rate0, pure0, a.quat0);
  quat_mul(rate1, a.inverse1, pure1);
  for (int i = 0; i < 4; ++i) {
    rate0[i] *= real(0.5);
    rate1[i] *= real(-0.5);
  }
  sub3(relative, omega0, omega1);
  sub3(relative_rate, angular[0], angular[1]);
  real first[3], second[3], third[3];
  sandwich(first, rate1, relative, a.quat0);
  sandwich(second, a.inverse1, relative_rate, a.quat0);
  sandwich(third, a.inverse1, relative, rate0);
  add3(out + 3, first, second);
  add3(out + 3, out + 3, third);
  scale3(out + 3, out + 3, real(0.5) * m.eq_data[12 * eq + 10]);
}

/// Solver parameters of an equality's rows, for a violation of the given size.
FN void equality_solver(const Model& m, int eq, real violation, Row& row) {
  real solref[2];
  const real* solimp = m.eq_solimp + 5 * eq;
  safe_solref(m, m.eq_solref + 2 * eq, real(0.02), 1, solref);
  row.imp = impedance(solimp, violation);
  row.ref = reference(solref, clip_impedance(solimp[1]));
}

/// Writes the rows of a connect or weld (all but the Jacobian).
FN void put_anchored(const Model& m, const Data& d, int w, int eq, const Anchors& a, int place) {
  const bool weld = m.eq_type[eq] == EQ_WELD;
  const int size = weld ? 6 : 3;
  const real torquescale = m.eq_data[12 * eq + 10];

  // violation: positions apart, and the axis part of the quaternion between the orientations
  real pos[6], vel[6], drift[6];
  zero6(pos);
  zero6(vel);
  sub3(pos, a.pos[0], a.pos[1]);
  real linear[2][3];
  const real* cvel = at_world(d.cvel, w, NBODY * 6);
  for (int i = 0; i < 2; ++i) {
    point_velocity(cvel + 6 * a.body[i], tree_com(m, d, w, a.body[i]), a.pos[i], linear[i]);
  }
  sub3(vel, linear[0], linear[1]);
  if (weld) {
    real between[4], relative[3];
    quat_mul(between, a.inverse1, a.quat0);
    scale3(pos + 3, between + 1, torquescale);
    sub3(relative, cvel + 6 * a.body[0], cvel + 6 * a.body[1]);
    sandwich(vel + 3, a.inverse1, relative, a.quat0);
    scale3(vel + 3, vel + 3, real(0.5) * torquescale);
  }
  equality_drift(m, d, w, eq, a, drift);

  Row row{};
  row.type = CNSTR_EQUALITY;
  row.id = eq;
  set_trees(row, m.body_treeid[a.body[0]], m.body_treeid[a.body[1]]);
  equality_solver(m, eq, r_sqrt(dot6(pos, pos)), row);
  for (int i = 0; i < size; ++i) {
    const int part = i < 3 ? 0 : 1;
    row.pos = pos[i];
    row.vel = vel[i];
    row.drift = drift[i];
    row.R = regulariser(
        row.imp, m.body_invweight0[2 * a.body[0] + part] + m.body_invweight0[2 * a.body[1] + part]);
    put_row(d, w, place + i, row);
  }
}

/// Slope of the first joint's position over the second's.
FN real coupling_slope(const Model& m, const Data& d, int w, int eq) {
  const int second = m.eq_obj2id[eq];
  const real* c = m.eq_data + 12 * eq;
  const int adr = m.jnt_qposadr[second];
  const real x = at_world(d.qpos, w, NQ)[adr] - m.qpos0[adr];
  return c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
}

/// Writes the row of a joint equality: q1 - q1_0 = polynomial of (q2 - q2_0), or a constant without
/// a second joint.
FN void put_coupling(const Model& m, const Data& d, int w, int eq, int place) {
  const int first = m.eq_obj1id[eq], second = m.eq_obj2id[eq];
  const real* c = m.eq_data + 12 * eq;
  const real* qpos = at_world(d.qpos, w, NQ);
  const real* qvel = at_world(d.qvel, w, NV);
  const int adr = m.jnt_qposadr[first], dof = m.jnt_dofadr[first];

  Row row{};
  row.type = CNSTR_EQUALITY;
  row.id = eq;
  row.pos = qpos[adr] - m.qpos0[adr] - c[0];
  row.vel = qvel[dof];
  real diag = m.dof_invweight0[dof];
  int tree1 = m.dof_treeid[dof];
  if (second >= 0) {
    const int adr1 = m.jnt_qposadr[second], dof1 = m.jnt_dofadr[second];
    const real x = qpos[adr1] - m.qpos0[adr1];
    row.pos -= x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
    row.vel -= coupling_slope(m, d, w, eq) * qvel[dof1];
    diag += m.dof_invweight0[dof1];
    tree1 = m.dof_treeid[dof1];
  }
  set_trees(row, m.dof_treeid[dof], tree1);
  equality_solver(m, eq, row.pos, row);
  row.R = regulariser(row.imp, diag);
  put_row(d, w, place, row);
}
