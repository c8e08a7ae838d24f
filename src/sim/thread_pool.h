#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace mjjit {

/// Threads with large stacks that run one loop at a time. Kernels keep in stack arrays what a GPU
/// keeps in shared memory; for a large model that is more than the stack of an ordinary thread, and
/// library pools do not offer another size portably, so the loop's threads are our own and the
/// calling thread only waits.
class ThreadPool {
 public:
  /// @throws Error{Exit::device} when no thread can be made
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

  /// Calls work(0) … work(count - 1), each once, in any order and from any thread; returns when all
  /// are done.
  void run(int count, const std::function<void(int)>& work);

 private:
  static void* enter(void* pool);
  void serve();

  std::vector<pthread_t> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int)>* work_ = nullptr;
  int count_ = 0;
  int busy_ = 0;             // threads that have not finished the present loop
  unsigned generation_ = 0;  // loops so far
  bool is_closing_ = false;
  std::atomic<int> next_ = 0;
};

}  // namespace mjjit
