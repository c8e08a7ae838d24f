#include "sim/metrics.h"

#include <algorithm>

#include "../../kernels/counters.cuh"

namespace mjjit {
namespace {

/// The counters of one step.
class Step {
 public:
  Step(const std::vector<int>& counters, int step)
      : row_(counters.data() + static_cast<std::ptrdiff_t>(step) * NCOUNTER) {}
  int operator[](int counter) const { return row_[counter]; }

 private:
  const int* row_;
};

Demand demand_of_step(const Step& step) {
  return {step[COUNT_NCON_MAX], step[COUNT_NEFC_MAX], step[COUNT_CCD_MAX], step[COUNT_PAIR_MAX],
          step[COUNT_HFIELD_MAX]};
}

}  // namespace

StepSeries series_of(const std::vector<int>& counters, int steps) {
  StepSeries series;
  std::vector<std::int64_t> histogram(NNITERBIN, 0);
  for (int i = 0; i < steps; ++i) {
    const Step step(counters, i);
    series.contacts.push_back(step[COUNT_NCON_SUM]);
    series.alloc.push_back(std::max(step[COUNT_NCON_SUM], step[COUNT_PAIR_SUM]));
    series.rows.push_back(step[COUNT_NEFC_SUM]);
    series.rows_max.push_back(step[COUNT_NEFC_MAX]);
    series.niter.push_back(step[COUNT_NITER_SUM]);
    series.niter_max.push_back(step[COUNT_NITER_MAX]);
    for (int bin = 0; bin < NNITERBIN; ++bin) {
      histogram[static_cast<std::size_t>(bin)] += step[COUNT_NITER_BIN + bin];
    }
  }
  if (std::any_of(histogram.begin(), histogram.end(), [](std::int64_t n) { return n != 0; })) {
    series.niter_histogram = histogram;
  }
  return series;
}

Demand demand_of(const std::vector<int>& counters, int steps) {
  Demand most;
  for (int i = 0; i < steps; ++i) {
    const Demand one = demand_of_step(Step(counters, i));
    most.ncon = std::max(most.ncon, one.ncon);
    most.nefc = std::max(most.nefc, one.nefc);
    most.nccd = std::max(most.nccd, one.nccd);
    most.nprimitive = std::max(most.nprimitive, one.nprimitive);
    most.nhfieldpair = std::max(most.nhfieldpair, one.nhfieldpair);
  }
  return most;
}

std::vector<Overflow> overflows_of(const Model& model, const SizeRequest& sizes,
                                   const std::vector<int>& counters, int steps, int* worlds) {
  std::vector<Overflow> found = overflows(model, sizes, demand_of(counters, steps));
  *worlds = 0;
  for (int i = 0; i < steps; ++i) {
    const Step step(counters, i);
    *worlds = std::max(*worlds, step[COUNT_OVERFLOW]);
    for (const Overflow& now : overflows(model, sizes, demand_of_step(step))) {
      for (Overflow& total : found) {
        total.steps += total.limit == now.limit ? 1 : 0;
      }
    }
  }
  return found;
}

}  // namespace mjjit
