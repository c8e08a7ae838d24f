#include "mjcf/tree.h"

namespace mjjit::mjcf {
namespace {

/// The name that an asset of the giving file has in the taking one: replicating does not copy
/// assets.
std::string asset_name(const Transfer& t, const std::string& name) {
  return t.is_same_file() ? name : t.affix.around(name);
}

/// A limit that is to be guessed from the range follows the rule of its own file.
void settle_limit(const Transfer& t, const Source& source, const char* what, const Vec2& range,
                  Tristate& limited) {
  const bool own_rule = t.from.spec.compiler.autolimits;
  if (own_rule == t.to.spec.compiler.autolimits || limited != Tristate::automatic) {
    return;
  }
  const bool has_range = range[0] != 0 || range[1] != 0;
  if (!own_rule && has_range) {
    mjjit::fail(source,
                "{}: it has a range but does not say whether it is limited, and autolimits is off",
                what);
  }
  limited = own_rule && range[0] < range[1] ? Tristate::yes : Tristate::no;
}

/// Whether a frame is `root` or stands in it.
bool is_inside(const BodyEntry& body, int frame, int root) {
  while (frame != root && frame >= 0) {
    frame = body.frames[static_cast<std::size_t>(frame)].frame;
  }
  return frame == root;
}

class Copier {
 public:
  /// @param frames   number of each frame of `source` in `target`, -2 for what is not copied
  Copier(const Transfer& t, BodyEntry& source, BodyEntry& target, std::vector<int> frames,
         int outside)
      : t_(t), source_(source), target_(target), frames_(std::move(frames)), outside_(outside) {}

  void copy_elements() {
    copy(source_.joints, target_.joints, Kind::joint, [this](JointEntry& from, JointEntry& to) {
      const SpecJoint& joint = from.element;
      settle_limit(t_, joint.source, "joint", joint.range, to.element.limited);
      settle_limit(t_, joint.source, "joint", joint.actfrcrange, to.element.actfrclimited);
      from.keys.clear();
    });
    copy(source_.geoms, target_.geoms, Kind::geom, [this](GeomEntry&, GeomEntry& to) {
      to.material = asset_name(t_, to.material);
      to.element.meshname = asset_name(t_, to.element.meshname);
      to.element.hfieldname = asset_name(t_, to.element.hfieldname);
    });
    copy(source_.sites, target_.sites, Kind::site,
         [this](SiteEntry&, SiteEntry& to) { to.material = asset_name(t_, to.material); });
    copy(source_.cameras, target_.cameras, Kind::camera,
         [this](CameraEntry&, CameraEntry& to) { to.target = t_.affix.around(to.target); });
    copy_lights();
  }

  void copy_bodies() {
    const std::size_t count = source_.bodies.size();  // the target may be the source
    for (std::size_t i = 0; i < count; i++) {
      BodyEntry& child = *source_.bodies[i];
      if (const int frame = frame_of(child.frame); frame != -2) {
        copy_body(t_, child, target_, frame);
      }
    }
  }

 private:
  int frame_of(int frame) const {
    return frame < 0 ? outside_ : frames_[static_cast<std::size_t>(frame)];
  }

  template <typename Entry, typename Adjust>
  void copy(std::vector<Entry>& from, std::vector<Entry>& to, Kind kind, Adjust adjust) {
    const std::size_t count = from.size();
    for (std::size_t i = 0; i < count; i++) {
      const int frame = frame_of(from[i].frame);
      if (frame == -2) {
        continue;
      }
      Entry entry = from[i];
      entry.frame = frame;
      entry.element.name = t_.affix.around(entry.element.name);
      adjust(from[i], entry);
      t_.to.names.add(kind, entry.element.name, entry.element.source);
      to.push_back(std::move(entry));
    }
  }

  void copy_lights() {
    const std::size_t count = source_.lights.size();
    for (std::size_t i = 0; i < count; i++) {
      LightEntry light = source_.lights[i];
      if (frame_of(light.frame) == -2) {
        continue;
      }
      light.frame = frame_of(light.frame);
      light.name = t_.affix.around(light.name);
      light.target = t_.affix.around(light.target);
      light.texture = asset_name(t_, light.texture);
      t_.to.names.add(Kind::light, light.name, light.source);
      target_.lights.push_back(std::move(light));
    }
  }

  const Transfer& t_;
  BodyEntry& source_;
  BodyEntry& target_;
  std::vector<int> frames_;
  int outside_;
};

/// A body's own attributes, without what it holds.
BodyEntry own_attributes(const Transfer& t, const BodyEntry& source) {
  const SpecBody& body = source.element;
  BodyEntry copy;
  copy.childclass = source.childclass;
  copy.keys = source.keys;
  copy.element.source = body.source;
  copy.element.name = t.affix.around(body.name);
  copy.element.pos = body.pos;
  copy.element.quat = body.quat;
  copy.element.mocap = body.mocap;
  copy.element.gravcomp = body.gravcomp;
  copy.element.inertial = body.inertial;
  copy.element.compiler = body.compiler ? body.compiler : t.compiler;
  return copy;
}

/// Copies the frames of `source` that stand in `root` to the end of those of `target`, and tells
/// their new numbers.
std::vector<int> copy_frames(const Transfer& t, const BodyEntry& source, int root, int root_copy,
                             BodyEntry& target) {
  const std::vector<FrameEntry> frames = source.frames;  // the target may be the source
  std::vector<int> numbers(frames.size(), -2);
  for (std::size_t i = 0; i < frames.size(); i++) {
    if (static_cast<int>(i) == root) {
      numbers[i] = root_copy;
    } else if (is_inside(source, static_cast<int>(i), root)) {
      FrameEntry frame = frames[i];
      frame.name = t.affix.around(frame.name);
      frame.frame = frame.frame < 0 ? root_copy : numbers[static_cast<std::size_t>(frame.frame)];
      t.to.names.add(Kind::frame, frame.name, frame.source);
      numbers[i] = static_cast<int>(target.frames.size());
      target.frames.push_back(std::move(frame));
    }
  }
  return numbers;
}

}  // namespace

void copy_body(const Transfer& t, BodyEntry& source, BodyEntry& parent, int frame) {
  auto copy = std::make_unique<BodyEntry>(own_attributes(t, source));
  source.keys.clear();
  copy->frame = frame;
  t.to.names.add(Kind::body, copy->element.name, copy->element.source);
  Copier copier(t, source, *copy, copy_frames(t, source, -1, -1, *copy), -1);
  copier.copy_elements();
  copier.copy_bodies();
  parent.bodies.push_back(std::move(copy));
}

void copy_frame(const Transfer& t, BodyEntry& source, int root, const Place& place,
                BodyEntry& parent, int frame) {
  FrameEntry entry;
  entry.source = source.element.source;
  if (root >= 0) {
    entry = source.frames[static_cast<std::size_t>(root)];
  }
  entry.name = t.affix.around(entry.name);
  entry.place = place;
  entry.frame = frame;
  t.to.names.add(Kind::frame, entry.name, entry.source);
  const int number = static_cast<int>(parent.frames.size());
  parent.frames.push_back(std::move(entry));

  Copier copier(t, source, parent, copy_frames(t, source, root, number, parent),
                root < 0 ? number : -2);
  copier.copy_elements();
  copier.copy_bodies();
}

BodyEntry* find_body(BodyEntry& top, const std::string& name) {
  if (top.element.name == name) {
    return &top;
  }
  for (const auto& child : top.bodies) {
    if (BodyEntry* found = find_body(*child, name)) {
      return found;
    }
  }
  return nullptr;
}

BodyEntry* find_frame(BodyEntry& top, const std::string& name, int& frame) {
  for (std::size_t i = 0; i < top.frames.size(); i++) {
    if (top.frames[i].name == name) {
      frame = static_cast<int>(i);
      return &top;
    }
  }
  for (const auto& child : top.bodies) {
    if (BodyEntry* found = find_frame(*child, name, frame)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace mjjit::mjcf
