#include <algorithm>

#include "../../kernels/enums.cuh"
#include "model/draft.h"
#include "model/frame.h"

namespace mjjit {
namespace {

/// The least mass and moment with which a body can be moved; MuJoCo's mjMINVAL.
constexpr double kLeastMoving = 1e-15;

/// Mass, centre and principal moments of a body in its own frame.
struct Inertia {
  double mass = 0;
  Vec3 moments = {0, 0, 0};
  Pose pose;
  bool has_pose = false;
};

Vec3 vec3_at(const std::vector<double>& array, int i) {
  return {array[3 * i], array[3 * i + 1], array[3 * i + 2]};
}

Quat quat_at(const std::vector<double>& array, int i) {
  return {array[4 * i], array[4 * i + 1], array[4 * i + 2], array[4 * i + 3]};
}

Pose geom_pose(const Model& m, int geom) {
  return {vec3_at(m.geom_pos, geom), quat_at(m.geom_quat, geom)};
}

/// @throws Error{Exit::input} where a principal moment is not positive
Principal positive_axes(const std::array<double, 6>& full, const Source& at,
                        const std::string& name) {
  const Principal axes = principal_axes(full);
  if (!(axes.moments[2] >= kTiny)) {
    fail(at, "{}: the inertia is not positive definite, its least principal moment is {}", name,
         axes.moments[2]);
  }
  return axes;
}

Inertia from_inertial(const SpecInertial& inertial, const std::string& name) {
  Inertia out;
  out.mass = inertial.mass;
  out.pose = {inertial.ipos, unit_quat(inertial.iquat, inertial.source, "inertial of " + name)};
  out.has_pose = true;
  if (inertial.inertia) {
    out.moments = *inertial.inertia;
  }
  if (inertial.fullinertia) {
    const Principal axes =
        positive_axes(*inertial.fullinertia, inertial.source, name + ": fullinertia");
    out.moments = axes.moments;
    out.pose.quat = multiply(out.pose.quat, axes.quat);
  }
  return out;
}

/// Adds up the geoms of a body that have mass; leaves `out` alone where there is none.
void add_geoms(Draft& d, int body, const std::string& name, Inertia& out) {
  const Model& m = d.m;
  const SpecCompiler& c = compiler_of(d, body);
  std::vector<int> geoms;
  for (int g = m.body_geomadr[body]; g < m.body_geomadr[body] + m.body_geomnum[body]; g++) {
    const int group = d.geoms[g]->group;
    if (d.geom_mass[g].mass > kTiny && group >= c.inertiagrouprange[0] &&
        group <= c.inertiagrouprange[1]) {
      geoms.push_back(g);
    }
  }
  if (geoms.empty()) {
    return;
  }
  out.has_pose = true;
  if (geoms.size() == 1) {
    out.mass = d.geom_mass[geoms[0]].mass;
    out.moments = d.geom_mass[geoms[0]].inertia;
    out.pose = geom_pose(m, geoms[0]);
    return;
  }

  // common centre of mass
  out.mass = 0;
  Vec3 moment = {0, 0, 0};
  for (const int g : geoms) {
    out.mass += d.geom_mass[g].mass;
    moment = moment + d.geom_mass[g].mass * vec3_at(m.geom_pos, g);
  }
  out.pose.pos = {moment[0] / out.mass, moment[1] / out.mass, moment[2] / out.mass};

  // moments about it
  std::array<double, 6> full = {};
  for (const int g : geoms) {
    const auto own = rotated_inertia(d.geom_mass[g].inertia, quat_at(m.geom_quat, g));
    const auto moved = offset_inertia(d.geom_mass[g].mass, vec3_at(m.geom_pos, g) - out.pose.pos);
    for (int k = 0; k < 6; k++) {
      full[k] += own[k] + moved[k];
    }
  }
  const Principal axes = positive_axes(full, d.bodies[body]->source, name);
  out.moments = axes.moments;
  out.pose.quat = axes.quat;
}

/// compiler boundmass, boundinertia and balanceinertia; then what no rigid body can have is an
/// error.
void correct(const SpecCompiler& c, const Source& at, const std::string& name, Inertia& body) {
  auto& [a, b, e] = body.moments;
  if (body.mass < 0) {
    fail(at, "{}: mass is {}, must not be negative", name, body.mass);
  }
  if (a < 0 || b < 0 || e < 0) {
    fail(at, "{}: inertia {} {} {} must not be negative", name, a, b, e);
  }
  body.mass = std::max(body.mass, c.boundmass);
  a = std::max(a, c.boundinertia);
  b = std::max(b, c.boundinertia);
  e = std::max(e, c.boundinertia);
  if (a + b >= e && a + e >= b && b + e >= a) {
    return;
  }
  if (!c.balanceinertia) {
    fail(at,
         "{}: inertia {} {} {} belongs to no rigid body, the sum of two must not be below the "
         "third; compiler "
         "balanceinertia=\"true\" replaces such moments by their mean",
         name, a, b, e);
  }
  a = b = e = (a + b + e) / 3;
}

Inertia body_inertia(Draft& d, int id) {
  const SpecBody& spec = *d.bodies[id];
  const SpecCompiler& c = compiler_of(d, id);
  const std::string name = label("body", spec.name);
  Inertia out;
  if (spec.inertial) {
    out = from_inertial(*spec.inertial, name);
  }
  if (c.inertiafromgeom == 1 || (c.inertiafromgeom == 2 && !spec.inertial)) {
    add_geoms(d, id, name, out);
  }
  if (!out.has_pose) {  // MuJoCo's choice for a body without mass
    const Source& at = spec.source;
    out.pose = {spec.own_pos.value_or(spec.pos),
                unit_quat(spec.own_quat.value_or(spec.quat), at, name)};
  }
  correct(c, spec.inertial ? spec.inertial->source : spec.source, name, out);
  return out;
}

void put_pose(const Pose& pose, int i, std::vector<double>& pos, std::vector<double>& quat) {
  std::copy(pose.pos.begin(), pose.pos.end(), &pos[3 * i]);
  std::copy(pose.quat.begin(), pose.quat.end(), &quat[4 * i]);
}

bool is_aligned(const Draft& d, int id) {
  const SpecBody& body = *d.bodies[id];
  if (body.joints.size() != 1 || body.joints[0].type != JNT_FREE || !body.bodies.empty()) {
    return false;
  }
  const Tristate align = body.joints[0].align;
  return align == Tristate::yes || (align == Tristate::automatic && compiler_of(d, id).alignfree);
}

/// Moves the frame of a free body to its inertial frame, and what is fixed to the body the other
/// way.
void align(Draft& d, int id, Pose& pose, Inertia& inertia) {
  Model& m = d.m;
  pose = compose(pose, inertia.pose);
  const Pose back = inverse(inertia.pose);
  inertia.pose = {};
  for (int g = 0; g < m.ngeom; g++) {
    if (m.geom_bodyid[g] == id) {
      put_pose(compose(back, geom_pose(m, g)), g, m.geom_pos, m.geom_quat);
    }
  }
  for (int s = 0; s < m.nsite; s++) {
    if (m.site_bodyid[s] == id) {
      put_pose(compose(back, {vec3_at(m.site_pos, s), quat_at(m.site_quat, s)}), s, m.site_pos,
               m.site_quat);
    }
  }
}

/// What the geoms of a body sum up to for contact filters.
void sum_contact_bits(Model& m, int id) {
  for (int g = m.body_geomadr[id]; g < m.body_geomadr[id] + m.body_geomnum[id]; g++) {
    m.body_contype[id] |= m.geom_contype[g];
    m.body_conaffinity[id] |= m.geom_conaffinity[g];
    m.body_margin[id] = std::max(m.body_margin[id], m.geom_margin[g] + m.geom_gap[g]);
  }
}

/// A body can be moved when it, or something welded to it, has mass and inertia.
bool has_inertia(const Draft& d, int id) {
  const Model& m = d.m;
  const Vec3 moments = vec3_at(m.body_inertia, id);
  if (m.body_mass[id] >= kLeastMoving && moments[0] >= kLeastMoving && moments[1] >= kLeastMoving &&
      moments[2] >= kLeastMoving) {
    return true;
  }
  for (int child = id + 1; child < m.nbody; child++) {
    if (m.body_parentid[child] == id && m.body_jntnum[child] == 0 && has_inertia(d, child)) {
      return true;
    }
  }
  return false;
}

void check_moving(const Draft& d) {
  for (int i = 1; i < d.m.nbody; i++) {
    const SpecBody& body = *d.bodies[i];
    if (!body.joints.empty() && !has_inertia(d, i)) {
      fail(body.source,
           "{}: a body with joints needs mass and inertia: from geoms, an <inertial>, or compiler "
           "boundmass and "
           "boundinertia",
           label("body", body.name));
    }
  }
}

/// compiler settotalmass: scales all masses and moments.
void scale_total(Draft& d) {
  Model& m = d.m;
  const double wanted = d.spec.compiler.settotalmass;
  if (!(wanted > 0)) {
    return;
  }
  double total = 0;
  for (const double mass : m.body_mass) {
    total += mass;
  }
  const double scale = std::max(kLeastMoving, wanted / std::max(kLeastMoving, total));
  for (double& mass : m.body_mass) {
    mass *= scale;
  }
  for (double& moment : m.body_inertia) {
    moment *= scale;
  }
}

}  // namespace

void compile_inertia(Draft& d) {
  Model& m = d.m;
  m.body_pos.resize(3 * m.nbody);
  m.body_quat.resize(4 * m.nbody);
  m.body_ipos.resize(3 * m.nbody);
  m.body_iquat.resize(4 * m.nbody);
  m.body_inertia.resize(3 * m.nbody);
  m.body_contype.resize(m.nbody);
  m.body_conaffinity.resize(m.nbody);
  m.body_margin.resize(m.nbody);
  put_pose({}, 0, m.body_pos, m.body_quat);
  put_pose({}, 0, m.body_ipos, m.body_iquat);
  for (int i = 0; i < m.nbody; i++) {
    const SpecBody& spec = *d.bodies[i];
    m.body_gravcomp.push_back(spec.gravcomp);
    sum_contact_bits(m, i);
    if (i == 0) {
      m.body_mass.push_back(0);
      continue;
    }
    Pose pose = {spec.pos, unit_quat(spec.quat, spec.source, label("body", spec.name))};
    Inertia inertia = body_inertia(d, i);
    if (is_aligned(d, i)) {
      align(d, i, pose, inertia);
    }
    put_pose(pose, i, m.body_pos, m.body_quat);
    put_pose(inertia.pose, i, m.body_ipos, m.body_iquat);
    m.body_mass.push_back(inertia.mass);
    std::copy(inertia.moments.begin(), inertia.moments.end(), &m.body_inertia[3 * i]);
  }
  check_moving(d);
  scale_total(d);
}

}  // namespace mjjit
