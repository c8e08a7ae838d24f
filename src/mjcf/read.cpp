#include "mjcf/read.h"

#include "base/files.h"
#include "mjcf/check.h"
#include "mjcf/sections.h"
#include "mjcf/values.h"
#include "mjcf/xml.h"

namespace mjjit {
namespace mjcf {
namespace {

void read_sections(const Element& root, const char* tag, void (*read)(const Element&, ModelFile&),
                   ModelFile& file) {
  for (const Element& section : root.children) {
    if (section.tag == tag) {
      read(section, file);
    }
  }
}

/// Sections may stand in any order and repeat. They are read in this one: settings count for the
/// whole file wherever they stand, and the tree comes last, since replicating and attaching copy
/// what refers to it.
/// @param load   gives the root element, and warnings
template <typename Load>
std::shared_ptr<ModelFile> read_root(Load load, const std::string& path,
                                     std::shared_ptr<int> key_counter,
                                     std::vector<std::string> opening) {
  auto file = std::make_shared<ModelFile>();
  Element root = load(file->spec.warnings);
  check(root);
  file->path = path;
  file->key_counter = std::move(key_counter);
  file->opening = std::move(opening);
  file->opening.push_back(join_path("", path));
  file->spec.modelname = "MuJoCo Model";
  read(root, "model", file->spec.modelname);
  file->world.element.name = "world";
  file->world.element.source = root.source;
  file->names.add(Kind::body, "world", Source{});

  const auto sections = [&](const char* tag, void (*read)(const Element&, ModelFile&)) {
    read_sections(root, tag, read, *file);
  };
  sections("compiler", read_compiler);
  sections("option", read_option);
  sections("size", read_size);
  sections("visual", [](const Element& section, ModelFile&) { read_visual(section); });
  sections("statistic", read_statistic);
  sections("default", read_default_section);
  sections("extension", read_extension);
  sections("custom", read_custom);
  sections("asset", read_asset);
  sections("contact", read_contact);
  sections("deformable", read_deformable);
  sections("equality", read_equality);
  sections("tendon", read_tendon);
  sections("actuator", read_actuators);
  sections("sensor", read_sensors);
  sections("keyframe", read_keyframe);
  sections("worldbody", read_worldbody);
  return file;
}

}  // namespace

std::shared_ptr<ModelFile> read_model_file(const std::string& path,
                                           std::shared_ptr<int> key_counter,
                                           std::vector<std::string> opening) {
  return read_root([&](std::vector<std::string>& warnings) { return load_xml(path, warnings); },
                   path, std::move(key_counter), std::move(opening));
}

}  // namespace mjcf

Spec read_mjcf(const std::string& path) {
  return mjcf::finish(*mjcf::read_model_file(path, std::make_shared<int>(0), {}));
}

Spec read_mjcf_text(std::string_view text, const std::string& name) {
  const auto load = [&](std::vector<std::string>& warnings) {
    return mjcf::parse_xml(text, name, warnings);
  };
  return mjcf::finish(*mjcf::read_root(load, name, std::make_shared<int>(0), {}));
}

}  // namespace mjjit
