#pragma once

#include <functional>
#include <vector>

namespace mjjit {

/// Task numbers, the most expensive first; equal costs keep their order.
std::vector<int> by_cost(const std::vector<double>& cost);

/// Runs every task once on up to `workers` threads (at least one), the most expensive first: with
/// the longest task at the front the others fill the time beside it, and the whole takes little
/// more than the larger of (longest task, sum / workers). After a failure no further task is
/// started; the first failure is thrown again when all threads have ended.
/// @param work  called with the task's number and the worker's, from 0
void run_tasks(const std::vector<double>& cost, int workers,
               const std::function<void(int task, int worker)>& work);

}  // namespace mjjit
