#include "mjcf/attach.h"
#include "mjcf/lists.h"
#include "mjcf/sections.h"

// The end of reading: references are checked, frames are closed, and the Spec is made.

namespace mjjit::mjcf {
namespace {

/// @param attribute   that names it; not told where it is called as what it names
void check_name(const ModelFile& file, const Source& source, const std::string& label,
                const std::string& attribute, Kind kind, const std::string& name,
                const char* where = "") {
  if (!name.empty() && !file.names.has(kind, name)) {
    const std::string from =
        attribute == kind_name(kind) ? "" : fmt::format("attribute '{}': ", attribute);
    mjjit::fail(source, "{}: {}{} '{}' is not defined{}", label, from, kind_name(kind), name,
                where);
  }
}

std::string label(Kind kind, const std::string& name) {
  return name.empty() ? kind_name(kind) : fmt::format("{} '{}'", kind_name(kind), name);
}

void check_asset(const ModelFile& file, const Source& source, const std::string& of, Kind kind,
                 const std::string& name) {
  check_name(file, source, of, kind_name(kind), kind, name, " in <asset>");
}

void check_tree(ModelFile& file) {
  for_each_body(file.world, [&](BodyEntry& body) {
    for (const GeomEntry& e : body.geoms) {
      const std::string of = label(Kind::geom, e.element.name);
      check_asset(file, e.element.source, of, Kind::mesh, e.element.meshname);
      check_asset(file, e.element.source, of, Kind::hfield, e.element.hfieldname);
      check_asset(file, e.element.source, of, Kind::material, e.material);
    }
    for (const SiteEntry& e : body.sites) {
      check_asset(file, e.element.source, label(Kind::site, e.element.name), Kind::material,
                  e.material);
    }
    for (const CameraEntry& e : body.cameras) {
      check_name(file, e.element.source, label(Kind::camera, e.element.name), "target", Kind::body,
                 e.target);
    }
    for (const LightEntry& e : body.lights) {
      check_name(file, e.source, label(Kind::light, e.name), "target", Kind::body, e.target);
      check_asset(file, e.source, label(Kind::light, e.name), Kind::texture, e.texture);
    }
  });
}

void check_references(ModelFile& file) {
  check_tree(file);
  for (const PastEntry& material : file.materials) {
    for (const std::string& texture : material.textures) {
      check_asset(file, material.source, label(Kind::material, material.name), Kind::texture,
                  texture);
    }
  }
  for (const SpecMesh& mesh : file.spec.meshes) {
    check_asset(file, mesh.source, label(Kind::mesh, mesh.name), Kind::material, mesh.material);
  }
  for_each_referring(file,
                     [&](Kind kind, auto& element, const std::string& name, const Source& source) {
                       for (const Reference& r : references(element)) {
                         check_name(file, source, label(kind, name), r.attribute, r.kind, *r.name);
                       }
                     });
}

/// The places of all frames of a body, in the body.
std::vector<Place> close_frames(const BodyEntry& body) {
  std::vector<Place> places;
  for (const FrameEntry& frame : body.frames) {
    const Place own{frame.place.pos, unit(frame.place.quat)};
    places.push_back(frame.frame < 0 ? own
                                     : combine(places[static_cast<std::size_t>(frame.frame)], own));
  }
  return places;
}

Vec3 point(const Place& place, const double* p) {
  return combine(place, {{p[0], p[1], p[2]}, {1, 0, 0, 0}}).pos;
}

/// Puts a geom or a site, which stands in a frame, into the body.
template <typename T>
void move(const Place& place, T& element) {
  const Place moved = combine(place, {element.pos, element.quat});
  element.pos = moved.pos;
  element.quat = moved.quat;
  if constexpr (requires { element.fromto; }) {
    if (element.fromto) {
      const Vec3 from = point(place, element.fromto->data()),
                 to = point(place, element.fromto->data() + 3);
      element.fromto = {from[0], from[1], from[2], to[0], to[1], to[2]};
      element.fromto_frame = place.quat;
    }
  }
}

void move(const Place& place, SpecJoint& joint) {
  joint.pos = combine(place, {joint.pos, {1, 0, 0, 0}}).pos;
  joint.axis = turn(place.quat, joint.axis);
}

void move(const Place& place, SpecBody& body) {
  body.own_pos = body.pos;
  body.own_quat = body.quat;
  const Place moved = combine(place, {body.pos, body.quat});
  body.pos = moved.pos;
  body.quat = moved.quat;
}

template <typename Entry, typename T>
void close(std::vector<Entry>& from, const std::vector<Place>& frames, std::vector<T>& to) {
  for (Entry& entry : from) {
    if (entry.frame >= 0) {
      move(frames[static_cast<std::size_t>(entry.frame)], entry.element);
    }
    to.push_back(std::move(entry.element));
  }
}

void close_body(BodyEntry& body) {
  const std::vector<Place> frames = close_frames(body);
  close(body.joints, frames, body.element.joints);
  close(body.geoms, frames, body.element.geoms);
  close(body.sites, frames, body.element.sites);
  close(body.cameras, frames, body.element.cameras);
  for (const auto& child : body.bodies) {
    close_body(*child);
    if (child->frame >= 0) {
      move(frames[static_cast<std::size_t>(child->frame)], child->element);
    }
    body.element.bodies.push_back(std::make_unique<SpecBody>(std::move(child->element)));
  }
}

}  // namespace

Spec finish(ModelFile& file) {
  file.names.check_unique();
  check_references(file);
  gather_keyframes(file);
  Spec spec = std::move(file.spec);
  spec.file = file.path;
  while (static_cast<int>(spec.keys.size()) < file.nkey) {
    spec.keys.emplace_back().source = file.nkey_source;
  }
  for (ActuatorEntry& actuator : file.actuators) {
    spec.actuators.push_back(std::move(actuator.element));
  }
  close_body(file.world);
  spec.world = std::move(file.world.element);
  return spec;
}

}  // namespace mjjit::mjcf
