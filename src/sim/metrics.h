#pragma once

#include <cstdint>
#include <vector>

#include "sim/sizing.h"

namespace mjjit {

/// What the worlds wanted and did in each step, as totals over all worlds; one element a step.
struct StepSeries {
  std::vector<double> contacts;   // contacts of all worlds
  std::vector<double> alloc;      // the larger of contacts and near geom pairs, of all worlds
  std::vector<double> rows;       // constraint rows of all worlds
  std::vector<double> rows_max;   // of the world with the most
  std::vector<double> niter;      // solver iterations of all worlds
  std::vector<double> niter_max;  // of the world with the most
  std::vector<std::int64_t> niter_histogram;  // [iterations] world-steps; empty: not counted
};

/// Takes the counters of `steps` steps apart; [steps × NCOUNTER].
StepSeries series_of(const std::vector<int>& counters, int steps);

/// The most that any world wanted in any of the steps.
Demand demand_of(const std::vector<int>& counters, int steps);

/// What did not fit, with the number of steps that each limit concerns.
/// @param worlds  gets the largest number of worlds that something did not fit in at one step
std::vector<Overflow> overflows_of(const Model& model, const SizeRequest& sizes,
                                   const std::vector<int>& counters, int steps, int* worlds);

}  // namespace mjjit
