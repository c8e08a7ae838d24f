#include "jit/schedule.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>

namespace mjjit {

std::vector<int> by_cost(const std::vector<double>& cost) {
  std::vector<int> order(cost.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cost[a] > cost[b]; });
  return order;
}

void run_tasks(const std::vector<double>& cost, int workers,
               const std::function<void(int task, int worker)>& work) {
  const std::vector<int> order = by_cost(cost);
  const int count = static_cast<int>(order.size());
  std::atomic<int> next = 0;
  std::mutex mutex;
  std::exception_ptr first_failure;

  const auto run_worker = [&](int worker) {
    try {
      for (int i = next++; i < count; i = next++) {
        work(order[i], worker);
      }
    } catch (...) {
      next = count;  // the others finish what they are at
      const std::lock_guard lock(mutex);
      if (!first_failure) {
        first_failure = std::current_exception();
      }
    }
  };

  {
    std::vector<std::jthread> threads;
    try {
      for (int worker = 1; worker < std::min(workers, count); ++worker) {
        threads.emplace_back(run_worker, worker);
      }
    } catch (const std::system_error&) {
      // no more threads to be had: those there are do all tasks
    }
    run_worker(0);
  }
  if (first_failure) {
    std::rethrow_exception(first_failure);
  }
}

}  // namespace mjjit
