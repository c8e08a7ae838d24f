#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/metrics_table.h"
#include "report/terminal.h"

namespace mjjit {
namespace {

/// "24 modules, 4 workers, compile work 8.12 s, longest module solver 1.52 s (compiled)".
std::string module_summary(const Result& result) {
  if (result.modules.empty()) {
    return "no modules";
  }
  const auto longest = std::max_element(result.modules.begin(), result.modules.end(),
                                        [](const auto& a, const auto& b) { return a.ms < b.ms; });
  const auto cached = std::count_if(result.modules.begin(), result.modules.end(),
                                    [](const auto& m) { return m.cached; });
  return fmt::format(
      "{} modules ({} cached), {} worker{}, compile work {:.2f} s, longest module {} {:.2f} s",
      result.modules.size(), cached, result.workers, result.workers == 1 ? "" : "s",
      result.compile_ms / 1e3, longest->name, longest->ms / 1e3);
}

/// "cuda:0, NVIDIA H200, sm_90"; what is not known is left out.
std::string device_text(const Environment& environment) {
  std::string text = environment.device_id;
  for (const std::string& part : {environment.device_name, environment.arch}) {
    text += part.empty() ? "" : ", " + part;
  }
  return text;
}

}  // namespace

std::string with_commas(double value, int decimals) {
  if (!std::isfinite(value)) {
    return "nan";
  }
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text[0] == '-' ? 1 : 0;
  for (std::size_t at = point; at > first + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string readable_bytes(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 5; ++unit) {
    bytes /= 1024;
  }
  return unit == 0 ? fmt::format("{:.0f} {}", bytes, units[unit])
                   : fmt::format("{:.2f} {}", bytes, units[unit]);
}

std::string summary_text(const Result& result) {
  const double steps = result.world_steps();
  const double time = result.run_time;
  std::string text = fmt::format("\nSummary for {} parallel rollouts\n\n", result.nworld);
  text += fmt::format("Total JIT time: {:.2f} s\n", result.jit_duration);
  text += fmt::format("Total simulation time: {:.2f} s\n", time);
  text += fmt::format("Total steps per second: {}\n", with_commas(steps / time, 0));
  text +=
      fmt::format("Total realtime factor: {} x\n", with_commas(steps * result.timestep / time, 2));
  text += fmt::format("Total time per step: {:.2f} ns\n", 1e9 * time / steps);
  text +=
      fmt::format("Total converged worlds: {} / {}\n\n", result.converged_worlds, result.nworld);
  text += fmt::format("JIT: {}\n", module_summary(result));
  text += fmt::format("Device: {}\n", device_text(result.environment));
  text += fmt::format("State hash: {}\n", result.state_hash);
  if (result.sizes.found) {
    text +=
        fmt::format("Sizes found: {} (in {:.2f} s)\n", result.sizes.flags, result.trial_duration);
  }
  if (!result.diverged.empty()) {
    text += fmt::format("Not converged: {}\n", result.diverged);
  }
  for (const std::string& overflow : result.overflows) {
    text += fmt::format("Overflow: {}\n", overflow);
  }
  for (const std::string& warning : result.warnings) {
    text += fmt::format("Warning: {}\n", printable(warning));
  }
  if (result.interrupted) {
    text +=
        fmt::format("Interrupted: {} of {} steps were done\n", result.nstep, result.nstep_asked);
  }
  return text;
}

std::string short_text(const Result& result) {
  std::string text;
  for (const Figure& figure : figures(result)) {
    text += fmt::format(
        "{}: {}\n", figure.key,
        figure.whole ? fmt::format("{:.0f}", figure.value) : fmt::format("{}", figure.value));
  }
  for (const TraceRow& row : result.trace) {
    text += fmt::format("step.{}.{}: {}\n", row.stage, row.kernel, row.ns);
  }
  text += fmt::format("state_hash: {}\n", result.state_hash);
  return text;
}

std::string module_line(const ModuleFigures& module, const std::string& device_id) {
  return fmt::format("Module {} {} load on device '{}' took {:.2f} ms  ({})", module.name,
                     module.hash, device_id, module.ms, module.cached ? "cached" : "compiled");
}

}  // namespace mjjit
