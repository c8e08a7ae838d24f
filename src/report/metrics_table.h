#pragma once

#include <string>
#include <vector>

#include "report/result.h"

namespace mjjit {

/// One figure of the result: a number, or why there is none.
struct Figure {
  std::string key;     // as in the JSON; the unit is part of the key where it is not obvious
  double value = 0;    // NaN: see reason
  bool whole = false;  // a count
  std::string reason;
};

/// All single figures, in the order they are reported. Keys that the peer has are defined as there:
/// ncon_* is the larger of contacts and near pairs a world, nefc_* the largest world,
/// solver_niter_* over all worlds and steps. Others are ours.
std::vector<Figure> figures(const Result& result);

/// Mean, deviation, smallest and largest of each of `buckets` pieces of a series.
struct Bucket {
  double mean, deviation, least, most;
};
std::vector<Bucket> bucketed(const std::vector<double>& series, int buckets = 10);

}  // namespace mjjit
