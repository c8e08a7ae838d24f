#include "jit/schedule.h"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

#include "catch.h"

using namespace mjjit;

TEST_CASE("tasks go most expensive first, equal ones in their order", "[jit]") {
  CHECK(by_cost({1, 5, 3, 5}) == std::vector<int>{1, 3, 2, 0});
  CHECK(by_cost({}).empty());
}

TEST_CASE("one worker runs the tasks in that order", "[jit]") {
  std::vector<int> order;
  run_tasks({1, 5, 3}, 1, [&](int task, int worker) {
    CHECK(worker == 0);
    order.push_back(task);
  });
  CHECK(order == std::vector<int>{1, 2, 0});
}

TEST_CASE("every task is run once for any number of workers", "[jit]") {
  for (const int workers : {0, 1, 2, 7, 100}) {
    std::mutex mutex;
    std::multiset<int> seen;
    run_tasks(std::vector<double>(20, 1.0), workers, [&](int task, int worker) {
      const std::lock_guard lock(mutex);
      seen.insert(task);
      if (worker < 0 || worker >= std::max(1, workers)) {
        seen.insert(-1);
      }
    });
    CHECK(seen.size() == 20);
    CHECK(std::set<int>(seen.begin(), seen.end()).size() == 20);
    CHECK(seen.count(-1) == 0);
  }
}

TEST_CASE("a failure is thrown again and no further task is started", "[jit]") {
  std::atomic<int> started = 0;
  const auto work = [&](int task, int) {
    ++started;
    if (task == 0) {
      throw std::runtime_error("does not compile");
    }
  };
  CHECK_THROWS_WITH(run_tasks({9, 1, 1, 1}, 1, work), "does not compile");
  CHECK(started == 1);
  CHECK_THROWS_WITH(run_tasks({9, 1, 1, 1}, 4, work), "does not compile");
}
