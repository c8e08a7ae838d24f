#include "mjcf/lists.h"

#include <algorithm>
#include <set>

namespace mjjit::mjcf {
namespace {

void add(std::vector<Reference>& list, Kind kind, std::string& name, std::string attribute) {
  if (kind != Kind::none && !name.empty()) {
    list.push_back({kind, &name, std::move(attribute)});
  }
}

std::string& name_of(SpecPair& e) { return e.name; }
std::string& name_of(SpecExclude& e) { return e.name; }
std::string& name_of(SpecEquality& e) { return e.name; }
std::string& name_of(SpecSensor& e) { return e.name; }
std::string& name_of(ReferenceList& e) { return e.name; }
std::string& name_of(ActuatorEntry& e) { return e.element.name; }

template <typename T>
const Source& source_of(const T& e) {
  return e.source;
}
const Source& source_of(const ActuatorEntry& e) { return e.element.source; }

/// Puts the affix around the references of a copy.
/// @return whether all of them are there
bool rename(const Transfer& t, std::vector<Reference> list, bool may_stay) {
  std::vector<std::string> names;
  std::vector<bool> found;
  for (const Reference& r : list) {
    names.push_back(t.affix.around(*r.name));
    found.push_back(t.to.names.has(r.kind, names.back()));
  }

  // one of two may be outside of what was copied, and keep its name
  if (may_stay && list.size() == 2 && found[0] != found[1]) {
    const std::size_t other = found[0] ? 1 : 0;
    names[other] = *list[other].name;
    found[other] = t.to.names.has(list[other].kind, names[other]);
  }
  for (std::size_t i = 0; i < list.size(); i++) {
    *list[i].name = names[i];
  }
  return std::all_of(found.begin(), found.end(), [](bool is_there) { return is_there; });
}

/// A tendon may run from what was copied to what was not: each reference with the affix where that
/// is there, and at least one of them.
bool rename_tendon(const Transfer& t, const std::vector<Reference>& list) {
  bool is_any_copied = false;
  for (const Reference& r : list) {
    const std::string name = t.affix.around(*r.name);
    if (t.to.names.has(r.kind, name)) {
      *r.name = name;
      is_any_copied = true;
    } else if (!t.to.names.has(r.kind, *r.name)) {
      return false;
    }
  }
  return is_any_copied;
}

template <typename T>
void adjust(const Transfer&, T&, T&) {}

/// A limit that is to be guessed from the range follows the rule of its own file; keyframes go with
/// the first copy.
void adjust(const Transfer& t, ActuatorEntry& from, ActuatorEntry& to) {
  from.keys.clear();
  const bool own_rule = t.from.spec.compiler.autolimits;
  if (own_rule == t.to.spec.compiler.autolimits) {
    return;
  }
  SpecActuator& a = to.element;
  const auto settle = [&](const Vec2& range, Tristate& limited) {
    if (limited == Tristate::automatic) {
      limited = own_rule && range[0] < range[1] ? Tristate::yes : Tristate::no;
    }
  };
  settle(a.ctrlrange, a.ctrllimited);
  settle(a.forcerange, a.forcelimited);
  settle(a.actrange, a.actlimited);
}

template <typename T>
void copy_referring(const Transfer& t, Kind kind, std::vector<T>& from, std::vector<T>& to,
                    bool may_stay) {
  const std::size_t count = from.size();  // both may be the same list
  for (std::size_t i = 0; i < count; i++) {
    T copy = from[i];
    if (kind == Kind::tendon ? !rename_tendon(t, references(copy))
                             : !rename(t, references(copy), may_stay)) {
      continue;
    }
    name_of(copy) = t.affix.around(name_of(copy));
    adjust(t, from[i], copy);
    t.to.names.add(kind, name_of(copy), source_of(copy));
    to.push_back(std::move(copy));
  }
}

template <typename T>
void copy_named(const Transfer& t, Kind kind, const std::vector<T>& from, std::vector<T>& to) {
  for (T copy : from) {
    copy.name = t.affix.around(copy.name);
    t.to.names.add(kind, copy.name, copy.source);
    to.push_back(std::move(copy));
  }
}

void copy_meshes(const Transfer& t) {
  for (SpecMesh copy : t.from.spec.meshes) {
    copy.name = t.affix.around(copy.name);
    if (!copy.material.empty()) {
      copy.material = t.affix.around(copy.material);
    }
    t.to.names.add(Kind::mesh, copy.name, copy.source);
    t.to.spec.meshes.push_back(std::move(copy));
  }
}

void copy_materials(const Transfer& t) {
  for (PastEntry copy : t.from.materials) {
    copy.name = t.affix.around(copy.name);
    for (std::string& texture : copy.textures) {
      texture = t.affix.around(texture);
    }
    t.to.names.add(Kind::material, copy.name, copy.source);
    t.to.materials.push_back(std::move(copy));
  }
}

template <typename T>
void drop(ModelFile& file, Kind kind, std::vector<T>& list,
          std::set<std::pair<Kind, std::string>>& dropped,
          const std::function<bool(Kind, const std::string&)>& is_gone) {
  std::erase_if(list, [&](T& element) {
    const std::vector<Reference> used = references(element);
    const bool is_broken = std::any_of(used.begin(), used.end(), [&](const Reference& r) {
      return is_gone(r.kind, *r.name) || dropped.count({r.kind, *r.name}) > 0;
    });
    if (is_broken) {
      file.names.remove(kind, name_of(element));
      dropped.insert({kind, name_of(element)});
    }
    return is_broken;
  });
}

}  // namespace

std::vector<Reference> references(SpecPair& pair) {
  return {{Kind::geom, &pair.geomname1, "geom1"}, {Kind::geom, &pair.geomname2, "geom2"}};
}

std::vector<Reference> references(SpecExclude& exclude) {
  return {{Kind::body, &exclude.bodyname1, "body1"}, {Kind::body, &exclude.bodyname2, "body2"}};
}

std::vector<Reference> references(SpecEquality& equality) {
  constexpr int kBody = 1, kJoint = 3;
  const Kind kind = equality.objtype == kBody    ? Kind::body
                    : equality.objtype == kJoint ? Kind::joint
                                                 : Kind::site;
  std::vector<Reference> list;
  add(list, kind, equality.name1, fmt::format("{}1", kind_name(kind)));
  add(list, kind, equality.name2, fmt::format("{}2", kind_name(kind)));
  return list;
}

std::vector<Reference> references(SpecSensor& sensor) {
  std::vector<Reference> list;
  add(list, kind_of(sensor.objtype), sensor.objname, sensor.objattribute);
  add(list, kind_of(sensor.reftype), sensor.refname, sensor.refattribute);
  return list;
}

std::vector<Reference> references(ActuatorEntry& actuator) {
  // by mjtTrn: joint, joint in parent, slider-crank, tendon, site, body
  struct Target {
    Kind kind;
    const char* attribute;
  };
  constexpr Target kTargets[] = {{Kind::joint, "joint"},    {Kind::joint, "jointinparent"},
                                 {Kind::site, "cranksite"}, {Kind::tendon, "tendon"},
                                 {Kind::site, "site"},      {Kind::body, "body"}};
  SpecActuator& a = actuator.element;
  std::vector<Reference> list;
  if (a.trntype < 6) {
    add(list, kTargets[a.trntype].kind, a.target, kTargets[a.trntype].attribute);
  }
  add(list, Kind::site, a.refsite, "refsite");
  add(list, Kind::site, a.slidersite, "slidersite");
  add(list, Kind::site, a.cranksite, "cranksite");
  return list;
}

std::vector<Reference> references(ReferenceList& list) {
  std::vector<Reference> result;
  for (ReferenceList::Reference& r : list.references) {
    add(result, r.kind, r.name, r.attribute);
  }
  return result;
}

void copy_lists(const Transfer& t) {
  ModelFile& from = t.from;
  ModelFile& to = t.to;
  if (!t.is_same_file()) {
    copy_meshes(t);
    copy_named(t, Kind::skin, from.skins, to.skins);
    copy_named(t, Kind::hfield, from.spec.hfields, to.spec.hfields);
    copy_named(t, Kind::texture, from.textures, to.textures);
    copy_materials(t);
    copy_named(t, Kind::numeric, from.spec.numerics, to.spec.numerics);
    copy_named(t, Kind::text, from.texts, to.texts);
  }
  copy_referring(t, Kind::pair, from.spec.pairs, to.spec.pairs, true);
  copy_referring(t, Kind::exclude, from.spec.excludes, to.spec.excludes, true);
  copy_referring(t, Kind::tendon, from.tendons, to.tendons, false);
  copy_referring(t, Kind::equality, from.spec.equalities, to.spec.equalities, false);
  copy_referring(t, Kind::actuator, from.actuators, to.actuators, false);
  copy_referring(t, Kind::sensor, from.spec.sensors, to.spec.sensors, true);
  copy_referring(t, Kind::tuple, from.tuples, to.tuples, false);
}

void drop_referring(ModelFile& file, const std::function<bool(Kind, const std::string&)>& is_gone) {
  std::set<std::pair<Kind, std::string>> dropped;
  drop(file, Kind::pair, file.spec.pairs, dropped, is_gone);
  drop(file, Kind::exclude, file.spec.excludes, dropped, is_gone);
  drop(file, Kind::tendon, file.tendons, dropped, is_gone);
  drop(file, Kind::equality, file.spec.equalities, dropped, is_gone);
  drop(file, Kind::actuator, file.actuators, dropped, is_gone);
  drop(file, Kind::sensor, file.spec.sensors, dropped, is_gone);
  drop(file, Kind::tuple, file.tuples, dropped, is_gone);
}

}  // namespace mjjit::mjcf
