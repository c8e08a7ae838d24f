#include "mjcf/defaults.h"

#include "mjcf/elements.h"
#include "mjcf/model_file.h"
#include "mjcf/values.h"

namespace mjjit::mjcf {
namespace {

bool is_actuator(const std::string& tag) {
  static const std::set<std::string> kTags = {"general",     "motor",       "position", "velocity",
                                              "intvelocity", "orientation", "pid",      "damper",
                                              "cylinder",    "muscle",      "adhesion", "dcmotor"};
  return kTags.count(tag) > 0;
}

/// The attribute of <size> that says how many user values there are of an element.
const char* user_size(const std::string& tag) {
  return tag == "joint"     ? "nuser_jnt"
         : tag == "geom"    ? "nuser_geom"
         : tag == "site"    ? "nuser_site"
         : tag == "camera"  ? "nuser_cam"
         : tag == "tendon"  ? "nuser_tendon"
         : is_actuator(tag) ? "nuser_actuator"
                            : "";
}

void read_element(const Element& element, ModelFile& file, DefaultClass& values) {
  const std::string& tag = element.tag;
  if (element.has("user")) {
    values.user_counts[user_size(tag)] = read_list<double>(element, "user").size();
  }
  if (tag == "joint") {
    read_joint(element, file, values.joint);
  } else if (tag == "geom") {
    read_geom(element, file, values.geom);
  } else if (tag == "site") {
    read_site(element, file, values.site);
  } else if (tag == "camera") {
    read_camera(element, file, values.camera);
  } else if (tag == "pair") {
    read_pair(element, file, values.pair);
  } else if (tag == "equality") {
    read_equality_common(element, values.equality);
  } else if (tag == "mesh") {
    read_mesh_common(element, values.mesh);
  } else if (tag == "material") {
    read(element, "texture", values.material_texture);
  } else if (tag == "texture") {
    read_texture_common(element, values.texture);
  } else if (is_actuator(tag)) {
    read_actuator(element, file, values, values.actuator);
  }
  // light and tendon are checked, and nothing of them is kept
}

void read_class(const Element& section, ModelFile& file, DefaultClass& values,
                const std::string& name) {
  // first what the class says itself, so that the classes in it can inherit it
  for (const Element& child : section.children) {
    if (child.tag != "default") {
      read_element(child, file, values);
    }
  }
  for (const Element& child : section.children) {
    if (child.tag != "default") {
      continue;
    }
    const std::string* child_name = child.find("class");
    if (!child_name || child_name->empty()) {
      fail(child, "a default class inside another must have a name, attribute 'class'");
    }
    if (file.defaults.has(*child_name)) {
      fail(child, "default class '{}': repeated name: another class has it", *child_name);
    }
    DefaultClass inherited = values;
    inherited.parent = name;
    read_class(child, file, file.defaults.add(*child_name, std::move(inherited)), *child_name);
  }
}

}  // namespace

const std::string& Defaults::name_of(const Element& element, const char* attribute,
                                     const std::string& otherwise) const {
  const std::string* name = element.find(attribute);
  if (!name) {
    return otherwise;
  }
  if (!has(*name)) {
    fail(element, "attribute '{}': default class '{}' is not defined", attribute, *name);
  }
  return *name;
}

const DefaultClass& Defaults::of(const Element& element, const std::string& otherwise) const {
  return at(name_of(element, "class", otherwise));
}

void read_default_section(const Element& section, ModelFile& file) {
  const std::string* name = section.find("class");
  if (name && !name->empty() && *name != "main") {
    fail(section, "the default class at the top is 'main' and cannot be called '{}'", *name);
  }
  read_class(section, file, file.defaults.main(), "main");
}

}  // namespace mjjit::mjcf
