#include "report/statistics.h"

#include <cmath>

#include "catch.h"

using namespace mjjit;

TEST_CASE("mean, deviation and percentiles are NumPy's", "[report]") {
  const std::vector<double> values = {3, 1, 4, 1, 5};
  CHECK(mean(values) == Approx(2.8));
  CHECK(deviation(values) == Approx(std::sqrt(2.56)));  // mean of (0.2, 1.8, 1.2, 1.8, 2.2) squared
  CHECK(percentile(values, 50) == 3);
  CHECK(percentile(values, 95) == Approx(4.8));  // place 3.8 of 1 1 3 4 5
  CHECK(std::isnan(mean({})));
  CHECK(std::isnan(percentile({}, 95)));
}

TEST_CASE("a percentile of counts is that of the list they stand for", "[report]") {
  // 0 0 1 2 2 2
  CHECK(percentile_of_counts({2, 1, 3}, 50) == percentile({0, 0, 1, 2, 2, 2}, 50));
  CHECK(percentile_of_counts({2, 1, 3}, 30) == percentile({0, 0, 1, 2, 2, 2}, 30));
  CHECK(percentile_of_counts({0, 0, 5}, 95) == 2);
  CHECK(std::isnan(percentile_of_counts({}, 95)));
}
