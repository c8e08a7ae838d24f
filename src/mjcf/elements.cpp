#include "mjcf/elements.h"

#include <algorithm>

#include "mjcf/values.h"

namespace mjjit::mjcf {
namespace {

/// A feature that is not there, asked for by an attribute that is not zero.
void refuse_attribute(const Element& element, const char* name, ModelFile& file) {
  const std::vector<double> values = read_list<double>(element, name);
  if (std::any_of(values.begin(), values.end(), [](double x) { return x != 0; })) {
    file.unsupported(element.source, fmt::format("attribute '{}' of <{}>", name, element.tag));
  }
}

void read_fromto(const Element& element, std::optional<std::array<double, 6>>& fromto) {
  if (std::array<double, 6> ends; read(element, "fromto", ends) > 0) {
    fromto = ends;
  }
}

}  // namespace

void read_joint(const Element& element, ModelFile& file, SpecJoint& joint) {
  read_keyword(element, "type", joint.type);
  read(element, "group", joint.group);
  read(element, "pos", joint.pos);
  read(element, "axis", joint.axis);
  read(element, "springdamper", joint.springdamper);
  read(element, "limited", joint.limited);
  read(element, "actuatorfrclimited", joint.actfrclimited);
  read(element, "solreflimit", joint.solref_limit);
  read(element, "solimplimit", joint.solimp_limit);
  read(element, "solreffriction", joint.solref_friction);
  read(element, "solimpfriction", joint.solimp_friction);
  read_polynomial(element, "stiffness", joint.stiffness, joint.stiffnesspoly);
  read_polynomial(element, "damping", joint.damping, joint.dampingpoly);
  read(element, "range", joint.range);
  read(element, "actuatorfrcrange", joint.actfrcrange);
  read(element, "actuatorgravcomp", joint.actgravcomp);
  read(element, "margin", joint.margin);
  read(element, "ref", joint.ref);
  read(element, "springref", joint.springref);
  read(element, "armature", joint.armature);
  read(element, "frictionloss", joint.frictionloss);
  refuse_attribute(element, "springyield", file);
}

void convert_joint_angles(const AngleRule& angles, bool autolimits, SpecJoint& joint) {
  constexpr int kBall = 1, kHinge = 3;
  const bool is_limited =
      joint.limited == Tristate::yes ||
      (joint.limited == Tristate::automatic && autolimits && joint.range[0] < joint.range[1]);
  if (is_limited && (joint.type == kBall || joint.type == kHinge)) {
    joint.range = {angles.radians(joint.range[0]), angles.radians(joint.range[1])};
  }
  if (joint.type == kHinge) {
    joint.ref = angles.radians(joint.ref);
    joint.springref = angles.radians(joint.springref);
  }
}

void read_geom(const Element& element, ModelFile& file, GeomDefault& target) {
  SpecGeom& geom = target.geom;
  read_keyword(element, "type", geom.type);
  read(element, "contype", geom.contype);
  read(element, "conaffinity", geom.conaffinity);
  read(element, "condim", geom.condim);
  read(element, "group", geom.group);
  read(element, "priority", geom.priority);
  read(element, "size", geom.size);
  read(element, "material", target.material);
  read(element, "friction", geom.friction);
  read(element, "mass", geom.mass);
  read(element, "density", geom.density);
  if (bool shell; read(element, "shellinertia", shell)) {
    geom.typeinertia = shell ? 1 : 0;
  }
  read(element, "solmix", geom.solmix);
  read(element, "solref", geom.solref);
  read(element, "solimp", geom.solimp);
  read(element, "margin", geom.margin);
  read(element, "gap", geom.gap);
  read_fromto(element, geom.fromto);
  read(element, "pos", geom.pos);
  read_orientation(element, file.angles, geom.quat);
  read(element, "hfield", geom.hfieldname);
  read(element, "mesh", geom.meshname);
  read(element, "fitscale", geom.fitscale);
  if (int shape; read_keyword(element, "fluidshape", shape)) {
    geom.fluid_ellipsoid = shape == 1;
  }
  read(element, "fluidcoef", geom.fluid_coefs);

  // what is not there
  refuse_attribute(element, "surfacevel", file);
  refuse_attribute(element, "adhesion", file);
  for (const Element& child : element.children) {
    file.unsupported(child.source, "<plugin> of a geom");
  }
}

void read_site(const Element& element, ModelFile& file, SiteDefault& target) {
  SpecSite& site = target.site;
  read_keyword(element, "type", site.type);
  read(element, "group", site.group);
  read(element, "pos", site.pos);
  read_orientation(element, file.angles, site.quat);
  read(element, "material", target.material);
  read(element, "size", site.size);
  read_fromto(element, site.fromto);
  if (const std::string* mesh = element.find("mesh"); mesh && !mesh->empty()) {
    file.unsupported(element.source, "attribute 'mesh' of <site>");
  }
}

void read_camera(const Element& element, ModelFile& file, SpecCamera& camera) {
  read(element, "pos", camera.pos);
  read_orientation(element, file.angles, camera.quat);
}

void read_pair(const Element& element, ModelFile& file, SpecPair& pair) {
  read(element, "condim", pair.condim);
  read(element, "friction", pair.friction);
  read(element, "solref", pair.solref);
  read(element, "solimp", pair.solimp);
  read(element, "gap", pair.gap);
  read(element, "margin", pair.margin);
  read(element, "solreffriction", pair.solreffriction);
  refuse_attribute(element, "adhesion", file);
}

void read_equality_common(const Element& element, SpecEquality& equality) {
  read(element, "active", equality.active);
  read(element, "solref", equality.solref);
  read(element, "solimp", equality.solimp);
}

void read_mesh_common(const Element& element, SpecMesh& mesh) {
  read(element, "scale", mesh.scale);
  read(element, "material", mesh.material);
  read_keyword(element, "inertia", mesh.inertia);
  if (read(element, "maxhullvert", mesh.maxhullvert) && mesh.maxhullvert != -1 &&
      mesh.maxhullvert < 4) {
    fail(element, "attribute 'maxhullvert' is {}, must be -1 or at least 4", mesh.maxhullvert);
  }
}

void check_history(const Element& element) {
  constexpr int kMostSamples = 1 << 24;
  int samples = 0;
  double delay = 0;
  read(element, "nsample", samples);
  read(element, "delay", delay);
  if (samples > kMostSamples) {
    fail(element, "attribute 'nsample' is {}, must be at most {}", samples, kMostSamples);
  }
  if (delay > 0 && samples <= 0) {
    fail(element, "attribute 'delay' is {}, which needs samples to go back to: 'nsample'", delay);
  }
}

void read_texture_common(const Element& element, TextureDefault& texture) {
  read_keyword(element, "type", texture.type);
  read_keyword(element, "builtin", texture.builtin);
  read(element, "width", texture.width);
  read(element, "height", texture.height);
  read(element, "nchannel", texture.nchannel);
}

void check_user(const Element& element, const ModelFile& file, const char* size,
                const DefaultClass* inherited) {
  const auto limit = file.user_sizes.find(size);
  if (limit == file.user_sizes.end()) {
    return;
  }
  std::size_t count = 0;
  if (element.has("user")) {
    count = read_list<double>(element, "user").size();
  } else if (inherited) {
    const auto given = inherited->user_counts.find(size);
    count = given == inherited->user_counts.end() ? 0 : given->second;
  }
  if (count > static_cast<std::size_t>(limit->second)) {
    fail(element, "attribute 'user' has {} values, <size {}=\"{}\"> allows no more than {}", count,
         size, limit->second, limit->second);
  }
}

}  // namespace mjjit::mjcf
