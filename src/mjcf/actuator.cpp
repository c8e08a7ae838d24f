#include <set>

#include "mjcf/actuator_shortcuts.h"
#include "mjcf/elements.h"
#include "mjcf/sections.h"
#include "mjcf/values.h"

// Actuators. All shortcuts (motor, position, ...) fill the same struct, and a default class holds
// one actuator whatever shortcut set it. So values that one shortcut left there can meet another
// one. What happens then is MuJoCo 4.0's rule. Common attributes (gear, ranges, ...) are always
// inherited. The parameters of dynamics, gain and bias are inherited from the same shortcut and, as
// far as they mean something there, from <general>; otherwise the class around the class is asked,
// and at last they are the built-in ones.

namespace mjjit::mjcf {
namespace {

enum Trn { kTrnJoint = 0, kTrnJointInParent, kTrnSliderCrank, kTrnTendon, kTrnSite, kTrnBody };

bool is_general(const SpecActuator& actuator) {
  return actuator.element.empty() || actuator.element == "general";
}

void copy_parameters(const SpecActuator& from, SpecActuator& to) {
  to.dyntype = from.dyntype;
  to.gaintype = from.gaintype;
  to.biastype = from.biastype;
  to.dynprm = from.dynprm;
  to.gainprm = from.gainprm;
  to.biasprm = from.biasprm;
  to.actdim = from.actdim;
  to.actearly = from.actearly;
  to.inheritrange = from.inheritrange;
  to.timeconst = from.timeconst;
  to.dampratio = from.dampratio;
}

/// What the parameters of a general actuator mean to a shortcut.
SpecActuator translated(const SpecActuator& general, const std::string& shortcut) {
  SpecActuator result;
  if (general.gaintype != gain_of(shortcut)) {
    return result;
  }
  result.gaintype = general.gaintype;
  if (shortcut == "muscle") {
    result.dynprm = general.dynprm;
    result.gainprm = general.gainprm;
  } else if (shortcut == "damper") {
    result.gainprm = general.gainprm;
  } else if (shortcut != "motor") {
    result.gainprm[0] = general.gainprm[0];
  }
  if (shortcut == "cylinder") {
    result.dynprm[0] = general.dynprm[0];
    result.biasprm = general.biasprm;
  }
  if (shortcut == "position" || shortcut == "intvelocity") {
    result.biasprm[2] = general.biasprm[2];
    result.inheritrange = general.inheritrange;
    if (general.dyntype == kDynFilterExact) {
      result.dyntype = general.dyntype;
      result.dynprm[0] = general.dynprm[0];
    }
  }
  return result;
}

/// Makes inherited parameters those of a shortcut.
void adapt(const std::string& shortcut, const Defaults& defaults, const DefaultClass& chain,
           SpecActuator& actuator) {
  if (shortcut == "general" || actuator.element == shortcut) {
    return;
  }
  SpecActuator source = actuator;
  for (std::string name = chain.parent; !is_general(source) && source.element != shortcut;) {
    if (name.empty()) {
      source = SpecActuator();
      break;
    }
    source = defaults.at(name).actuator;
    name = defaults.at(name).parent;
  }
  copy_parameters(source.element == shortcut ? source : translated(source, shortcut), actuator);
}

void refuse_features(const Element& element, ModelFile& file) {
  for (const char* name :
       {"nsample", "delay", "armature", "damping", "velrange", "ffrange", "input"}) {
    if (const std::string* text = element.find(name); text && *text != "0" && !text->empty()) {
      file.unsupported(element.source, fmt::format("attribute '{}' of <{}>", name, element.tag));
    }
  }
}

/// What the actuator acts on.
void read_transmission(const Element& element, SpecActuator& a) {
  struct Target {
    const char* attribute;
    int trntype;
  };
  constexpr Target kTargets[] = {{"joint", kTrnJoint},   {"jointinparent", kTrnJointInParent},
                                 {"tendon", kTrnTendon}, {"cranksite", kTrnSliderCrank},
                                 {"site", kTrnSite},     {"body", kTrnBody}};
  std::string first;
  for (const Target& target : kTargets) {
    if (!read(element, target.attribute, a.target)) {
      continue;
    }
    if (!first.empty()) {
      fail(element, "there can be only one of the attributes {} and {}", first, target.attribute);
    }
    first = target.attribute;
    a.trntype = target.trntype;
  }
  if (a.target.empty()) {
    fail(element, "it acts on nothing: give it a joint, tendon, site, cranksite or body");
  }

  // what belongs to one kind only
  read(element, "slidersite", a.slidersite);
  read(element, "refsite", a.refsite);
  if (a.trntype == kTrnSliderCrank) {
    a.cranksite = a.target;
    if (a.slidersite.empty()) {
      fail(element, "attribute 'slidersite' is missing, which a slider-crank needs");
    }
    if (a.cranklength <= 0) {
      fail(element, "attribute 'cranklength' is {}, must be positive", a.cranklength);
    }
  } else if (!a.slidersite.empty() || element.has("cranklength")) {
    fail(element, "slidersite and cranklength need the attribute cranksite");
  }
  if (!a.refsite.empty() && a.trntype != kTrnSite) {
    fail(element, "refsite needs the attribute site");
  }
}

}  // namespace

void read_actuator(const Element& element, ModelFile& file, const DefaultClass& chain,
                   SpecActuator& a) {
  adapt(element.tag, file.defaults, chain, a);
  a.element = element.tag;
  read(element, "group", a.group);
  read(element, "ctrllimited", a.ctrllimited);
  read(element, "forcelimited", a.forcelimited);
  read(element, "actlimited", a.actlimited);
  read(element, "ctrlrange", a.ctrlrange);
  read(element, "forcerange", a.forcerange);
  read(element, "actrange", a.actrange);
  read(element, "lengthrange", a.lengthrange);
  read(element, "gear", a.gear);
  read(element, "cranklength", a.cranklength);
  read_shortcut(element, a);
  refuse_features(element, file);
}

void read_actuators(const Element& section, ModelFile& file) {
  static const std::set<std::string> kMissing = {"dcmotor", "pid", "orientation", "plugin"};
  for (const Element& element : section.children) {
    if (kMissing.count(element.tag)) {
      file.unsupported(element.source, fmt::format("actuator <{}>", element.tag));
      if (element.tag == "plugin") {
        continue;
      }
    }
    const DefaultClass& inherited = file.defaults.of(element, "main");
    SpecActuator actuator = inherited.actuator;
    actuator.source = element.source;
    read_actuator(element, file, inherited, actuator);
    check_user(element, file, "nuser_actuator", &inherited);
    read(element, "name", actuator.name);
    read_transmission(element, actuator);
    file.names.add(Kind::actuator, actuator.name, actuator.source);
    file.actuators.push_back({std::move(actuator), {}});
  }
}

}  // namespace mjjit::mjcf
