#include <algorithm>
#include <cmath>

#include "../../kernels/enums.cuh"
#include "model/draft.h"
#include "model/fit.h"
#include "model/frame.h"
#include "model/shape.h"

namespace mjjit {
namespace {

/// A geom while it is compiled.
struct Work {
  const SpecGeom& spec;
  std::string name;  // for messages
  int body;
  int mesh = -1;    // the mesh that is named, also where a primitive is fitted to it
  int dataid = -1;  // geom_dataid
  Pose pose = {};
  Vec3 size = {0, 0, 0};
  std::array<double, 6> aabb = {0, 0, 0, 0, 0, 0};  // centre and half sizes in the geom's frame
  double rbound = 0;
};

template <typename T, std::size_t n>
void append(std::vector<T>& to, const std::array<T, n>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

bool shows_mesh(const Work& g) { return g.spec.type == GEOM_MESH || g.spec.type == GEOM_SDF; }

void resolve_assets(Draft& d, Work& g) {
  const SpecGeom& spec = g.spec;
  if (!spec.meshname.empty()) {
    g.mesh = d.mesh_ids.find(spec.meshname);
    if (g.mesh < 0) {
      fail(spec.source, "{}: mesh '{}' is not defined in <asset>", g.name, spec.meshname);
    }
    g.dataid = shows_mesh(g) ? g.mesh : -1;
  } else if (shows_mesh(g)) {
    fail(spec.source, "{}: type is mesh but attribute 'mesh' is missing", g.name);
  }
  if (!spec.hfieldname.empty()) {
    g.dataid = d.hfield_ids.find(spec.hfieldname);
    if (g.dataid < 0) {
      fail(spec.source, "{}: hfield '{}' is not defined in <asset>", g.name, spec.hfieldname);
    }
  }
  if ((spec.type == GEOM_HFIELD) != !spec.hfieldname.empty()) {
    fail(spec.source, "{}: type 'hfield' and attribute 'hfield' need each other", g.name);
  }
}

void check_values(Draft& d, const Work& g) {
  const SpecGeom& spec = g.spec;
  if (spec.condim != 1 && spec.condim != 3 && spec.condim != 4 && spec.condim != 6) {
    fail(spec.source, "{}: condim is {}, must be 1, 3, 4 or 6", g.name, spec.condim);
  }
  if (spec.mass < 0) {
    fail(spec.source, "{}: mass is {}, must not be negative", g.name, spec.mass);
  }
  if (spec.density < 0) {
    fail(spec.source, "{}: density is {}, must not be negative", g.name, spec.density);
  }
  const int weld = d.m.body_weldid[g.body];
  if (spec.type == GEOM_PLANE && weld != 0 && !d.bodies[weld]->mocap) {
    fail(spec.source, "{}: a plane can only be in a body that does not move", g.name);
  }
  if (g.mesh >= 0 && spec.fromto) {
    fail(spec.source, "{}: fromto cannot be used with a mesh", g.name);
  }
  if (g.mesh >= 0 && shows_mesh(g) && spec.typeinertia != 0) {
    fail(spec.source, "{}: shellinertia of a mesh geom is set at the mesh, attribute 'inertia'",
         g.name);
  }
}

/// The frame of a geom with a mesh is the mesh's own, at its centre of mass along its principal
/// axes.
void place_on_mesh(Draft& d, Work& g) {
  const MeshData& mesh = d.meshes[g.mesh];
  Vec3 center = {0, 0, 0};
  if (!shows_mesh(g)) {
    const Fit fit = fit_to_mesh(g.spec.type, mesh, d.spec.compiler.fitaabb, g.spec.fitscale, g.size,
                                g.spec.source, g.name);
    g.size = fit.size;
    center = fit.center;
  }
  const Pose mesh_pose = {mesh.pos, mesh.quat};
  g.pose = compose(g.pose, {compose(mesh_pose, {center, {1, 0, 0, 0}}).pos, mesh.quat});
}

void set_bounds(Work& g) {
  const Shape shape = {g.spec.type, g.size, false};
  const Vec3 half = shape_half_box(shape);
  g.aabb = {0, 0, 0, half[0], half[1], half[2]};
  g.rbound = shape_rbound(shape);
  if (g.spec.type == GEOM_PLANE) {
    constexpr double kFar = 1e10;
    g.aabb = {0, 0, -kFar / 2, kFar, kFar, kFar / 2};
  }
}

/// Size and bounds of a mesh or height field follow from the asset. The size of a mesh geom is that
/// of the box about its frame's origin that holds it.
void set_asset_bounds(Draft& d, Work& g) {
  if (g.spec.type == GEOM_HFIELD) {
    const double* s = &d.m.hfield_size[4 * g.dataid];  // half x, half y, top, depth below zero
    g.size = {s[0], s[1], 0.25 * s[2] + 0.5 * s[3]};
    g.aabb = {0, 0, (s[2] - s[3]) / 2, s[0], s[1], (s[2] + s[3]) / 2};
    g.rbound = std::sqrt(s[0] * s[0] + s[1] * s[1] + std::max(s[2] * s[2], s[3] * s[3]));
    return;
  }
  const MeshData& mesh = d.meshes[g.mesh];
  for (int i = 0; i < 3; i++) {
    g.size[i] = std::max(std::abs(mesh.aamm_min[i]), std::abs(mesh.aamm_max[i]));
    g.aabb[i] = (mesh.aamm_max[i] + mesh.aamm_min[i]) / 2;
    g.aabb[3 + i] = (mesh.aamm_max[i] - mesh.aamm_min[i]) / 2;
  }
  g.rbound = std::sqrt(dot(g.size, g.size));
}

/// Does the geom give its body mass and inertia?
bool makes_inertia(const Draft& d, const Work& g) {
  const SpecCompiler& c = compiler_of(d, g.body);
  const bool wanted = !d.bodies[g.body]->inertial || c.inertiafromgeom == 1;
  return g.body > 0 && wanted && g.spec.group >= c.inertiagrouprange[0] &&
         g.spec.group <= c.inertiagrouprange[1];
}

GeomMass mass_of(const Draft& d, const Work& g) {
  const SpecGeom& spec = g.spec;
  if (!makes_inertia(d, g)) {
    return {};
  }
  const bool is_mesh = shows_mesh(g);
  const Shape shape = {spec.type, g.size, spec.typeinertia != 0};
  const double volume = is_mesh ? d.meshes[g.mesh].volume : shape_volume(shape);

  // a given mass needs a volume to be spread over
  GeomMass out;
  if (std::isnan(spec.mass)) {
    out.mass = spec.density * volume;
  } else if (volume > kTiny) {
    out.mass = spec.mass;
  }
  if (out.mass == 0) {
    return {};
  }
  const Shape box = {GEOM_BOX, is_mesh ? d.meshes[g.mesh].inertia_box : Vec3{}, false};
  out.inertia = shape_inertia(is_mesh ? box : shape, out.mass);
  return out;
}

void append_geom(Model& m, const Work& g) {
  const SpecGeom& spec = g.spec;
  m.geom_type.push_back(spec.type);
  m.geom_contype.push_back(spec.contype);
  m.geom_conaffinity.push_back(spec.conaffinity);
  m.geom_condim.push_back(spec.condim);
  m.geom_dataid.push_back(g.dataid);
  m.geom_priority.push_back(spec.priority);
  m.geom_solmix.push_back(spec.solmix);
  append(m.geom_solref, spec.solref);
  append(m.geom_solimp, spec.solimp);
  append(m.geom_size, g.size);
  append(m.geom_aabb, g.aabb);
  m.geom_rbound.push_back(g.rbound);
  append(m.geom_pos, g.pose.pos);
  append(m.geom_quat, g.pose.quat);
  append(m.geom_friction, spec.friction);
  m.geom_margin.push_back(spec.margin);
  m.geom_gap.push_back(spec.gap);

  std::array<double, 12> fluid = {};
  if (spec.fluid_ellipsoid) {
    fluid = fluid_coefficients({spec.type, g.size, false}, spec.fluid_coefs);
  }
  append(m.geom_fluid, fluid);
}

void compile_geom(Draft& d, int id) {
  const SpecGeom& spec = *d.geoms[id];
  Work g{.spec = spec, .name = label("geom", spec.name), .body = d.m.geom_bodyid[id]};
  resolve_assets(d, g);
  check_values(d, g);
  const Placement placement = place(spec.type, {spec.pos, spec.quat}, spec.fromto,
                                    spec.fromto_frame, spec.size, spec.source, g.name);
  g.pose = placement.pose;
  g.size = placement.size;
  if (g.mesh >= 0) {
    place_on_mesh(d, g);
  }
  check_size(spec.type, g.size, spec.source, g.name);
  if (spec.type == GEOM_HFIELD || shows_mesh(g)) {
    set_asset_bounds(d, g);
  } else {
    set_bounds(g);
  }
  d.geom_mass.push_back(mass_of(d, g));
  append_geom(d.m, g);
}

}  // namespace

void compile_geoms(Draft& d) {
  for (int i = 0; i < d.m.ngeom; i++) {
    compile_geom(d, i);
  }
}

}  // namespace mjjit
