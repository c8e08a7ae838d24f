#include <array>

#include "../../kernels/enums.cuh"
#include "mjcf/limits.h"
#include "model/draft.h"

namespace mjjit {
namespace {

enum DataType { kReal = 0, kPositive = 1, kAxis = 2, kQuaternion = 3 };

/// What a sensor may be attached to.
enum class Needs {
  nothing,
  site,
  scalar_joint,
  ball_joint,
  limited_joint,
  actuator,
  body,
  frame,
  geoms,
  anything
};

/// A kind of sensor: its element in XML, and what MuJoCo knows about it.
struct SensorKind {
  const char* element;
  int type;  // mjtSensor
  DataType datatype;
  int dim;  // 0: the reader says
  Needs needs;
};

constexpr SensorKind kKinds[] = {
    {"touch", 0, kPositive, 1, Needs::site},
    {"accelerometer", 1, kReal, 3, Needs::site},
    {"velocimeter", 2, kReal, 3, Needs::site},
    {"gyro", 3, kReal, 3, Needs::site},
    {"force", 4, kReal, 3, Needs::site},
    {"torque", 5, kReal, 3, Needs::site},
    {"magnetometer", 6, kReal, 3, Needs::site},
    {"rangefinder", 7, kReal, 0, Needs::anything},
    {"camprojection", 8, kReal, 2, Needs::site},
    {"jointpos", 9, kReal, 1, Needs::scalar_joint},
    {"jointvel", 10, kReal, 1, Needs::scalar_joint},
    {"actuatorpos", 13, kReal, 1, Needs::actuator},
    {"actuatorvel", 14, kReal, 1, Needs::actuator},
    {"actuatorfrc", 15, kReal, 1, Needs::actuator},
    {"jointactuatorfrc", 16, kReal, 1, Needs::scalar_joint},
    {"ballquat", 18, kQuaternion, 4, Needs::ball_joint},
    {"ballangvel", 19, kReal, 3, Needs::ball_joint},
    {"jointlimitpos", 20, kReal, 1, Needs::limited_joint},
    {"jointlimitvel", 21, kReal, 1, Needs::limited_joint},
    {"jointlimitfrc", 22, kReal, 1, Needs::limited_joint},
    {"framepos", 26, kReal, 3, Needs::frame},
    {"framequat", 27, kQuaternion, 4, Needs::frame},
    {"framexaxis", 28, kAxis, 3, Needs::frame},
    {"frameyaxis", 29, kAxis, 3, Needs::frame},
    {"framezaxis", 30, kAxis, 3, Needs::frame},
    {"framelinvel", 31, kReal, 3, Needs::frame},
    {"frameangvel", 32, kReal, 3, Needs::frame},
    {"framelinacc", 33, kReal, 3, Needs::frame},
    {"frameangacc", 34, kReal, 3, Needs::frame},
    {"subtreecom", 35, kReal, 3, Needs::body},
    {"subtreelinvel", 36, kReal, 3, Needs::body},
    {"subtreeangmom", 37, kReal, 3, Needs::body},
    {"insidesite", 38, kPositive, 1, Needs::frame},
    {"distance", 39, kReal, 1, Needs::geoms},
    {"normal", 40, kAxis, 3, Needs::geoms},
    {"fromto", 41, kReal, 6, Needs::geoms},
    {"contact", 42, kReal, 0, Needs::anything},
    {"e_potential", 43, kReal, 1, Needs::nothing},
    {"e_kinetic", 44, kReal, 1, Needs::nothing},
    {"clock", 45, kReal, 1, Needs::nothing},
    {"user", 48, kReal, 0, Needs::anything},
};

/// What a reference names: mjtObj, and the names of that kind.
struct ObjectKind {
  const char* name;
  int type;
};
constexpr ObjectKind kObjects[] = {{"body", 1}, {"xbody", 2},  {"joint", 3},    {"geom", 5},
                                   {"site", 6}, {"camera", 7}, {"actuator", 19}};

const SensorKind* find_kind(const std::string& element) {
  for (const SensorKind& kind : kKinds) {
    if (element == kind.element) {
      return &kind;
    }
  }
  return nullptr;
}

/// The kind of object that the element's name settles, where the reader left it open.
std::string object_type(const SensorKind& kind, const SpecSensor& spec) {
  if (!spec.objtype.empty() || spec.objname.empty()) {
    return spec.objtype;
  }
  switch (kind.needs) {
    case Needs::site:
      return "site";
    case Needs::scalar_joint:
    case Needs::ball_joint:
    case Needs::limited_joint:
      return "joint";
    case Needs::actuator:
      return "actuator";
    default:
      return "body";
  }
}

int object_code(const std::string& type) {
  for (const ObjectKind& kind : kObjects) {
    if (type == kind.name) {
      return kind.type;
    }
  }
  return OBJ_UNKNOWN;
}

const NameTable* names_of(const Draft& d, int code) {
  switch (code) {
    case 1:
    case 2:
      return &d.body_ids;
    case 3:
      return &d.joint_ids;
    case 5:
      return &d.geom_ids;
    case 6:
      return &d.site_ids;
    case 7:
      return &d.camera_ids;
    case 19:
      return &d.actuator_ids;
    default:
      return nullptr;
  }
}

struct Reference {
  int type = OBJ_UNKNOWN;
  int id = -1;
};

Reference resolve(const Draft& d, const SpecSensor& spec, const std::string& name,
                  const std::string& type, const std::string& object) {
  if (object.empty() && (type.empty() || type == "unknown")) {
    return {};
  }
  const int code = object_code(type);
  const NameTable* table = names_of(d, code);
  const int id = table ? table->find(object) : -1;
  if (id < 0) {
    fail(spec.source, "{}: {} '{}' is not defined", name, type, object);
  }
  return {code, id};
}

void check_object(const Draft& d, const SensorKind& kind, const SpecSensor& spec,
                  const std::string& name, const Reference& object) {
  const auto is = [&](std::initializer_list<int> types) {
    for (const int type : types) {
      if (object.type == type) {
        return true;
      }
    }
    return false;
  };
  const int joint_type = object.type == 3 ? d.m.jnt_type[object.id] : -1;
  const auto need = [&](bool good, const char* what) {
    if (!good) {
      fail(spec.source, "{}: must be attached to {}", name, what);
    }
  };
  switch (kind.needs) {
    case Needs::site:
      return need(is({OBJ_SITE}), "a site");
    case Needs::scalar_joint:
      return need(joint_type == JNT_HINGE || joint_type == JNT_SLIDE, "a hinge or slide joint");
    case Needs::ball_joint:
      return need(joint_type == JNT_BALL, "a ball joint");
    case Needs::limited_joint:
      return need(joint_type >= 0 && d.m.jnt_limited[object.id] != 0, "a joint with limits");
    case Needs::actuator:
      return need(is({19}), "an actuator");
    case Needs::body:
      return need(is({OBJ_BODY}), "a body");
    case Needs::frame:
      return need(is({1, 2, 5, 6, 7}), "a body, xbody, geom, site or camera");
    case Needs::geoms:
      need(is({1, 5}), "two bodies or geoms");
      return need(spec.objtype != spec.reftype || spec.objname != spec.refname,
                  "two different bodies or geoms");
    case Needs::nothing:
    case Needs::anything:
      return;
  }
}

void check_values(const SensorKind& kind, const SpecSensor& spec, const std::string& name) {
  for (const auto& [attribute, value] :
       {std::pair("noise", spec.noise), std::pair("cutoff", spec.cutoff)}) {
    if (value < 0) {
      fail(spec.source, "{}: {} is {}, must not be negative", name, attribute, value);
    }
  }
  const bool is_direction = kind.datatype == kQuaternion || kind.datatype == kAxis;
  if (spec.cutoff > 0 && is_direction && std::string_view(kind.element) != "normal") {
    fail(spec.source, "{}: cutoff does not apply to axes and quaternions", name);
  }
}

void append_sensor(Draft& d, const SensorKind& kind, const SpecSensor& spec) {
  Model& m = d.m;
  const std::string name = label(spec.element, spec.name);
  check_values(kind, spec, name);
  const Reference object = resolve(d, spec, name, object_type(kind, spec), spec.objname);
  const Reference reference = resolve(d, spec, name, spec.reftype, spec.refname);
  check_object(d, kind, spec, name, object);
  m.sensor_type.push_back(kind.type);
  m.sensor_datatype.push_back(kind.datatype);
  m.sensor_objtype.push_back(object.type);
  m.sensor_objid.push_back(object.id);
  m.sensor_reftype.push_back(reference.type);
  m.sensor_refid.push_back(reference.id);
  m.sensor_dim.push_back(kind.dim > 0 ? kind.dim : spec.dim);
  if (m.nsensordata + std::int64_t{m.sensor_dim.back()} > kMostNumbers) {
    fail(spec.source, "{}: with it all sensors give more than {} values", name, kMostNumbers);
  }
  m.sensor_adr.push_back(m.nsensordata);
  m.sensor_cutoff.push_back(spec.cutoff);
  m.sensor_noise.push_back(spec.noise);
  m.nsensordata += m.sensor_dim.back();
  m.nsensor++;
}

}  // namespace

void compile_sensors(Draft& d) {
  NameTable names("sensor");
  for (const SpecSensor& spec : d.spec.sensors) {
    names.add(spec.name, spec.source);
    const SensorKind* kind = find_kind(spec.element);
    const bool is_camera_image = spec.element == "rangefinder" && spec.objtype == "camera";
    if (kind == nullptr || is_camera_image) {
      const char* where = is_camera_image ? " of a camera" : "";
      refuse(d, spec.source, fmt::format("sensor <{}>{}", spec.element, where), "it is left out");
      continue;
    }
    append_sensor(d, *kind, spec);
  }
  if (d.m.nsensor > 0) {
    const Source& first = d.spec.sensors.front().source;
    d.m.warnings.push_back(
        fmt::format("{}:{}: the scene has {} sensor{}: read and checked, but not computed",
                    first.file, first.line, d.m.nsensor, d.m.nsensor == 1 ? "" : "s"));
  }
}

}  // namespace mjjit
