#include "mjcf/actuator_shortcuts.h"

#include <algorithm>
#include <numbers>

#include "mjcf/values.h"

namespace mjjit::mjcf {
namespace {

/// Position and integrated-velocity servos: gain kp, bias -kp and either damping or, positive, a
/// damping ratio.
void set_position(const Element& element, SpecActuator& a) {
  double kp = a.gainprm[0], value = 0;
  read(element, "kp", kp);
  a.gainprm[0] = kp;
  a.biasprm[1] = -kp;
  if (element.has("kv") && element.has("dampratio")) {
    fail(element, "there can be only one of the attributes kv and dampratio");
  }
  for (const char* name : {"kv", "dampratio"}) {
    if (read(element, name, value)) {
      if (value < 0) {
        fail(element, "attribute '{}' is {}, must not be negative", name, value);
      }
      a.biasprm[2] = std::string_view(name) == "kv" ? -value : value;
    }
  }
  if (element.tag == "position" && read(element, "timeconst", value)) {
    if (value < 0) {
      fail(element, "attribute 'timeconst' is {}, must not be negative", value);
    }
    a.dynprm[0] = value;
    a.dyntype = value == 0 ? kDynNone : kDynFilterExact;
  }
  a.gaintype = kGainFixed;
  a.biastype = kBiasAffine;
  a.dampratio = a.biasprm[2] > 0 ? std::optional(a.biasprm[2]) : std::nullopt;
  a.timeconst = a.dyntype == kDynFilterExact ? std::optional(a.dynprm[0]) : std::nullopt;

  // the range comes from the joint
  read(element, "inheritrange", a.inheritrange);
  const Vec2& range = element.tag == "position" ? a.ctrlrange : a.actrange;
  if (a.inheritrange > 0 && (range[0] != 0 || range[1] != 0)) {
    fail(element, "{} and inheritrange cannot both be given",
         element.tag == "position" ? "ctrlrange" : "actrange");
  }
  if (element.tag == "intvelocity") {
    a.dyntype = kDynIntegrator;
  }
}

void set_velocity(const Element& element, SpecActuator& a) {
  double kv = a.gainprm[0];
  read(element, "kv", kv);
  a.gainprm[0] = kv;
  a.biasprm = {0, 0, -kv};
  a.dyntype = kDynNone;
  a.gaintype = kGainFixed;
  a.biastype = kBiasAffine;
}

/// Both a damper and an adhesion have a control from 0 up.
void check_positive_control(const Element& element, SpecActuator& a, const char* name,
                            double value) {
  if (value < 0) {
    fail(element, "attribute '{}' is {}, must not be negative", name, value);
  }
  if (a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0) {
    fail(element, "attribute 'ctrlrange' must not be negative for a <{}>", element.tag);
  }
  a.ctrllimited = Tristate::yes;
}

void set_damper(const Element& element, SpecActuator& a) {
  double kv = a.gaintype == kGainAffine ? -a.gainprm[2] : 0;
  read(element, "kv", kv);
  a.gainprm = {0, 0, kv == 0 ? 0 : -kv};
  a.dyntype = kDynNone;
  a.gaintype = kGainAffine;
  a.biastype = kBiasNone;
  check_positive_control(element, a, "kv", kv);
}

void set_adhesion(const Element& element, SpecActuator& a) {
  read(element, "gain", a.gainprm[0]);
  a.gaintype = kGainFixed;
  a.biastype = kBiasNone;
  check_positive_control(element, a, "gain", a.gainprm[0]);
}

void set_cylinder(const Element& element, SpecActuator& a) {
  read(element, "timeconst", a.dynprm[0]);
  Vec3 bias = {a.biasprm[0], a.biasprm[1], a.biasprm[2]};
  read(element, "bias", bias);
  std::copy(bias.begin(), bias.end(), a.biasprm.begin());
  read(element, "area", a.gainprm[0]);
  if (double diameter = -1; read(element, "diameter", diameter) && diameter >= 0) {
    a.gainprm[0] = std::numbers::pi / 4 * diameter * diameter;
  }
  a.dyntype = kDynFilter;
  a.gaintype = kGainFixed;
  a.biastype = kBiasAffine;
}

void set_muscle(const Element& element, SpecActuator& a) {
  // the built-in values of a muscle take the place of those of a general actuator
  const auto replace = [](double& value, double general, double muscle) {
    value = value == general ? muscle : value;
  };
  replace(a.dynprm[0], 1, 0.01);
  replace(a.dynprm[1], 0, 0.04);
  constexpr std::array<double, 9> kGeneral = {1, 0, 0, 0, 0, 0, 0, 0, 0};
  constexpr std::array<double, 9> kMuscle = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  for (std::size_t i = 0; i < kMuscle.size(); i++) {
    replace(a.gainprm[i], kGeneral[i], kMuscle[i]);
  }

  // negative values count as not given
  const auto take = [](double& value, double given) { value = given >= 0 ? given : value; };
  Vec2 pair = {-1, -1};
  read(element, "timeconst", pair);
  take(a.dynprm[0], pair[0]);
  take(a.dynprm[1], pair[1]);
  if (read(element, "tausmooth", a.dynprm[2]) && a.dynprm[2] < 0) {
    fail(element, "attribute 'tausmooth' is {}, must not be negative", a.dynprm[2]);
  }
  pair = {-1, -1};
  read(element, "range", pair);
  take(a.gainprm[0], pair[0]);
  take(a.gainprm[1], pair[1]);
  std::size_t index = 2;
  for (const char* name : {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"}) {
    double value = -1;
    read(element, name, value);
    take(a.gainprm[index++], value);
  }
  a.biasprm = a.gainprm;
  a.biasprm[9] = 0;
  a.dyntype = kDynMuscle;
  a.gaintype = kGainMuscle;
  a.biastype = kBiasMuscle;
}

void set_general(const Element& element, SpecActuator& a) {
  // a position servo's, of the class, are parameters like others here
  a.timeconst.reset();
  a.dampratio.reset();
  read_keyword(element, "dyntype", a.dyntype);
  read_keyword(element, "gaintype", a.gaintype);
  read_keyword(element, "biastype", a.biastype);
  read(element, "dynprm", a.dynprm);
  read(element, "gainprm", a.gainprm);
  read(element, "biasprm", a.biasprm);
  read(element, "actdim", a.actdim);
  read(element, "actearly", a.actearly);
  read(element, "inheritrange", a.inheritrange);
}

}  // namespace

int gain_of(const std::string& shortcut) {
  return shortcut == "damper"        ? kGainAffine
         : shortcut == "muscle"      ? kGainMuscle
         : shortcut == "dcmotor"     ? kGainDcmotor
         : shortcut == "orientation" ? kGainSo3
         : shortcut == "pid"         ? kGainPid
                                     : kGainFixed;
}

void read_shortcut(const Element& element, SpecActuator& a) {
  const std::string& tag = element.tag;
  if (tag == "general") {
    set_general(element, a);
  } else if (tag == "motor") {
    a.gainprm[0] = 1;
    a.dyntype = kDynNone;
    a.gaintype = kGainFixed;
    a.biastype = kBiasNone;
  } else if (tag == "position" || tag == "intvelocity") {
    set_position(element, a);
  } else if (tag == "velocity") {
    set_velocity(element, a);
  } else if (tag == "damper") {
    set_damper(element, a);
  } else if (tag == "cylinder") {
    set_cylinder(element, a);
  } else if (tag == "muscle") {
    set_muscle(element, a);
  } else if (tag == "adhesion") {
    set_adhesion(element, a);
  } else {
    a.gaintype = gain_of(tag);  // dcmotor, pid, orientation: the caller refuses them
  }
}

}  // namespace mjjit::mjcf
