#pragma once

#include <map>
#include <string>

#include "mjcf/element.h"
#include "mjcf/spec.h"

namespace mjjit::mjcf {

struct ModelFile;

/// What a joint, a geom and so on is before its own attributes are read.
struct GeomDefault {
  SpecGeom geom;
  std::string material;
};

struct SiteDefault {
  SpecSite site;
  std::string material;
};

/// What decides whether a texture can be made; the rest of it is read past.
struct TextureDefault {
  int type = 1;  // mjtTexture: 2d, cube, skybox
  int builtin = 0;
  int width = 0, height = 0, nchannel = 3;
};

struct DefaultClass {
  std::string parent;  // empty for "main"
  SpecJoint joint;
  GeomDefault geom;
  SiteDefault site;
  SpecCamera camera;
  SpecPair pair;
  SpecEquality equality;
  SpecMesh mesh;
  SpecActuator actuator;  // `element` is the shortcut that set it last
  std::string material_texture;
  TextureDefault texture;
  std::map<std::string, std::size_t> user_counts;  // values of `user`, by nuser_geom, ...
};

/// Classes by name; each holds what its parent says and it does not. "main" is always there.
class Defaults {
 public:
  Defaults() { classes_["main"]; }

  DefaultClass& main() { return classes_.at("main"); }
  bool has(const std::string& name) const { return classes_.count(name) > 0; }
  const DefaultClass& at(const std::string& name) const { return classes_.at(name); }
  DefaultClass& add(const std::string& name, DefaultClass values) {
    return classes_[name] = std::move(values);
  }
  const std::map<std::string, DefaultClass>& all() const { return classes_; }

  /// The class that an element's attribute names, `otherwise` where it names none.
  /// @throws Error{Exit::input} where there is no such class
  const DefaultClass& of(const Element& element, const std::string& otherwise) const;

  /// The class named by an attribute, class or childclass.
  const std::string& name_of(const Element& element, const char* attribute,
                             const std::string& otherwise) const;

 private:
  std::map<std::string, DefaultClass> classes_;
};

/// Reads a <default> section at the top of the file, with the classes in it.
void read_default_section(const Element& section, ModelFile& file);

}  // namespace mjjit::mjcf
