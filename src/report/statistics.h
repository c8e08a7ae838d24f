#pragma once

#include <cstdint>
#include <vector>

namespace mjjit {

/// Arithmetic mean; NaN of nothing.
double mean(const std::vector<double>& values);
/// Population standard deviation; NaN of nothing.
double deviation(const std::vector<double>& values);
/// Value below which `percent` of the values lie, linear between neighbours as NumPy does by
/// default; NaN of nothing.
double percentile(std::vector<double> values, double percent);
/// The same for values 0, 1, 2, ... that occur counts[value] times.
double percentile_of_counts(const std::vector<std::int64_t>& counts, double percent);

}  // namespace mjjit
