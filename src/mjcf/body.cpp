#include <set>

#include "mjcf/attach.h"
#include "mjcf/elements.h"
#include "mjcf/limits.h"
#include "mjcf/lists.h"
#include "mjcf/sections.h"
#include "mjcf/values.h"

// The tree: worldbody, body, frame, replicate and what stands in them.

namespace mjjit::mjcf {
namespace {

class TreeReader {
 public:
  explicit TreeReader(ModelFile& file) : file_(file) {}

  /// Reads what stands in a body or in one of its frames.
  /// @param frame      the frame, -1 for the body itself
  /// @param is_world   whether the elements end up in the world
  void read_children(const Element& section, BodyEntry& body, int frame, bool is_world) {
    for (const Element& element : section.children) {
      read_child(element, body, frame, is_world);
    }
  }

 private:
  const std::string& active_class(const BodyEntry& body, int frame) const {
    return frame < 0 ? body.childclass : body.frames[static_cast<std::size_t>(frame)].childclass;
  }

  const DefaultClass& class_of(const Element& element, const BodyEntry& body, int frame) const {
    return file_.defaults.of(element, active_class(body, frame));
  }

  void read_child(const Element& element, BodyEntry& body, int frame, bool is_world) {
    const std::string& tag = element.tag;
    if (is_world && (tag == "joint" || tag == "freejoint" || tag == "inertial")) {
      fail(element, "the world cannot have a <{}>", tag);
    }
    if (tag == "body") {
      read_body(element, body, frame);
    } else if (tag == "geom") {
      read_geom_element(element, body, frame);
    } else if (tag == "joint" || tag == "freejoint") {
      read_joint_element(element, body, frame);
    } else if (tag == "site") {
      read_site_element(element, body, frame);
    } else if (tag == "inertial") {
      read_inertial(element, body);
    } else if (tag == "frame") {
      read_frame(element, body, frame, is_world);
    } else if (tag == "replicate") {
      read_replicate(element, body, frame, is_world);
    } else if (tag == "attach") {
      attach(element, file_, body, frame);
    } else if (tag == "camera" || tag == "light") {
      read_camera_or_light(element, body, frame);
    } else {
      file_.unsupported(element.source, fmt::format("<{}>", tag));
    }
  }

  void read_body(const Element& element, BodyEntry& parent, int frame) {
    parent.bodies.push_back(std::make_unique<BodyEntry>());
    BodyEntry& body = *parent.bodies.back();
    body.frame = frame;
    body.childclass = file_.defaults.name_of(element, "childclass", active_class(parent, frame));
    body.element.source = element.source;
    read(element, "name", body.element.name);
    read(element, "pos", body.element.pos);
    read_orientation(element, file_.angles, body.element.quat);
    read(element, "mocap", body.element.mocap);
    read(element, "gravcomp", body.element.gravcomp);
    if (int policy; read_keyword(element, "sleep", policy)) {
      body.element.has_sleep_policy = policy != 0;
    }
    if (int simple; read_keyword(element, "simple", simple)) {
      body.element.may_be_simple = simple != 0;
    }
    check_user(element, file_, "nuser_body", nullptr);
    file_.names.add(Kind::body, body.element.name, element.source);
    read_children(element, body, -1, false);
  }

  void read_inertial(const Element& element, BodyEntry& body) {
    if (body.element.inertial) {
      fail(element, "the body has an <inertial> already");
    }
    SpecInertial inertial;
    inertial.source = element.source;
    read(element, "pos", inertial.ipos);
    read_orientation(element, file_.angles, inertial.iquat);
    read(element, "mass", inertial.mass);
    if (Vec3 diagonal; read(element, "diaginertia", diagonal) > 0) {
      inertial.inertia = diagonal;
    }
    if (std::array<double, 6> full; read(element, "fullinertia", full) > 0) {
      inertial.fullinertia = full;
    }
    body.element.inertial = inertial;
  }

  void read_joint_element(const Element& element, BodyEntry& body, int frame) {
    SpecJoint joint;
    if (element.tag == "joint") {
      joint = class_of(element, body, frame).joint;
      read_joint(element, file_, joint);
      check_user(element, file_, "nuser_jnt", &class_of(element, body, frame));
    } else {
      joint.type = 0;  // a freejoint knows no default class
      read(element, "group", joint.group);
      read(element, "align", joint.align);
    }
    joint.source = element.source;
    read(element, "name", joint.name);
    convert_joint_angles(file_.angles, file_.spec.compiler.autolimits, joint);
    file_.names.add(Kind::joint, joint.name, joint.source);
    body.joints.push_back({std::move(joint), frame});
  }

  void read_geom_element(const Element& element, BodyEntry& body, int frame) {
    GeomDefault values = class_of(element, body, frame).geom;
    values.geom.source = element.source;
    read_geom(element, file_, values);
    check_user(element, file_, "nuser_geom", &class_of(element, body, frame));
    read(element, "name", values.geom.name);
    if (values.geom.fromto && values.geom.pos != Vec3{0, 0, 0}) {
      fail(element, "there can be only one of the attributes pos and fromto");
    }
    file_.names.add(Kind::geom, values.geom.name, element.source);
    body.geoms.push_back({std::move(values.geom), frame, values.material});
  }

  void read_site_element(const Element& element, BodyEntry& body, int frame) {
    SiteDefault values = class_of(element, body, frame).site;
    values.site.source = element.source;
    read_site(element, file_, values);
    check_user(element, file_, "nuser_site", &class_of(element, body, frame));
    read(element, "name", values.site.name);
    if (values.site.fromto && values.site.pos != Vec3{0, 0, 0}) {
      fail(element, "there can be only one of the attributes pos and fromto");
    }
    file_.names.add(Kind::site, values.site.name, element.source);
    body.sites.push_back({std::move(values.site), frame, values.material});
  }

  void read_camera_or_light(const Element& element, BodyEntry& body, int frame) {
    const DefaultClass& inherited = class_of(element, body, frame);
    std::string name, target;
    read(element, "name", name);
    read(element, "target", target);
    file_.names.add(element.tag == "camera" ? Kind::camera : Kind::light, name, element.source);
    if (element.tag == "light") {
      LightEntry light{element.source, name, frame, target, ""};
      read(element, "texture", light.texture);
      if (double softness; read(element, "softness", softness) && (softness < 0 || softness > 1)) {
        fail(element, "attribute 'softness' is {}, must be 0 to 1", softness);
      }
      Vec3 dir = {0, 0, -1};
      if (read(element, "dir", dir) > 0 &&
          !(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2] > 1e-26)) {
        fail(element, "attribute 'dir' has no length");
      }
      body.lights.push_back(std::move(light));
      return;
    }
    CameraEntry camera;
    camera.element = inherited.camera;
    camera.element.source = element.source;
    camera.element.name = name;
    camera.frame = frame;
    camera.target = target;
    read_camera(element, file_, camera.element);
    check_user(element, file_, "nuser_cam", &inherited);
    body.cameras.push_back(std::move(camera));
  }

  void read_frame(const Element& element, BodyEntry& body, int outer, bool is_world) {
    FrameEntry frame;
    frame.source = element.source;
    frame.frame = outer;
    frame.childclass = file_.defaults.name_of(element, "childclass", active_class(body, outer));
    read(element, "name", frame.name);
    read(element, "pos", frame.place.pos);
    read_orientation(element, file_.angles, frame.place.quat);
    file_.names.add(Kind::frame, frame.name, element.source);
    body.frames.push_back(std::move(frame));
    read_children(element, body, static_cast<int>(body.frames.size()) - 1, is_world);
  }

  /// Reads the content once, into a holder, and copies it; the number of a copy comes behind each
  /// name.
  void read_replicate(const Element& element, BodyEntry& body, int frame, bool is_world) {
    int count = 0;
    Vec3 offset = {0, 0, 0}, euler = {0, 0, 0};
    std::string separator;
    read(element, "count", count);
    read(element, "offset", offset);
    read(element, "euler", euler);
    read(element, "sep", separator);
    if (count < 0) {
      fail(element, "attribute 'count' is {}, must not be negative", count);
    }
    if (count > kMostElements) {
      fail(element, "attribute 'count' is {}, must be at most {}", count, kMostElements);
    }

    BodyEntry holder;
    holder.element.source = element.source;
    holder.childclass = file_.defaults.name_of(element, "childclass", active_class(body, frame));
    read_children(element, holder, -1, is_world);

    Place place;
    const auto digits = std::to_string(count).size();
    for (int i = 0; i < count; i++) {
      // each copy turns by a multiple of the angles, and moves by one more offset, turned as the
      // copy before
      place.quat = from_euler({i * euler[0], i * euler[1], i * euler[2]}, file_.angles);
      const Affix affix{"", fmt::format("{}{:0{}}", separator, i, digits)};
      const Transfer transfer{file_, file_, affix};
      copy_frame(transfer, holder, -1, place, body, frame);
      copy_lists(transfer);
      place.pos = combine(place, {offset, {1, 0, 0, 0}}).pos;
    }
    drop_holder(holder);
  }

  /// The content that was only a pattern goes, and with it what refers to it.
  void drop_holder(BodyEntry& holder) {
    std::set<std::pair<Kind, std::string>> gone;
    for_each_name(holder, false, [&](Kind kind, const std::string& name, const Source&) {
      file_.names.remove(kind, name);
      if (!name.empty()) {
        gone.insert({kind, name});
      }
    });
    drop_referring(file_, [&](Kind kind, const std::string& name) {
      return gone.count({kind, name}) > 0;
    });
  }

  ModelFile& file_;
};

}  // namespace

void read_worldbody(const Element& section, ModelFile& file) {
  TreeReader(file).read_children(section, file.world, -1, true);
}

}  // namespace mjjit::mjcf
