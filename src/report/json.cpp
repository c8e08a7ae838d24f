#include "report/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/metrics_table.h"

namespace mjjit {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json modules_json(const Result& result) {
  Json list = Json::array();
  for (const ModuleFigures& module : result.modules) {
    Json one = {{"name", module.name},     {"hash", module.hash},
                {"ms", module.ms},         {"state", module.cached ? "cached" : "compiled"},
                {"worker", module.worker}, {"start_ms", module.start_ms},
                {"bytes", module.bytes}};
    for (const KernelFigures& kernel : module.kernels) {
      one["kernels"].push_back({{"name", kernel.kernel},
                                {"registers", kernel.registers},
                                {"spill_bytes", kernel.spill_bytes},
                                {"stack_bytes", kernel.stack_bytes},
                                {"shared_bytes", kernel.shared_bytes}});
    }
    list.push_back(one);
  }
  return list;
}

Json environment_json(const Environment& environment) {
  return {{"device", environment.device_id}, {"device_name", environment.device_name},
          {"arch", environment.arch},        {"driver", environment.driver},
          {"threads", environment.threads},  {"compiler", environment.compiler},
          {"commit", environment.commit},    {"version", environment.version},
          {"build", environment.build},      {"host", environment.host},
          {"system", environment.system},    {"processor", environment.processor},
          {"command", environment.command}};
}

Json sizes_json(const SizeFigures& sizes) {
  return {{"nconmax", sizes.nconmax},     {"njmax", sizes.njmax},
          {"nccdmax", sizes.nccdmax},     {"found", sizes.found},
          {"flags", sizes.flags},         {"most_ncon", sizes.most_ncon},
          {"most_nefc", sizes.most_nefc}, {"most_nccd", sizes.most_nccd}};
}

Json buckets_json(const std::vector<double>& series, double scale) {
  Json list = Json::array();
  for (const Bucket& bucket : bucketed(series)) {
    list.push_back({{"mean", bucket.mean * scale},
                    {"std", bucket.deviation * scale},
                    {"min", bucket.least * scale},
                    {"max", bucket.most * scale}});
  }
  return list;
}

void add_tables(const Result& result, Json* out) {
  for (const TraceRow& row : result.trace) {
    (*out)["event_trace"].push_back(
        {{"stage", row.stage}, {"kernel", row.kernel}, {"ns_per_step", row.ns}});
  }
  for (const MemoryRow& row : result.memory) {
    (*out)["memory"].push_back({{"name", row.name},
                                {"of", row.is_model ? "model" : "data"},
                                {"type", row.type},
                                {"rows", row.rows},
                                {"columns", row.columns},
                                {"bytes", row.bytes}});
  }
  if (!result.steps.alloc.empty()) {
    (*out)["ncon_alloc"] = buckets_json(result.steps.alloc, 1);
    (*out)["nefc_alloc"] = buckets_json(result.steps.rows_max, 1);
    (*out)["solver_niter"] = buckets_json(result.steps.niter, 1.0 / result.nworld);
  }
}

}  // namespace

std::string json_text(const Result& result) {
  Json out = {{"schema", kSchema}, {"tool", "testspeed"}, {"scene", result.scene}};
  Json reasons = Json::object();
  for (const Figure& figure : figures(result)) {
    if (figure.whole) {
      out[figure.key] = static_cast<std::int64_t>(figure.value);
    } else if (std::isfinite(figure.value)) {
      out[figure.key] = figure.value;
    } else {
      out[figure.key] = nullptr;
      reasons[figure.key] = figure.reason;
    }
  }
  out["reasons"] = reasons;
  out["state_hash"] = result.state_hash;
  out["function"] = result.function;
  out["precision"] = result.precision;
  out["nworld"] = result.nworld;
  out["nstep"] = result.nstep;
  out["nstep_asked"] = result.nstep_asked;
  out["interrupted"] = result.interrupted;
  out["timestep"] = result.timestep;
  out["timing"] = result.sync_each_step ? "sync_each_step" : "whole_loop";
  out["workers"] = result.workers;
  out["sizes"] = sizes_json(result.sizes);
  out["modules"] = modules_json(result);
  out["diverged"] = result.diverged;
  out["overflows"] = result.overflows;
  out["warnings"] = result.warnings;
  out["environment"] = environment_json(result.environment);
  add_tables(result, &out);
  // text from outside (names, paths) may be no UTF-8: replaced rather than refused
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace mjjit
