#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mjcf/defaults.h"
#include "mjcf/names.h"
#include "mjcf/orientation.h"
#include "mjcf/spec.h"

namespace mjjit::mjcf {

// A model file while it is read. Frames are still open and bodies know which frame they stand in,
// so that a part of the tree can be copied (replicate) or put into another file's tree (attach).
// finish.cpp makes the Spec of it.

/// What a keyframe of an attached model says about one joint (qpos, qvel), mocap body (mpos, mquat)
/// or actuator (act, ctrl); by the number of the keyframe.
struct KeyShare {
  std::vector<double> first, second;
};
using KeyShares = std::map<int, KeyShare>;

struct FrameEntry {
  Source source;
  std::string name;
  Place place;
  int frame = -1;  // the frame around it, in the same body
  std::string childclass;
};

/// An element of a body and the frame it stands in (-1: the body itself).
struct JointEntry {
  SpecJoint element;
  int frame = -1;
  KeyShares keys = {};
};

struct GeomEntry {
  SpecGeom element;
  int frame = -1;
  std::string material = {};
};

struct SiteEntry {
  SpecSite element;
  int frame = -1;
  std::string material = {};
};

struct CameraEntry {
  SpecCamera element;
  int frame = -1;
  std::string target = {};
};

struct LightEntry {
  Source source;
  std::string name;
  int frame = -1;
  std::string target = {}, texture = {};
};

struct BodyEntry {
  SpecBody element;  // its own attributes; the lists of elements are here
  int frame = -1;
  std::string childclass = "main";
  KeyShares keys = {};
  std::vector<FrameEntry> frames = {};
  std::vector<JointEntry> joints = {};
  std::vector<GeomEntry> geoms = {};
  std::vector<SiteEntry> sites = {};
  std::vector<CameraEntry> cameras = {};
  std::vector<LightEntry> lights = {};
  std::vector<std::unique_ptr<BodyEntry>> bodies = {};
};

struct ActuatorEntry {
  SpecActuator element;
  KeyShares keys = {};
};

/// An element of which only the names are kept: tendon, tuple.
struct ReferenceList {
  Source source;
  std::string name;
  struct Reference {
    Kind kind;
    std::string name;
    const char* attribute;  // that names it
  };
  std::vector<Reference> references = {};
};

/// A named element that is read past: texture, material, skin, text.
struct PastEntry {
  Source source;
  std::string name;
  std::vector<std::string> textures = {};  // of a material
};

/// A keyframe of an attached model, whose values are with the joints, bodies and actuators it
/// speaks of.
struct AttachedKey {
  int number;
  SpecKey key;  // lists that are not empty are wanted
};

struct Folders {
  std::string asset, mesh, texture;
  bool strippath = false;
};

/// How settings of an attached model are joined with those of the scene.
enum class Conflict { warning = 0, merge = 1, error = 2 };

struct ModelFile {
  std::string path;
  AngleRule angles;
  Folders folders;
  Conflict conflict = Conflict::warning;
  std::set<std::string> given_options;  // attributes of <option> that the file sets
  int given_disable = 0, given_enable = 0, given_actuators = 0;  // flag bits that the file sets
  int nkey = 0;
  Source nkey_source;                     // the <size> that sets it
  std::map<std::string, int> user_sizes;  // nuser_geom, ...: those that are given

  Spec spec;  // all lists but the tree, the actuators and the keys of attached models
  Defaults defaults;
  Names names;
  BodyEntry world;
  std::vector<ActuatorEntry> actuators;
  std::vector<ReferenceList> tendons, tuples;
  std::vector<PastEntry> textures, materials, skins, texts;
  std::vector<AttachedKey> attached_keys;
  std::map<std::string, std::shared_ptr<ModelFile>> models;     // <asset><model>, by name
  std::shared_ptr<int> key_counter = std::make_shared<int>(0);  // one for all files of a scene
  std::vector<std::string> opening;  // the files that are being read, outermost first

  void unsupported(const Source& source, std::string what) {
    spec.unsupported.push_back({source, std::move(what)});
  }
};

}  // namespace mjjit::mjcf
