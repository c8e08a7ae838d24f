#include <map>

#include "mjcf/elements.h"
#include "mjcf/limits.h"
#include "mjcf/sections.h"
#include "mjcf/values.h"

// contact, equality, tendon, keyframe and custom: what refers to the tree or stands beside it

namespace mjjit::mjcf {
namespace {

/// The words of objtype that <tuple> and a user's sensor know.
Kind object_kind(const Element& element) {
  const Kind kind = kind_of(*element.find("objtype"));
  if (kind == Kind::none) {
    fail(element, "attribute 'objtype' is '{}', which is no kind of element",
         *element.find("objtype"));
  }
  return kind;
}

void read_pair_element(const Element& element, ModelFile& file) {
  SpecPair pair = file.defaults.of(element, "main").pair;
  pair.source = element.source;
  read_pair(element, file, pair);
  read(element, "name", pair.name);
  read(element, "geom1", pair.geomname1);
  read(element, "geom2", pair.geomname2);
  file.names.add(Kind::pair, pair.name, pair.source);
  file.spec.pairs.push_back(std::move(pair));
}

void read_exclude(const Element& element, ModelFile& file) {
  SpecExclude exclude;
  exclude.source = element.source;
  read(element, "name", exclude.name);
  read(element, "body1", exclude.bodyname1);
  read(element, "body2", exclude.bodyname2);
  file.names.add(Kind::exclude, exclude.name, exclude.source);
  file.spec.excludes.push_back(std::move(exclude));
}

/// connect and weld hold either two bodies or two sites together
void read_objects(const Element& element, SpecEquality& equality) {
  constexpr int kBody = 1, kSite = 6;
  const bool has_bodies = element.has("body1");
  equality.objtype = has_bodies ? kBody : kSite;
  read(element, has_bodies ? "body1" : "site1", equality.name1);
  read(element, has_bodies ? "body2" : "site2", equality.name2);
  if (Vec3 anchor; read(element, "anchor", anchor) > 0) {
    equality.anchor = anchor;
  }
  if (std::array<double, 7> relpose; read(element, "relpose", relpose) > 0) {
    equality.relpose = relpose;
  }
  read(element, "torquescale", equality.torquescale);
}

void read_equality_element(const Element& element, ModelFile& file) {
  static const std::map<std::string, int> kTypes = {{"connect", 0}, {"weld", 1}, {"joint", 2}};
  const auto type = kTypes.find(element.tag);
  std::string name;
  read(element, "name", name);
  file.names.add(Kind::equality, name, element.source);
  if (type == kTypes.end()) {
    file.unsupported(element.source, fmt::format("equality <{}>", element.tag));
    return;
  }
  SpecEquality equality = file.defaults.of(element, "main").equality;
  equality.source = element.source;
  equality.name = name;
  equality.type = type->second;
  read_equality_common(element, equality);
  if (element.tag == "joint") {
    constexpr int kJoint = 3;
    equality.objtype = kJoint;
    read(element, "joint1", equality.name1);
    read(element, "joint2", equality.name2);
    read(element, "polycoef", equality.polycoef);
  } else {
    read_objects(element, equality);
  }
  file.spec.equalities.push_back(std::move(equality));
}

/// A tendon is not there yet: its references are checked, nothing else is kept.
void read_tendon_element(const Element& element, ModelFile& file) {
  ReferenceList tendon{element.source, "", {}};
  read(element, "name", tendon.name);
  check_user(element, file, "nuser_tendon", &file.defaults.of(element, "main"));
  if (element.children.empty()) {
    fail(element, "it has no path");
  }
  for (const Element& wrap : element.children) {
    for (const char* attribute : {"site", "geom", "joint", "sidesite"}) {
      if (const std::string* name = wrap.find(attribute)) {
        const Kind kind = kind_of(std::string_view(attribute) == "sidesite" ? "site" : attribute);
        tendon.references.push_back({kind, *name, attribute});
      }
    }
  }
  file.unsupported(element.source, fmt::format("tendon <{}>", element.tag));
  file.names.add(Kind::tendon, tendon.name, tendon.source);
  file.tendons.push_back(std::move(tendon));
}

void read_numeric(const Element& element, ModelFile& file) {
  SpecNumeric numeric;
  numeric.source = element.source;
  read(element, "name", numeric.name);
  numeric.data = read_list<double>(element, "data");
  numeric.size = static_cast<int>(numeric.data.size());
  if (read(element, "size", numeric.size) && numeric.size < static_cast<int>(numeric.data.size())) {
    fail(element, "attribute 'data' has {} values, size is {}", numeric.data.size(), numeric.size);
  }
  if (numeric.size < 1 || numeric.size > kMostNumbers) {
    fail(element, "attribute 'size' is {}, must be 1 to {}", numeric.size, kMostNumbers);
  }
  file.names.add(Kind::numeric, numeric.name, numeric.source);
  file.spec.numerics.push_back(std::move(numeric));
}

void read_tuple(const Element& element, ModelFile& file) {
  ReferenceList tuple{element.source, *element.find("name"), {}};
  for (const Element& child : element.children) {
    tuple.references.push_back({object_kind(child), *child.find("objname"), "objname"});
  }
  if (tuple.references.empty()) {
    fail(element, "it has no elements");
  }
  file.names.add(Kind::tuple, tuple.name, tuple.source);
  file.tuples.push_back(std::move(tuple));
}

void read_text(const Element& element, ModelFile& file) {
  if (element.find("data")->empty()) {
    fail(element, "attribute 'data' is empty");
  }
  PastEntry text{element.source, *element.find("name"), {}};
  file.names.add(Kind::text, text.name, text.source);
  file.texts.push_back(std::move(text));
}

}  // namespace

void read_contact(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    element.tag == "pair" ? read_pair_element(element, file) : read_exclude(element, file);
  }
}

void read_equality(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    read_equality_element(element, file);
  }
}

void read_tendon(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    read_tendon_element(element, file);
  }
}

void read_custom(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    if (element.tag == "numeric") {
      read_numeric(element, file);
    } else if (element.tag == "tuple") {
      read_tuple(element, file);
    } else {
      read_text(element, file);
    }
  }
}

void read_keyframe(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    SpecKey key;
    key.source = element.source;
    read(element, "name", key.name);
    read(element, "time", key.time);
    key.qpos = read_list<double>(element, "qpos");
    key.qvel = read_list<double>(element, "qvel");
    key.act = read_list<double>(element, "act");
    key.mpos = read_list<double>(element, "mpos");
    key.mquat = read_list<double>(element, "mquat");
    key.ctrl = read_list<double>(element, "ctrl");
    if (element.has("plastic")) {
      file.unsupported(element.source, "attribute 'plastic' of <key>");
    }
    file.names.add(Kind::key, key.name, key.source);
    file.spec.keys.push_back(std::move(key));
  }
}

}  // namespace mjjit::mjcf
