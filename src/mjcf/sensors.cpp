#include <map>

#include "mjcf/elements.h"
#include "mjcf/limits.h"
#include "mjcf/names.h"
#include "mjcf/sections.h"
#include "mjcf/values.h"

namespace mjjit::mjcf {
namespace {

/// Values a sensor gives; those that are missing here give one. Those of a tactile sensor follow
/// from its mesh: 0.
int dimension(const std::string& tag) {
  static const std::map<std::string, int> kDims = {
      {"accelerometer", 3}, {"velocimeter", 3},  {"gyro", 3},          {"force", 3},
      {"torque", 3},        {"magnetometer", 3}, {"camprojection", 2}, {"ballquat", 4},
      {"ballangvel", 3},    {"framepos", 3},     {"framequat", 4},     {"framexaxis", 3},
      {"frameyaxis", 3},    {"framezaxis", 3},   {"framelinvel", 3},   {"frameangvel", 3},
      {"framelinacc", 3},   {"frameangacc", 3},  {"subtreecom", 3},    {"subtreelinvel", 3},
      {"subtreeangmom", 3}, {"normal", 3},       {"fromto", 6},        {"tactile", 0}};
  const auto found = kDims.find(tag);
  return found == kDims.end() ? 1 : found->second;
}

/// Takes the first of some attributes that is given as the object (or reference) of a sensor.
void read_object(const Element& element,
                 std::initializer_list<std::pair<const char*, const char*>> choices,
                 std::string& type, std::string& name, std::string& from) {
  for (const auto& [attribute, kind] : choices) {
    if (read(element, attribute, name)) {
      type = kind;
      from = attribute;
      return;
    }
  }
}

/// The number of values that the fields of a rangefinder or contact sensor make.
int read_fields(const Element& element, std::initializer_list<int> sizes) {
  std::vector<int> fields = read_keywords(element, "data");
  if (fields.empty()) {
    fields = {0};
  }
  int count = 0;
  for (const int field : fields) {
    count += sizes.begin()[field];
  }
  return count;
}

void read_contact_sensor(const Element& element, SpecSensor& sensor) {
  read_object(element,
              {{"site", "site"}, {"body1", "body"}, {"subtree1", "xbody"}, {"geom1", "geom"}},
              sensor.objtype, sensor.objname, sensor.objattribute);
  read_object(element, {{"body2", "body"}, {"subtree2", "xbody"}, {"geom2", "geom"}},
              sensor.reftype, sensor.refname, sensor.refattribute);
  int number = 1;
  read(element, "num", number);
  if (number < 1 || number > kMostElements) {
    fail(element, "attribute 'num' is {}, must be 1 to {}", number, kMostElements);
  }
  // found force torque dist pos normal tangent linvel angvel
  sensor.dim = number * read_fields(element, {1, 3, 3, 1, 3, 3, 3, 3, 3});
}

/// Which object a sensor is about; most have one attribute that says so.
void read_objects(const Element& element, SpecSensor& sensor) {
  const std::string& tag = element.tag;
  if (tag == "contact") {
    read_contact_sensor(element, sensor);
  } else if (tag == "rangefinder") {
    read_object(element, {{"site", "site"}, {"camera", "camera"}}, sensor.objtype, sensor.objname,
                sensor.objattribute);
    sensor.dim = read_fields(element, {1, 3, 3, 3, 3, 1});
  } else if (tag == "distance" || tag == "normal" || tag == "fromto") {
    read_object(element, {{"body1", "body"}, {"geom1", "geom"}}, sensor.objtype, sensor.objname,
                sensor.objattribute);
    read_object(element, {{"body2", "body"}, {"geom2", "geom"}}, sensor.reftype, sensor.refname,
                sensor.refattribute);
  } else if (tag == "insidesite") {
    read(element, "objtype", sensor.objtype);
    read(element, "objname", sensor.objname);
    read_object(element, {{"site", "site"}}, sensor.reftype, sensor.refname, sensor.refattribute);
  } else if (tag == "tactile") {
    read_object(element, {{"mesh", "mesh"}}, sensor.objtype, sensor.objname, sensor.objattribute);
    read_object(element, {{"geom", "geom"}}, sensor.reftype, sensor.refname, sensor.refattribute);
  } else if (element.has("objtype")) {
    read(element, "objtype", sensor.objtype);
    read(element, "objname", sensor.objname);
    read(element, "reftype", sensor.reftype);
    read(element, "refname", sensor.refname);
  } else {
    read_object(element,
                {{"site", "site"},
                 {"joint", "joint"},
                 {"tendon", "tendon"},
                 {"actuator", "actuator"},
                 {"body", "body"}},
                sensor.objtype, sensor.objname, sensor.objattribute);
    read_object(element, {{"camera", "camera"}}, sensor.reftype, sensor.refname,
                sensor.refattribute);
  }
}

/// When a sensor is read: every interval[0] seconds from interval[1] on, and how late.
void check_timing(const Element& element) {
  std::array<double, 2> interval = {0, 0};
  read(element, "interval", interval);
  if (interval[0] < 0) {
    fail(element, "attribute 'interval' is {}, must not be negative", interval[0]);
  }
  if (interval[0] > 0 && (interval[1] > 0 || interval[1] <= -interval[0])) {
    fail(element, "attribute 'interval' has the phase {}, must be at most 0 and above -{}",
         interval[1], interval[0]);
  }
  check_history(element);
}

}  // namespace

void read_sensors(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    SpecSensor sensor;
    sensor.source = element.source;
    sensor.element = element.tag;
    read(element, "name", sensor.name);
    if (element.tag == "plugin") {
      file.unsupported(element.source, "sensor <plugin>");
      file.names.add(Kind::sensor, sensor.name, sensor.source);
      continue;
    }
    check_user(element, file, "nuser_sensor", nullptr);
    read(element, "cutoff", sensor.cutoff);
    read(element, "noise", sensor.noise);
    if (sensor.cutoff < 0) {
      fail(element, "attribute 'cutoff' is {}, must not be negative", sensor.cutoff);
    }
    check_timing(element);
    sensor.dim = dimension(element.tag);
    if (read(element, "dim", sensor.dim) && (sensor.dim < 0 || sensor.dim > kMostNumbers)) {
      fail(element, "attribute 'dim' is {}, must be 0 to {}", sensor.dim, kMostNumbers);
    }
    read_objects(element, sensor);
    for (const std::string& type : {sensor.objtype, sensor.reftype}) {
      if (!type.empty() && kind_of(type) == Kind::none) {
        sensor.objtype = sensor.objname = "";  // a user's own word: nothing to look up
      }
    }
    file.names.add(Kind::sensor, sensor.name, sensor.source);
    file.spec.sensors.push_back(std::move(sensor));
  }
}

}  // namespace mjjit::mjcf
