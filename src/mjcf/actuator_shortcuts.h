#pragma once

#include "mjcf/element.h"
#include "mjcf/spec.h"

namespace mjjit::mjcf {

// Values of mjtDyn, mjtGain and mjtBias that shortcuts set.
enum Dyn { kDynNone = 0, kDynIntegrator = 1, kDynFilter = 2, kDynFilterExact = 3, kDynMuscle = 4 };
enum Gain {
  kGainFixed = 0,
  kGainAffine = 1,
  kGainMuscle = 2,
  kGainDcmotor = 3,
  kGainSo3 = 4,
  kGainPid = 5
};
enum Bias { kBiasNone = 0, kBiasAffine = 1, kBiasMuscle = 2, kBiasSo3 = 4 };

/// The kind of gain that a shortcut has.
int gain_of(const std::string& shortcut);

/// Reads what a shortcut (or <general>) says about dynamics, gain and bias, over what it inherits.
/// Source: MuJoCo documentation, «XML reference», actuator
void read_shortcut(const Element& element, SpecActuator& actuator);

}  // namespace mjjit::mjcf
