#include "mjcf/attach.h"
#include "mjcf/tree.h"

// Keyframes of attached models. Such a keyframe speaks of a part of the finished model only, and
// joints of other parts can stand between its own. So its values are first given to the joints,
// mocap bodies and actuators they belong to, move with them, and are put together when the model is
// finished.

namespace mjjit::mjcf {
namespace {

std::size_t qpos_size(const SpecJoint& joint) {
  return joint.type == 0 ? 7 : joint.type == 1 ? 4 : 1;
}
std::size_t dof_size(const SpecJoint& joint) {
  return joint.type == 0 ? 6 : joint.type == 1 ? 3 : 1;
}

std::size_t act_size(const SpecActuator& actuator) {
  return actuator.actdim > 0     ? static_cast<std::size_t>(actuator.actdim)
         : actuator.dyntype != 0 ? 1
                                 : 0;
}

/// Cuts a list into pieces, one after the other.
class Slices {
 public:
  explicit Slices(const std::vector<double>& values) : values_(values) {}

  /// The next n values; nothing where the list is empty.
  std::vector<double> next(std::size_t n) {
    if (values_.empty()) {
      return {};
    }
    position_ += n;
    return {values_.begin() + static_cast<std::ptrdiff_t>(position_ - n),
            values_.begin() + static_cast<std::ptrdiff_t>(position_)};
  }

 private:
  const std::vector<double>& values_;
  std::size_t position_ = 0;
};

struct Sizes {
  std::size_t nq = 0, nv = 0, na = 0, nu = 0, nmocap = 0;
};

Sizes sizes_of(ModelFile& file) {
  Sizes sizes;
  for_each_body(file.world, [&](BodyEntry& body) {
    sizes.nmocap += body.element.mocap;
    for (const JointEntry& joint : body.joints) {
      sizes.nq += qpos_size(joint.element);
      sizes.nv += dof_size(joint.element);
    }
  });
  for (const ActuatorEntry& actuator : file.actuators) {
    sizes.na += act_size(actuator.element);
    sizes.nu++;
  }
  return sizes;
}

void check_length(const SpecKey& key, const char* name, const std::vector<double>& values,
                  std::size_t expected) {
  if (!values.empty() && values.size() != expected) {
    mjjit::fail(key.source, "key '{}': attribute '{}' has {} values, the model needs {}", key.name,
                name, values.size(), expected);
  }
}

void check_lengths(const SpecKey& key, const Sizes& sizes) {
  check_length(key, "qpos", key.qpos, sizes.nq);
  check_length(key, "qvel", key.qvel, sizes.nv);
  check_length(key, "act", key.act, sizes.na);
  check_length(key, "ctrl", key.ctrl, sizes.nu);
  check_length(key, "mpos", key.mpos, 3 * sizes.nmocap);
  check_length(key, "mquat", key.mquat, 4 * sizes.nmocap);
}

void share(ModelFile& file, const SpecKey& key, int number) {
  Slices qpos(key.qpos), qvel(key.qvel), mpos(key.mpos), mquat(key.mquat), act(key.act),
      ctrl(key.ctrl);
  for_each_body(file.world, [&](BodyEntry& body) {
    if (body.element.mocap) {
      body.keys[number] = {mpos.next(3), mquat.next(4)};
    }
    for (JointEntry& joint : body.joints) {
      joint.keys[number] = {qpos.next(qpos_size(joint.element)),
                            qvel.next(dof_size(joint.element))};
    }
  });
  for (ActuatorEntry& actuator : file.actuators) {
    actuator.keys[number] = {act.next(act_size(actuator.element)), ctrl.next(1)};
  }
}

/// The place of a body in its parent, frames included.
Place place_in_parent(const BodyEntry& body, const BodyEntry* parent) {
  Place place{body.element.pos, unit(body.element.quat)};
  for (int frame = body.frame; frame >= 0;) {
    const FrameEntry& entry = parent->frames[static_cast<std::size_t>(frame)];
    place = combine(entry.place, place);
    frame = entry.frame;
  }
  return place;
}

std::vector<double> reference(const SpecJoint& joint, const Place& body) {
  if (joint.type == 0) {
    std::vector<double> pose(body.pos.begin(), body.pos.end());
    pose.insert(pose.end(), body.quat.begin(), body.quat.end());
    return pose;
  }
  return joint.type == 1 ? std::vector<double>{1, 0, 0, 0} : std::vector<double>{joint.ref};
}

/// Appends an element's share of a list that the keyframe has, or what stands there without one.
void append(std::vector<double>& list, bool is_wanted, const std::vector<double>* part,
            const std::vector<double>& otherwise) {
  if (is_wanted) {
    const std::vector<double>& values = part && !part->empty() ? *part : otherwise;
    list.insert(list.end(), values.begin(), values.end());
  }
}

const KeyShare* find(const KeyShares& shares, int number) {
  const auto found = shares.find(number);
  return found == shares.end() ? nullptr : &found->second;
}

void gather_body(const BodyEntry& body, const BodyEntry* parent, int number, const SpecKey& wanted,
                 SpecKey& key) {
  const Place place = place_in_parent(body, parent);
  if (body.element.mocap) {
    const KeyShare* share = find(body.keys, number);
    append(key.mpos, !wanted.mpos.empty(), share ? &share->first : nullptr,
           {place.pos.begin(), place.pos.end()});
    append(key.mquat, !wanted.mquat.empty(), share ? &share->second : nullptr,
           {place.quat.begin(), place.quat.end()});
  }
  for (const JointEntry& joint : body.joints) {
    const KeyShare* share = find(joint.keys, number);
    append(key.qpos, !wanted.qpos.empty(), share ? &share->first : nullptr,
           reference(joint.element, place));
    append(key.qvel, !wanted.qvel.empty(), share ? &share->second : nullptr,
           std::vector<double>(dof_size(joint.element)));
  }
  for (const auto& child : body.bodies) {
    gather_body(*child, &body, number, wanted, key);
  }
}

}  // namespace

void share_keyframes(ModelFile& from, ModelFile& to, const Affix& affix) {
  const Sizes sizes = sizes_of(from);
  for (const SpecKey& key : from.spec.keys) {
    check_lengths(key, sizes);
    AttachedKey attached{++*to.key_counter, key};
    attached.key.name = affix.around(key.name);
    share(from, key, attached.number);
    to.names.add(Kind::key, attached.key.name, key.source);
    to.attached_keys.push_back(std::move(attached));
  }

  // those of models that were attached to this one keep their names
  for (const AttachedKey& key : from.attached_keys) {
    to.names.add(Kind::key, key.key.name, key.key.source);
    to.attached_keys.push_back(key);
  }
}

void forget_keyframes(ModelFile& file) {
  for_each_body(file.world, [](BodyEntry& body) {
    body.keys.clear();
    for (JointEntry& joint : body.joints) {
      joint.keys.clear();
    }
  });
  for (ActuatorEntry& actuator : file.actuators) {
    actuator.keys.clear();
  }
}

void gather_keyframes(ModelFile& file) {
  for (const AttachedKey& attached : file.attached_keys) {
    const SpecKey& wanted = attached.key;
    SpecKey key;
    key.source = wanted.source;
    key.name = wanted.name;
    key.time = wanted.time;
    gather_body(file.world, nullptr, attached.number, wanted, key);
    for (const ActuatorEntry& actuator : file.actuators) {
      const KeyShare* share = find(actuator.keys, attached.number);
      append(key.act, !wanted.act.empty(), share ? &share->first : nullptr,
             std::vector<double>(act_size(actuator.element)));
      append(key.ctrl, !wanted.ctrl.empty(), share ? &share->second : nullptr, {0});
    }
    file.spec.keys.push_back(std::move(key));
  }
}

}  // namespace mjjit::mjcf
