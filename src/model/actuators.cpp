#include <algorithm>

#include "../../kernels/enums.cuh"
#include "model/draft.h"
#include "model/limits.h"

namespace mjjit {
namespace {

/// An actuator while it is compiled.
struct Work {
  SpecActuator spec;  // with ranges and shortcuts resolved
  std::string name;   // for messages
  int joint = -1;
  int actdim = 0;
  bool is_supported = true;
};

template <typename T, std::size_t n>
void append(std::vector<T>& to, const std::array<T, n>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

const char* transmission_name(int type) {
  switch (type) {
    case TRN_SLIDERCRANK:
      return "slidercrank";
    case TRN_TENDON:
      return "tendon";
    case TRN_SITE:
      return "site";
    case TRN_BODY:
      return "body";
    default:
      return "none";
  }
}

/// What makes no force yet. Where that is ignored the actuator stays, so that controls and
/// keyframes keep their places.
void check_support(Draft& d, Work& a) {
  const SpecActuator& s = a.spec;
  const auto unsupported = [&](const std::string& what) {
    refuse(d, s.source, a.name + ": " + what, "it makes no force");
    a.is_supported = false;
  };
  const bool is_muscle = s.gaintype == GAIN_MUSCLE || s.biastype == BIAS_MUSCLE;
  if (s.trntype != TRN_JOINT && s.trntype != TRN_JOINTINPARENT) {
    unsupported(fmt::format("transmission '{}'", transmission_name(s.trntype)));
  } else if (s.dyntype > DYN_MUSCLE || s.gaintype > GAIN_MUSCLE || s.biastype > BIAS_MUSCLE) {
    unsupported(s.element == "general" ? std::string("this dyntype, gaintype or biastype")
                                       : fmt::format("actuator type '{}'", s.element));
  } else if (is_muscle && s.lengthrange[0] >= s.lengthrange[1]) {
    unsupported("a muscle without lengthrange");
  } else if (s.actdim > 1) {
    unsupported("actdim above 1");
  }
}

void resolve_joint(const Draft& d, Work& a) {
  if (a.spec.target.empty()) {
    fail(a.spec.source, "{}: the joint that it acts on is missing", a.name);
  }
  a.joint = d.joint_ids.find(a.spec.target);
  if (a.joint < 0) {
    fail(a.spec.source, "{}: joint '{}' is not defined", a.name, a.spec.target);
  }
}

/// The shortcuts' attributes that stand for parameters of the general actuator. A positive third
/// bias parameter of a position-like actuator is a damping ratio until the inertia is known.
void resolve_shortcuts(Work& a) {
  SpecActuator& s = a.spec;
  if (s.dampratio) {
    if (*s.dampratio < 0) {
      fail(s.source, "{}: dampratio is {}, must not be negative", a.name, *s.dampratio);
    }
    if (s.biasprm[2] < 0) {
      fail(s.source, "{}: kv and dampratio cannot both be given", a.name);
    }
    s.biasprm[2] = *s.dampratio;
  }
  if (s.timeconst) {
    if (*s.timeconst < 0) {
      fail(s.source, "{}: timeconst is {}, must not be negative", a.name, *s.timeconst);
    }
    s.dynprm[0] = *s.timeconst;
    if (s.element == "position") {
      s.dyntype = *s.timeconst == 0 ? DYN_NONE : DYN_FILTEREXACT;
    }
  }
}

/// inheritrange: the range of the setpoint from that of the joint.
void inherit_range(const Draft& d, Work& a) {
  SpecActuator& s = a.spec;
  const bool is_servo =
      s.gaintype == GAIN_FIXED && s.biastype == BIAS_AFFINE && s.gainprm[0] == -s.biasprm[1];
  if (!(s.inheritrange > 0) || !is_servo) {
    return;
  }
  if (s.dyntype == DYN_FILTER || s.dyntype == DYN_MUSCLE) {
    fail(s.source, "{}: inheritrange is for position and intvelocity actuators", a.name);
  }
  Vec2& range = s.dyntype == DYN_INTEGRATOR ? s.actrange : s.ctrlrange;
  if ((s.element == "position" || s.element == "intvelocity") && (range[0] != 0 || range[1] != 0)) {
    fail(s.source, "{}: {} and inheritrange cannot both be given", a.name,
         s.dyntype == DYN_INTEGRATOR ? "actrange" : "ctrlrange");
  }
  const SpecJoint& joint = *d.joints[a.joint];
  if (s.trntype != TRN_JOINT || (joint.type != JNT_HINGE && joint.type != JNT_SLIDE)) {
    fail(s.source, "{}: inheritrange needs a hinge or slide joint", a.name);
  }
  if (joint.range[0] == joint.range[1]) {
    fail(s.source, "{}: inheritrange is given but joint '{}' has no range", a.name, joint.name);
  }
  const double mean = 0.5 * (joint.range[1] + joint.range[0]);
  const double radius = 0.5 * (joint.range[1] - joint.range[0]) * s.inheritrange;
  range = {mean - radius, mean + radius};
}

/// Parameters of muscles: operating range, force, scale, then the shape of the curves.
void check_muscle(const Work& a, const std::array<double, 10>& prm) {
  const auto need = [&](bool good, const char* rule) {
    if (!good) {
      fail(a.spec.source, "{}: {} is required of a muscle", a.name, rule);
    }
  };
  need(prm[0] < prm[1], "range[0] < range[1]");
  need(prm[4] < 1 && prm[5] > 1, "lmin < 1 < lmax");
  need(prm[3] > 0 && prm[6] > 0 && prm[7] > 0 && prm[8] > 0, "scale, vmax, fpmax and fvmax > 0");
}

bool range_in_force(const Draft& d, const Work& a, Tristate limited, const Vec2& range,
                    const char* range_name, const char* switch_name) {
  const bool autolimits = d.spec.compiler.autolimits;
  const bool is =
      is_limited(limited, range, autolimits, a.spec.source, a.name, range_name, switch_name);
  if (is && range[0] >= range[1]) {
    fail(a.spec.source, "{}: {}[0] must be smaller than {}[1]", a.name, range_name, range_name);
  }
  return is;
}

void resolve_actdim(Work& a) {
  const SpecActuator& s = a.spec;
  if (s.actdim == 1 && s.dyntype == DYN_NONE) {
    fail(s.source, "{}: actdim is 1 but the actuator has no state (dyntype 'none')", a.name);
  }
  if (s.actdim == 0 && s.dyntype != DYN_NONE) {
    fail(s.source, "{}: actdim is 0 but the actuator has a state", a.name);
  }
  a.actdim = s.actdim >= 0 ? s.actdim : s.dyntype != DYN_NONE;
}

/// Turns an actuator that is not supported into one without force that the kernels can compute.
void neutralize(Work& a) {
  SpecActuator& s = a.spec;
  s.trntype = TRN_JOINT;
  s.dyntype = a.actdim > 0 ? DYN_FILTER : DYN_NONE;
  s.gaintype = GAIN_FIXED;
  s.biastype = BIAS_NONE;
  s.dynprm = {1};
  s.gainprm = s.biasprm = {};
  s.gear = {};
  a.joint = 0;
}

bool is_disabled(const Draft& d, const Work& a) {
  constexpr int kGroups = 31;  // bits of opt.disableactuator
  const int group = a.spec.group;
  return group >= 0 && group < kGroups && (d.spec.option.disableactuator & (1 << group)) != 0;
}

void append_limits(Draft& d, const Work& a) {
  Model& m = d.m;
  const SpecActuator& s = a.spec;
  m.actuator_ctrllimited.push_back(
      range_in_force(d, a, s.ctrllimited, s.ctrlrange, "ctrlrange", "ctrllimited"));
  m.actuator_forcelimited.push_back(
      range_in_force(d, a, s.forcelimited, s.forcerange, "forcerange", "forcelimited"));
  const bool actlimited = range_in_force(d, a, s.actlimited, s.actrange, "actrange", "actlimited");
  if (actlimited && s.dyntype == DYN_NONE) {
    fail(s.source, "{}: actrange is given but the actuator has no state (dyntype 'none')", a.name);
  }
  m.actuator_actlimited.push_back(actlimited);
  append(m.actuator_ctrlrange, s.ctrlrange);
  append(m.actuator_forcerange, s.forcerange);
  append(m.actuator_actrange, s.actrange);
}

void append_actuator(Draft& d, const Work& a) {
  Model& m = d.m;
  const SpecActuator& s = a.spec;
  m.actuator_trntype.push_back(s.trntype);
  m.actuator_dyntype.push_back(s.dyntype);
  m.actuator_gaintype.push_back(s.gaintype);
  m.actuator_biastype.push_back(s.biastype);
  m.actuator_trnid.push_back(a.joint);
  m.actuator_trnid.push_back(-1);
  m.actuator_actadr.push_back(a.actdim > 0 ? m.na : -1);
  m.actuator_actnum.push_back(a.actdim);
  m.na += a.actdim;
  m.actuator_ctrladr.push_back(m.nu);
  m.actuator_ctrlnum.push_back(1);
  m.nu++;
  m.actuator_group.push_back(s.group);
  m.actuator_actearly.push_back(s.actearly);
  m.actuator_disabled.push_back(is_disabled(d, a));
  append(m.actuator_dynprm, s.dynprm);
  append(m.actuator_gainprm, s.gainprm);
  append(m.actuator_biasprm, s.biasprm);
  append(m.actuator_gear, s.gear);
  m.actuator_cranklength.push_back(s.cranklength);
  append(m.actuator_lengthrange, s.lengthrange);
  m.nactuator++;
}

}  // namespace

void compile_actuators(Draft& d) {
  for (const SpecActuator& spec : d.spec.actuators) {
    Work a{.spec = spec, .name = label(spec.element.empty() ? "general" : spec.element, spec.name)};
    check_support(d, a);
    if (!a.is_supported && d.m.njnt == 0) {
      continue;  // nothing to put it on
    }
    d.actuator_ids.add(spec.name, spec.source);
    if (a.is_supported) {
      resolve_joint(d, a);
      resolve_shortcuts(a);
      inherit_range(d, a);
      resolve_actdim(a);
      if (a.spec.gaintype == GAIN_MUSCLE) {
        check_muscle(a, a.spec.gainprm);
      }
      if (a.spec.biastype == BIAS_MUSCLE) {
        check_muscle(a, a.spec.biasprm);
      }
    } else {
      a.actdim = spec.actdim >= 0 ? spec.actdim : spec.dyntype != DYN_NONE;
      a.actdim = std::min(a.actdim, 1);
    }
    append_limits(d, a);
    if (!a.is_supported) {
      neutralize(a);
    }
    append_actuator(d, a);
  }
}

}  // namespace mjjit
