#include "report/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/metrics_table.h"
#include "report/text.h"

namespace mjjit {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string bucket_text(const std::string& title, const std::vector<double>& series, double scale) {
  Rows rows = {{"mean", "std", "min", "max"}};
  for (const Bucket& bucket : bucketed(series)) {
    rows.push_back({fmt::format("{:.6g}", bucket.mean * scale),
                    fmt::format("{:.6g}", bucket.deviation * scale),
                    fmt::format("{:.6g}", bucket.least * scale),
                    fmt::format("{:.6g}", bucket.most * scale)});
  }
  return fmt::format("\n{}:\n\n{}", title, table_text(rows, 0));
}

std::string share(double part, double whole) {
  return whole > 0 ? fmt::format("{:.2f}%", 100 * part / whole) : "-";
}

}  // namespace

std::string table_text(const Rows& rows, std::size_t left_columns) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      line += i == 0 ? "" : "  ";
      line += i < left_columns ? fmt::format("{:<{}}", rows[r][i], widths[i])
                               : fmt::format("{:>{}}", rows[r][i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
    if (r == 0) {
      std::size_t total = 2 * (widths.size() - 1);
      for (const std::size_t width : widths) {
        total += width;
      }
      text += std::string(total, '-') + '\n';
    }
  }
  return text;
}

std::string memory_text(const Result& result) {
  Rows rows = {{"array", "of", "type", "shape", "bytes", "share"}};
  const double total =
      static_cast<double>(std::max<std::size_t>(1, result.model_memory + result.data_memory));
  std::vector<MemoryRow> sorted = result.memory;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  for (const MemoryRow& row : sorted) {
    const std::string shape = row.is_model
                                  ? fmt::format("{}x{}", row.rows, row.columns)
                                  : fmt::format("{}x{}x{}", result.nworld, row.rows, row.columns);
    rows.push_back({row.name, row.is_model ? "model" : "data", row.type, shape,
                    std::to_string(row.bytes), share(static_cast<double>(row.bytes), total)});
  }
  const double device = static_cast<double>(result.device_memory);
  std::string text = "\nMemory by array:\n\n" + table_text(rows, 4) + '\n';
  auto line = [&](const char* name, std::size_t bytes) {
    text += fmt::format("{} memory {} ({} of device memory)\n", name,
                        readable_bytes(static_cast<double>(bytes)),
                        share(static_cast<double>(bytes), device));
  };
  line("Model", result.model_memory);
  line("Data", result.data_memory);
  line("Total", result.total_memory);
  return text;
}

std::string trace_text(const Result& result) {
  std::string text = "\nEvent trace, ns per world-step:\n\n";
  double total = 0;
  for (const TraceRow& row : result.trace) {
    total += row.ns;
  }
  text += fmt::format("{}: {:.2f}\n", result.function, total);
  for (std::size_t i = 0; i < result.trace.size();) {
    // launches of a stage stand together
    std::size_t end = i;
    double stage = 0;
    for (; end < result.trace.size() && result.trace[end].stage == result.trace[i].stage; ++end) {
      stage += result.trace[end].ns;
    }
    text += fmt::format("  {}: {:.2f}\n", result.trace[i].stage, stage);
    for (; i < end; ++i) {
      text += fmt::format("    {}: {:.2f}\n", result.trace[i].kernel, result.trace[i].ns);
    }
  }
  return text;
}

std::string alloc_text(const Result& result) {
  return bucket_text("ncon alloc", result.steps.alloc, 1) +
         bucket_text("nefc alloc", result.steps.rows_max, 1);
}

std::string solver_text(const Result& result) {
  return bucket_text("solver niter", result.steps.niter, 1.0 / result.nworld);
}

std::string compile_text(const std::vector<ModuleFigures>& modules, bool markdown) {
  Rows rows = {{"module", "kernel", "hash", "ms", "", "bytes", "registers", "spill B", "stack B",
                "shared B"}};
  for (const ModuleFigures& module : modules) {
    std::vector<std::string> row = {module.name,
                                    "",
                                    module.hash,
                                    fmt::format("{:.1f}", module.ms),
                                    module.cached ? "cached" : "compiled",
                                    std::to_string(module.bytes),
                                    "",
                                    "",
                                    "",
                                    ""};
    if (module.kernels.empty()) {
      rows.push_back(row);
    }
    for (const KernelFigures& kernel : module.kernels) {
      row[1] = kernel.kernel;
      row[6] = std::to_string(kernel.registers);
      row[7] = std::to_string(kernel.spill_bytes);
      row[8] = std::to_string(kernel.stack_bytes);
      row[9] = std::to_string(kernel.shared_bytes);
      rows.push_back(row);
      std::fill(row.begin(), row.end(), "");
    }
  }
  if (!markdown) {
    return table_text(rows, 3);
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += fmt::format("| {} |\n", fmt::join(rows[r], " | "));
    if (r == 0) {
      text += "|---|---|---|---:|---|---:|---:|---:|---:|---:|\n";
    }
  }
  return text;
}

}  // namespace mjjit
