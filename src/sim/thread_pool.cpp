#include "sim/thread_pool.h"

#include <cstddef>

#include "base/error.h"

namespace mjjit {

namespace {

constexpr std::size_t stack_bytes = std::size_t{256}
                                    << 20;  // address space; pages are taken only when touched

}  // namespace

ThreadPool::ThreadPool(int threads) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  for (int i = 0; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, enter, this) != 0) {
      break;  // fewer threads give the same results
    }
    threads_.push_back(thread);
  }
  pthread_attr_destroy(&attributes);
  if (threads_.empty()) {
    fail(Exit::device, "no thread with a stack of {} MiB can be made", stack_bytes >> 20);
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  start_.notify_all();
  for (const pthread_t thread : threads_) {
    pthread_join(thread, nullptr);
  }
}

void* ThreadPool::enter(void* pool) {
  static_cast<ThreadPool*>(pool)->serve();
  return nullptr;
}

void ThreadPool::serve() {
  unsigned seen = 0;
  for (;;) {
    std::unique_lock lock(mutex_);
    start_.wait(lock, [&] { return is_closing_ || generation_ != seen; });
    if (is_closing_) {
      return;
    }
    seen = generation_;
    const std::function<void(int)>& work = *work_;
    const int count = count_;
    lock.unlock();

    for (int i = next_++; i < count; i = next_++) {
      work(i);
    }

    lock.lock();
    if (--busy_ == 0) {
      done_.notify_one();
    }
  }
}

void ThreadPool::run(int count, const std::function<void(int)>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  count_ = count;
  next_ = 0;
  busy_ = size();
  ++generation_;
  start_.notify_all();
  done_.wait(lock, [&] { return busy_ == 0; });
  work_ = nullptr;
}

}  // namespace mjjit
