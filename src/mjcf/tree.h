#pragma once

#include "mjcf/model_file.h"

namespace mjjit::mjcf {

/// Calls f(body) for a body and all below it, in the order of the compiled model: depth first.
template <typename F>
void for_each_body(BodyEntry& body, F&& f) {
  f(body);
  for (const auto& child : body.bodies) {
    for_each_body(*child, f);
  }
}

/// Calls f(kind, name, source) for each named element of a body and of all below it. The body's own
/// name is left out where it only holds a part of a tree together.
template <typename F>
void for_each_name(BodyEntry& top, bool with_top, F&& f) {
  for_each_body(top, [&](BodyEntry& body) {
    if (&body != &top || with_top) {
      f(Kind::body, body.element.name, body.element.source);
    }
    for (const FrameEntry& e : body.frames) {
      f(Kind::frame, e.name, e.source);
    }
    for (const JointEntry& e : body.joints) {
      f(Kind::joint, e.element.name, e.element.source);
    }
    for (const GeomEntry& e : body.geoms) {
      f(Kind::geom, e.element.name, e.element.source);
    }
    for (const SiteEntry& e : body.sites) {
      f(Kind::site, e.element.name, e.element.source);
    }
    for (const CameraEntry& e : body.cameras) {
      f(Kind::camera, e.element.name, e.element.source);
    }
    for (const LightEntry& e : body.lights) {
      f(Kind::light, e.name, e.source);
    }
  });
}

/// A copy from one place to another: who gives, who takes, and what happens to names and settings.
struct Transfer {
  ModelFile& from;
  ModelFile& to;
  Affix affix;
  // for the bodies, where the settings differ
  std::shared_ptr<const SpecCompiler> compiler = nullptr;

  bool is_same_file() const { return &from == &to; }
};

/// Copies a body with all below it into a frame of another body; names get the affix and are
/// registered. Values of attached keyframes go with the first copy.
void copy_body(const Transfer& transfer, BodyEntry& source, BodyEntry& parent, int frame);

/// Copies what stands in a frame of a body (-1: all of the body's content) into a new frame of
/// another body.
/// @param place   of the new frame
void copy_frame(const Transfer& transfer, BodyEntry& source, int root, const Place& place,
                BodyEntry& parent, int frame);

/// The body with a name, null where there is none.
BodyEntry* find_body(BodyEntry& top, const std::string& name);

/// The body that has a frame with this name, and the frame's number; null where there is none.
BodyEntry* find_frame(BodyEntry& top, const std::string& name, int& frame);

}  // namespace mjjit::mjcf
