#include <algorithm>
#include <cstdint>

#include "mjcf/limits.h"
#include "model/draft.h"

namespace mjjit {
namespace {

/// Depth first, as MuJoCo numbers: a body, its elements, then each child with all that hangs on it.
void collect(Draft& d, const SpecBody& body, int parent, int depth, std::vector<int>& depths) {
  Model& m = d.m;
  const int id = static_cast<int>(d.bodies.size());
  if (id >= kMostBodies) {
    fail(body.source, "{}: there can be no more than {} bodies, this is one more",
         label("body", body.name), kMostBodies);
  }
  d.bodies.push_back(&body);
  depths.push_back(depth);
  d.body_ids.add(id == 0 ? "world" : body.name, body.source);
  m.body_name.push_back(id == 0 ? "world" : body.name);
  m.body_parentid.push_back(parent);

  const bool is_weld_root = id == 0 || !body.joints.empty() || body.mocap;
  m.body_weldid.push_back(is_weld_root ? id : m.body_weldid[parent]);
  m.body_rootid.push_back(parent == 0 ? id : m.body_rootid[parent]);

  m.body_jntnum.push_back(static_cast<int>(body.joints.size()));
  m.body_jntadr.push_back(body.joints.empty() ? -1 : static_cast<int>(d.joints.size()));
  for (const SpecJoint& joint : body.joints) {
    d.joints.push_back(&joint);
    d.joint_ids.add(joint.name, joint.source);
    m.jnt_bodyid.push_back(id);
  }
  m.body_geomnum.push_back(static_cast<int>(body.geoms.size()));
  m.body_geomadr.push_back(body.geoms.empty() ? -1 : static_cast<int>(d.geoms.size()));
  for (const SpecGeom& geom : body.geoms) {
    d.geoms.push_back(&geom);
    d.geom_ids.add(geom.name, geom.source);
    m.geom_name.push_back(geom.name);
    m.geom_bodyid.push_back(id);
  }
  for (const SpecSite& site : body.sites) {
    d.sites.push_back(&site);
    d.site_ids.add(site.name, site.source);
    m.site_bodyid.push_back(id);
  }
  for (const SpecCamera& camera : body.cameras) {
    d.camera_ids.add(camera.name, camera.source);
  }
  for (const auto& child : body.bodies) {
    collect(d, *child, id, depth + 1, depths);
  }
}

/// Mocap bodies are numbered in body order; they hang on the world and nothing moves them but the
/// user.
void number_mocap(Draft& d) {
  Model& m = d.m;
  m.body_mocapid.assign(m.nbody, -1);
  for (int i = 0; i < m.nbody; i++) {
    const SpecBody& body = *d.bodies[i];
    if (!body.mocap) {
      continue;
    }
    if (!body.joints.empty() || m.body_parentid[i] != 0 || i == 0) {
      fail(body.source, "{}: a mocap body must be a child of the world and have no joint",
           label("body", body.name));
    }
    m.body_mocapid[i] = m.nmocap++;
  }
}

/// Bodies sorted by depth: what a kernel may compute at the same time.
void number_levels(Model& m, const std::vector<int>& depths) {
  m.nlevel = *std::max_element(depths.begin(), depths.end()) + 1;
  m.level_num.assign(m.nlevel, 0);
  for (const int depth : depths) {
    m.level_num[depth]++;
  }
  m.level_adr.assign(m.nlevel, 0);
  for (int level = 1; level < m.nlevel; level++) {
    m.level_adr[level] = m.level_adr[level - 1] + m.level_num[level - 1];
  }
  std::vector<int> next = m.level_adr;
  m.level_body.resize(m.nbody);
  for (int i = 0; i < m.nbody; i++) {
    m.level_body[next[depths[i]]++] = i;
  }
}

}  // namespace

void number_bodies(Draft& d) {
  Model& m = d.m;
  std::vector<int> depths;
  collect(d, d.spec.world, 0, 0, depths);
  m.nbody = static_cast<int>(d.bodies.size());
  m.njnt = static_cast<int>(d.joints.size());
  m.ngeom = static_cast<int>(d.geoms.size());
  m.nsite = static_cast<int>(d.sites.size());

  if (!d.spec.world.joints.empty()) {
    const SpecJoint& joint = d.spec.world.joints.front();
    fail(joint.source, "{}: the world body cannot have joints", label("joint", joint.name));
  }
  number_mocap(d);
  number_levels(m, depths);
}

void number_trees(Draft& d) {
  Model& m = d.m;

  // a dof without a parent starts a tree
  m.dof_treeid.resize(m.nv);
  for (int i = 0; i < m.nv; i++) {
    if (m.dof_parentid[i] < 0) {
      m.tree_dofadr.push_back(i);
      m.tree_dofnum.push_back(0);
      m.ntree++;
    }
    m.dof_treeid[i] = m.ntree - 1;
    m.tree_dofnum.back()++;
  }

  // bodies follow the body that they are welded to; those welded to the world have no tree
  m.tree_bodyadr.assign(m.ntree, 0);
  m.tree_bodynum.assign(m.ntree, 0);
  m.body_treeid.assign(m.nbody, -1);
  for (int i = 1; i < m.nbody; i++) {
    const int weld = m.body_weldid[i];
    if (m.body_dofnum[weld] == 0) {
      continue;
    }
    const int tree = m.dof_treeid[m.body_dofadr[weld]];
    m.body_treeid[i] = tree;
    if (m.tree_bodynum[tree]++ == 0) {
      m.tree_bodyadr[tree] = i;
    }
  }

  for (int i = 0; i < m.nbody; i++) {
    const int tree = m.body_treeid[i];
    if (d.bodies[i]->has_sleep_policy && (tree < 0 || m.tree_bodyadr[tree] != i)) {
      fail(d.bodies[i]->source,
           "{}: attribute 'sleep' is for the first moving body of a tree, which this is not",
           label("body", d.bodies[i]->name));
    }
  }

  // what hangs on a dof is numbered right after it
  m.dof_end.resize(m.nv);
  for (int i = m.nv - 1; i >= 0; i--) {
    m.dof_end[i] = std::max(m.dof_end[i], i + 1);
    if (m.dof_parentid[i] >= 0) {
      m.dof_end[m.dof_parentid[i]] = std::max(m.dof_end[m.dof_parentid[i]], m.dof_end[i]);
    }
  }
  m.level_dofnum.assign(m.nlevel, 0);
  for (int level = 0; level < m.nlevel; level++) {
    for (int k = m.level_adr[level]; k < m.level_adr[level] + m.level_num[level]; k++) {
      m.level_dofnum[level] = std::max(m.level_dofnum[level], m.body_dofnum[m.level_body[k]]);
    }
  }

  // inertia: a dense block a tree, and MuJoCo's address of each dof's row of ancestors
  m.tree_madr.resize(m.ntree);
  for (int t = 0; t < m.ntree; t++) {
    m.tree_madr[t] = m.nmblock;
    const std::int64_t entries = std::int64_t{m.tree_dofnum[t]} * m.tree_dofnum[t];
    if (entries > kMostNumbers - m.nmblock) {
      const SpecBody& body = *d.bodies[m.dof_bodyid[m.tree_dofadr[t]]];
      fail(body.source, "{}: with its tree of {} dofs the inertia has more than {} entries",
           label("body", body.name), m.tree_dofnum[t], kMostNumbers);
    }
    m.nmblock += static_cast<int>(entries);
    m.nvtree = std::max(m.nvtree, m.tree_dofnum[t]);
  }
  std::vector<int> ancestors(m.nv);
  m.dof_Madr.resize(m.nv);
  int address = 0;
  for (int i = 0; i < m.nv; i++) {
    ancestors[i] = m.dof_parentid[i] < 0 ? 1 : ancestors[m.dof_parentid[i]] + 1;
    m.dof_Madr[i] = address;
    address += ancestors[i];
  }
}

}  // namespace mjjit
