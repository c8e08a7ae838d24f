#include "report/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mjjit {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return values.empty() ? kNothing : sum / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) {
    sum += (value - centre) * (value - centre);
  }
  return values.empty() ? kNothing : std::sqrt(sum / static_cast<double>(values.size()));
}

double percentile(std::vector<double> values, double percent) {
  if (values.empty()) {
    return kNothing;
  }
  std::sort(values.begin(), values.end());
  const double place = percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double percentile_of_counts(const std::vector<std::int64_t>& counts, double percent) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) {
    total += count;
  }
  if (total == 0) {
    return kNothing;
  }
  // the value at a place of the sorted list that the counts stand for
  auto value_at = [&](std::int64_t place) {
    std::size_t value = 0;
    for (; value + 1 < counts.size() && place >= counts[value]; ++value) {
      place -= counts[value];
    }
    return static_cast<double>(value);
  };
  const double place = percent / 100 * static_cast<double>(total - 1);
  const auto below = static_cast<std::int64_t>(place);
  const double low = value_at(below), high = value_at(std::min(below + 1, total - 1));
  return low + (place - static_cast<double>(below)) * (high - low);
}

}  // namespace mjjit
