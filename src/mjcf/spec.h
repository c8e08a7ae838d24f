#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"

namespace mjjit {

// What the XML said, with includes, attached models, replicates, frames and default classes
// resolved: angles are in radians, orientations are quaternions (w, x, y, z) that may still lack
// normalisation, positions are in metres and relative to the parent body, references are names.
// Enumerations hold MuJoCo's values. NaN and nullopt mean "not given, no default". Names of fields
// are MuJoCo's mjSpec names.

inline constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

using Vec2 = std::array<double, 2>;
using Vec3 = std::array<double, 3>;
using Quat = std::array<double, 4>;

/// Three-valued switch of limits and the like.
enum class Tristate { no = 0, yes = 1, automatic = 2 };

/// compiler settings that the model compiler needs; angle, eulerseq and folders are spent while
/// reading
struct SpecCompiler {
  Source source;  // the last <compiler> element; line 0: there is none
  bool autolimits = true;
  double boundmass = 0;
  double boundinertia = 0;
  double settotalmass = -1;  // negative: no rescaling
  bool balanceinertia = false;
  bool fitaabb = false;
  bool fusestatic = false;
  bool discardvisual = false;
  bool alignfree = false;
  int inertiafromgeom = 2;  // 0 false, 1 true, 2 auto
  std::array<int, 2> inertiagrouprange = {0, 5};
};

/// mjOption; see MuJoCo's XML reference for the meaning and default of each
struct SpecOption {
  Source source;  // the last <option> element; line 0: there is none
  double timestep = 0.002;
  double impratio = 1;
  double tolerance = 1e-8;
  double ls_tolerance = 0.01;
  double noslip_tolerance = 1e-6;
  double ccd_tolerance = 1e-6;
  double sleep_tolerance = 1e-3;
  Vec3 gravity = {0, 0, -9.81};
  Vec3 wind = {0, 0, 0};
  Vec3 magnetic = {0, -0.5, 0};
  double density = 0;
  double viscosity = 0;
  double o_margin = 0;
  Vec2 o_solref = {0.02, 1};
  std::array<double, 5> o_solimp = {0.9, 0.95, 0.001, 0.5, 2};
  std::array<double, 5> o_friction = {1, 1, 0.005, 0.0001, 0.0001};
  int integrator = 0;
  int cone = 0;
  int jacobian = 2;
  int solver = 2;
  int iterations = 100;
  int ls_iterations = 50;
  int noslip_iterations = 0;
  int ccd_iterations = 35;
  int disableflags = 0;
  int enableflags = 0;
  int disableactuator = 0;
  int sdf_initpoints = 40;
  int sdf_iterations = 10;
};

struct SpecJoint {
  Source source;
  std::string name;
  int type = 3;  // mjtJoint
  Vec3 pos = {0, 0, 0};
  Vec3 axis = {0, 0, 1};
  Tristate align = Tristate::automatic;  // free joint: move the body frame to the inertial frame
  double ref = 0;                        // radians or metres
  double springref = 0;
  Vec2 range = {0, 0};
  Tristate limited = Tristate::automatic;
  double margin = 0;
  double stiffness = 0;
  Vec2 stiffnesspoly = {0, 0};
  Vec2 springdamper = {0, 0};
  Tristate actfrclimited = Tristate::automatic;
  Vec2 actfrcrange = {0, 0};
  bool actgravcomp = false;
  Vec2 solref_limit = {0.02, 1};
  std::array<double, 5> solimp_limit = {0.9, 0.95, 0.001, 0.5, 2};
  Vec2 solref_friction = {0.02, 1};
  std::array<double, 5> solimp_friction = {0.9, 0.95, 0.001, 0.5, 2};
  double armature = 0;
  double damping = 0;
  Vec2 dampingpoly = {0, 0};
  double frictionloss = 0;
  int group = 0;
};

struct SpecGeom {
  Source source;
  std::string name;
  int type = 2;  // mjtGeom
  Vec3 pos = {0, 0, 0};
  Quat quat = {1, 0, 0, 0};
  std::optional<std::array<double, 6>> fromto;  // in the parent body's frame, frames applied
  // orientation of the frames around; fixes the roll about fromto
  Quat fromto_frame = {1, 0, 0, 0};
  Vec3 size = {0, 0, 0};
  int contype = 1;
  int conaffinity = 1;
  int condim = 3;
  int priority = 0;
  Vec3 friction = {1, 0.005, 0.0001};
  double solmix = 1;
  Vec2 solref = {0.02, 1};
  std::array<double, 5> solimp = {0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0;
  double gap = 0;
  double mass = kUnset;
  double density = 1000;
  int typeinertia = 0;  // mjtGeomInertia: 0 volume, 1 shell
  bool fluid_ellipsoid = false;
  std::array<double, 5> fluid_coefs = {0.5, 0.25, 1.5, 1, 1};
  std::string hfieldname;
  std::string meshname;
  double fitscale = 1;
  int group = 0;
};

struct SpecSite {
  Source source;
  std::string name;
  int type = 2;
  Vec3 pos = {0, 0, 0};
  Quat quat = {1, 0, 0, 0};
  std::optional<std::array<double, 6>> fromto;
  Quat fromto_frame = {1, 0, 0, 0};
  Vec3 size = {0.005, 0.005, 0.005};
  int group = 0;
};

/// Where a camera is; only sensors need it.
struct SpecCamera {
  Source source;
  std::string name;
  Vec3 pos = {0, 0, 0};
  Quat quat = {1, 0, 0, 0};
};

struct SpecInertial {
  Source source;
  Vec3 ipos = {0, 0, 0};
  Quat iquat = {1, 0, 0, 0};
  double mass = 0;
  std::optional<Vec3> inertia;  // diagonal
  // xx yy zz xy xz yz, in the frame given by iquat
  std::optional<std::array<double, 6>> fullinertia;
};

struct SpecBody {
  Source source;
  std::string name;
  Vec3 pos = {0, 0, 0};
  Quat quat = {1, 0, 0, 0};
  // as written, without the frames around; nullopt: as pos and quat. The inertial frame of a body
  // without mass.
  std::optional<Vec3> own_pos;
  std::optional<Quat> own_quat;
  bool mocap = false;
  bool has_sleep_policy = false;  // which only the first moving body of a tree can have
  bool may_be_simple = true;      // false: its inertia is not treated as diagonal
  double gravcomp = 0;
  std::optional<SpecInertial> inertial;
  std::vector<SpecJoint> joints;
  std::vector<SpecGeom> geoms;
  std::vector<SpecSite> sites;
  std::vector<SpecCamera> cameras;
  // of the model that the body was attached from, where its settings about inertia differ; null:
  // Spec::compiler
  std::shared_ptr<const SpecCompiler> compiler;
  std::vector<std::unique_ptr<SpecBody>> bodies;  // children, in the order of the compiled model
};

struct SpecMesh {
  Source source;
  std::string name;
  std::string file;  // as found on disk, ready to open; empty: inline vertices or builtin
  std::string content_type;
  std::string material;  // of its geoms that have none; only checked
  Vec3 refpos = {0, 0, 0};
  Quat refquat = {1, 0, 0, 0};
  Vec3 scale = {1, 1, 1};
  int inertia = 2;  // mjtMeshInertia: 0 convex, 1 exact, 2 legacy, 3 shell
  int maxhullvert = -1;
  std::vector<float> uservert;
  std::vector<int> userface;
  std::string builtin;         // shape of a made mesh; empty: none
  std::vector<double> params;  // its parameters
};

struct SpecHField {
  Source source;
  std::string name;
  std::string file;
  std::string content_type;
  std::array<double, 4> size = {0, 0, 0, 0};
  int nrow = 0;
  int ncol = 0;
  std::vector<float> userdata;  // empty: all heights are 0
};

struct SpecPair {
  Source source;
  std::string name, geomname1, geomname2;
  int condim = 3;
  Vec2 solref = {0.02, 1};
  Vec2 solreffriction = {0, 0};
  std::array<double, 5> solimp = {0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0;
  double gap = 0;
  std::array<double, 5> friction = {1, 1, 0.005, 0.0001, 0.0001};
};

struct SpecExclude {
  Source source;
  std::string name, bodyname1, bodyname2;
};

struct SpecEquality {
  Source source;
  std::string name;
  int type = 0;     // mjtEq
  int objtype = 0;  // mjtObj of name1 and name2: body, site, joint or tendon
  std::string name1, name2;
  bool active = true;
  Vec2 solref = {0.02, 1};
  std::array<double, 5> solimp = {0.9, 0.95, 0.001, 0.5, 2};
  std::optional<Vec3> anchor;
  std::optional<std::array<double, 7>> relpose;
  double torquescale = 1;
  std::array<double, 5> polycoef = {0, 1, 0, 0, 0};
};

struct SpecActuator {
  Source source;
  std::string name;
  std::string element;  // general, motor, position, ...: what the XML said
  int trntype = 1000;   // mjtTrn
  std::string target;   // joint, site, body, tendon
  std::string refsite, slidersite, cranksite;
  double cranklength = 0;
  std::array<double, 6> gear = {1, 0, 0, 0, 0, 0};
  int dyntype = 0, gaintype = 0, biastype = 0;
  std::array<double, 10> dynprm = {1};
  std::array<double, 10> gainprm = {1};
  std::array<double, 10> biasprm = {};
  int actdim = -1;
  bool actearly = false;
  Tristate ctrllimited = Tristate::automatic, forcelimited = Tristate::automatic,
           actlimited = Tristate::automatic;
  Vec2 ctrlrange = {0, 0}, forcerange = {0, 0}, actrange = {0, 0};
  Vec2 lengthrange = {0, 0};
  double inheritrange = 0;
  // a position servo with a damping ratio: biasprm[2] holds it as a positive number, and the model
  // compiler, which knows the joint's inertia, turns it into damping; so it does for a general
  // actuator of that form
  std::optional<double> timeconst, dampratio;
  int group = 0;
};

struct SpecKey {
  Source source;
  std::string name;
  double time = 0;
  std::vector<double> qpos, qvel, act, mpos, mquat, ctrl;  // empty: not given
};

struct SpecNumeric {
  Source source;
  std::string name;
  int size = 0;
  std::vector<double> data;  // the first of them; the others are 0
};

struct SpecSensor {
  Source source;
  std::string name;
  std::string element;  // touch, accelerometer, ...
  std::string objtype, objname, reftype, refname;
  std::string objattribute = "objname", refattribute = "refname";  // where the names come from
  double cutoff = 0, noise = 0;
  int dim = 0;
};

/// A feature that the scene asks for and that is not there yet; an error unless the user says to
/// ignore it.
struct SpecUnsupported {
  Source source;
  std::string what;  // "<tendon>", "attribute 'plugin' of <geom>"
};

struct Spec {
  std::string modelname;
  std::string file;  // the scene as the user named it
  SpecCompiler compiler;
  SpecOption option;
  double stat_meaninertia = kUnset;  // <statistic meaninertia>
  SpecBody world;
  std::vector<SpecMesh> meshes;
  std::vector<SpecHField> hfields;
  std::vector<SpecPair> pairs;
  std::vector<SpecExclude> excludes;
  std::vector<SpecEquality> equalities;
  std::vector<SpecActuator> actuators;
  std::vector<SpecKey> keys;
  std::vector<SpecNumeric> numerics;
  std::vector<SpecSensor> sensors;
  std::vector<SpecUnsupported> unsupported;
  std::vector<std::string> warnings;
};

}  // namespace mjjit
