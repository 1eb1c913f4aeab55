// A thread of the library's own, with a stack of a known size.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>

#include "common/stack_bound.hpp"

namespace scaup {

/// As std::thread, whose stack is whatever the process, or the C library, gives: 128 KiB with some, and what
/// RLIMIT_STACK allows with others. Owned by who started it, who joins it before it dies.
class WorkerThread {
 public:
  /// Address space alone: memory is what of it was ever used. Less than a huge page, which the system might
  /// else make of it.
  static constexpr size_t kStackBytes = kStackScale * 1024 * 1024;

  WorkerThread() = default;
  /// Throws std::system_error where no thread can be started.
  explicit WorkerThread(std::function<void()> work);
  WorkerThread(WorkerThread&& other) noexcept : thread_(other.thread_), is_joinable_(other.is_joinable_) {
    other.is_joinable_ = false;
  }
  WorkerThread& operator=(WorkerThread&& other) noexcept {
    thread_ = other.thread_;
    is_joinable_ = other.is_joinable_;
    other.is_joinable_ = false;
    return *this;
  }

  bool joinable() const { return is_joinable_; }
  void join();

 private:
  pthread_t thread_{};
  bool is_joinable_ = false;
};

}  // namespace scaup
