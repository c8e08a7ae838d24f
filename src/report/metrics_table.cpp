#include "report/metrics_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/statistics.h"

namespace mjjit {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::string reason_for_no_steps(const Result& result) {
  if (result.function != "step") {
    return "--function " + result.function + " does not step";
  }
  return "no step was done";
}

/// Collects figures; a number that is not finite needs a reason.
class List {
 public:
  void number(const std::string& key, double value, const std::string& reason) {
    const bool good = std::isfinite(value);
    figures_.push_back({key, good ? value : kNothing, false, good ? "" : reason});
  }
  void count(const std::string& key, double value) { figures_.push_back({key, value, true, ""}); }
  std::vector<Figure> take() { return std::move(figures_); }

 private:
  std::vector<Figure> figures_;
};

double most(const std::vector<double>& values) {
  return values.empty() ? kNothing : *std::max_element(values.begin(), values.end());
}

void add_step_figures(const Result& result, List* list) {
  const StepFigures& steps = result.steps;
  const std::string reason = reason_for_no_steps(result);
  const double worlds = result.nworld;
  list->number("ncon_mean", mean(steps.alloc) / worlds, reason);
  list->number("ncon_p95", percentile(steps.alloc, 95) / worlds, reason);
  list->number("nefc_mean", mean(steps.rows_max), reason);
  list->number("nefc_p95", percentile(steps.rows_max, 95), reason);
  list->number("solver_niter_mean", mean(steps.niter) / worlds, reason);
  list->number("solver_niter_p95", percentile_of_counts(steps.niter_histogram, 95),
               steps.niter.empty() ? reason : "iterations were not counted by world");
  list->number("contacts_per_world_mean", mean(steps.contacts) / worlds, reason);
  list->number("rows_per_world_mean", mean(steps.rows) / worlds, reason);
  list->number("solver_niter_max", most(steps.niter_max), reason);
}

}  // namespace

std::vector<Figure> figures(const Result& result) {
  List list;
  const double steps = result.world_steps();
  const std::string reason = "no time was measured";
  list.number("jit_duration", result.jit_duration, reason);
  list.number("run_time", result.run_time, reason);
  list.number("steps_per_second", result.run_time > 0 ? steps / result.run_time : kNothing, reason);
  list.count("converged_worlds", result.converged_worlds);
  list.count("model_memory", static_cast<double>(result.model_memory));
  list.count("data_memory", static_cast<double>(result.data_memory));
  list.count("total_memory", static_cast<double>(result.total_memory));
  add_step_figures(result, &list);
  list.number("realtime_factor",
              result.run_time > 0 ? steps * result.timestep / result.run_time : kNothing, reason);
  list.number("ns_per_step", steps > 0 ? 1e9 * result.run_time / steps : kNothing, reason);
  list.number("trial_duration", result.trial_duration, reason);
  list.number("compile_work_ms", result.compile_ms, reason);
  list.count("device_memory", static_cast<double>(result.device_memory));
  return list.take();
}

std::vector<Bucket> bucketed(const std::vector<double>& series, int buckets) {
  std::vector<Bucket> out;
  const int total = static_cast<int>(series.size());
  auto begin = series.begin();
  for (int i = 0; i < buckets; ++i) {
    const int size = total / buckets + (i < total % buckets ? 1 : 0);
    if (size == 0) {
      continue;  // fewer steps than buckets
    }
    const std::vector<double> piece(begin, begin + size);
    begin += size;
    const auto [least, largest] = std::minmax_element(piece.begin(), piece.end());
    out.push_back({mean(piece), deviation(piece), *least, *largest});
  }
  return out;
}

}  // namespace mjjit
