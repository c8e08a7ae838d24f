// The smooth dynamics: from qpos, qvel, act and ctrl to the accelerations without constraints, and
// all that later stages need to know about positions and velocities. One group of lanes a world;
// workspace.cuh says what lives where.
//
// What limits it on the GPU is the number of instructions of a warp that has more lanes than a
// level of the body tree has bodies. Hence all maths runs over all bodies at once. Sums and poses
// go down the tree in strides that double: three rounds of all bodies instead of eight levels of a
// few. Inertias and wrenches are summed up the tree in one pass, a lane a component.
#include "actuation.cuh"
#include "crb.cuh"
#include "factor.cuh"
#include "kinematics.cuh"
#include "passive.cuh"
#include "rne.cuh"

/// qfrc_smooth from passive, actuator and bias forces, into s.qacc and d.
FN void smooth_force(Group g, const Model& m, const Data& d, int w, const Work& s) {
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    const real bias = dot6(s.cdof + 6 * i, s.body + BODY * m.dof_bodyid[i] + WRENCH);
    const real force = s.passive[i] - bias + s.actuated[i];
    s.qacc[i] = force;
    at_world(d.qfrc_smooth, w, NV)[i] = force;
    at_world(d.qfrc_actuator, w, NV)[i] = s.actuated[i];
    if (d.qfrc_bias != nullptr) {
      at_world(d.qfrc_bias, w, NV)[i] = bias;
      at_world(d.qfrc_passive, w, NV)[i] = s.passive[i];
    }
  }
  g.sync();
}

/// The inertia matrices, and qacc_smooth = inv(M) qfrc_smooth, for as many trees at a time as are
/// factored side by side; the factors go to d where the solver preconditions with them.
FN void smooth_acceleration(Group g, const Model& m, const Data& d, int w, const Work& s) {
  constexpr int together = FITS_LANES ? TREES_AT_ONCE : NTREE > 0 ? NTREE : 1;
  NO_UNROLL
  for (int tree = 0; tree < NTREE; tree += together) {
    const int end = r_min(tree + together, NTREE);
    inertia_matrices(g, m, d, w, s, tree, end);
    tree_factor_solve<!NEWTON>(g, m, s.qM, s.diagonal, s.qacc, tree, end);
    if constexpr (!NEWTON) {
      const TreeBlock first = tree_block(m, tree);
      const TreeBlock last = tree_block(m, end - 1);
      const int count = last.madr + last.n * last.n - first.madr;
      real* qLD = at_world(d.qLD, w, NMBLOCK) + first.madr;
      NO_UNROLL
      for (int i = g.lane(); i < count; i += g.size) {
        qLD[i] = s.qM[i];
      }
      g.sync();
    }
  }
  real* qacc_smooth = at_world(d.qacc_smooth, w, NV);
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    qacc_smooth[i] = s.qacc[i];
  }
}

KERNEL(smooth, 1) {
  SHARED(real, memory, WORK_IS_SHARED ? WORK_REALS : 0);
  const int w = g.world();
  const Work s = carve(WORK_IS_SHARED ? memory : at_world(d.smooth_scratch, w, NSMOOTHSCRATCH));
  const real* qvel = at_world(d.qvel, w, NV);
  NO_UNROLL
  for (int i = g.lane(); i < NV; i += g.size) {
    s.qvel[i] = qvel[i];
  }

  // positions
  kinematics(g, m, d, w, s);
  root_centres(g, m, s);
  body_inertias(g, m, d, w, s);
  joint_motions(g, m, d, w, s);

  // velocities, and the wrenches that they and gravity ask for; then both sums up the tree in one
  body_velocities(g, m, d, w, s);
  bias_accelerations(g, m, d, w, s);
  body_wrenches(g, m, s);
  sum_up<16, BODY>(g, m, s.body);
  subtree_centres(g, m, d, w, s);

  // forces and accelerations
  passive_forces(g, m, d, w, s);
  actuator_forces(g, m, d, w, s);
  g.sync();
  smooth_force(g, m, d, w, s);
  smooth_acceleration(g, m, d, w, s);
}
