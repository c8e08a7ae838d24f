#pragma once

#include <functional>

#include "mjcf/tree.h"

namespace mjjit::mjcf {

/// One name by which an element refers to another.
struct Reference {
  Kind kind;
  std::string* name;
  std::string attribute;  // that says so
};

std::vector<Reference> references(SpecPair& pair);
std::vector<Reference> references(SpecExclude& exclude);
std::vector<Reference> references(SpecEquality& equality);
std::vector<Reference> references(SpecSensor& sensor);
std::vector<Reference> references(ActuatorEntry& actuator);
std::vector<Reference> references(ReferenceList& list);

/// Calls f(kind, element, own name, source) for all elements that refer to others, in the order in
/// which MuJoCo copies them: what is referred to comes first.
template <typename F>
void for_each_referring(ModelFile& file, F&& f) {
  for (SpecPair& e : file.spec.pairs) {
    f(Kind::pair, e, e.name, e.source);
  }
  for (SpecExclude& e : file.spec.excludes) {
    f(Kind::exclude, e, e.name, e.source);
  }
  for (ReferenceList& e : file.tendons) {
    f(Kind::tendon, e, e.name, e.source);
  }
  for (SpecEquality& e : file.spec.equalities) {
    f(Kind::equality, e, e.name, e.source);
  }
  for (ActuatorEntry& e : file.actuators) {
    f(Kind::actuator, e, e.element.name, e.element.source);
  }
  for (SpecSensor& e : file.spec.sensors) {
    f(Kind::sensor, e, e.name, e.source);
  }
  for (ReferenceList& e : file.tuples) {
    f(Kind::tuple, e, e.name, e.source);
  }
}

/// After a part of a tree was copied: copies the elements whose references, with the affix, can all
/// be found now. Of pairs, excludes and sensors one of the two references may also be found without
/// it, of tendons all but one. From another file all assets and custom fields come too.
void copy_lists(const Transfer& transfer);

/// After a part of a tree was taken away: drops the elements that refer to what is gone.
/// @param is_gone   of a kind and a name
void drop_referring(ModelFile& file, const std::function<bool(Kind, const std::string&)>& is_gone);

}  // namespace mjjit::mjcf
