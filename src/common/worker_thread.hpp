// A thread of the library with a stack of known size.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>

#include "common/stack_bound.hpp"

namespace scaup {

/// Like std::thread, but with a stack of known size: std::thread's depends on the C library (128 KiB with
/// some) or on RLIMIT_STACK. The owner must join it before destroying it.
class WorkerThread {
 public:
  /// The size of the stack. It takes up address space; memory is used only as far as the stack is. Smaller
  /// than a huge page, because the system might otherwise back it by one.
  static constexpr size_t kStackBytes = kStackScale * 1024 * 1024;

  WorkerThread() = default;
  /// Throws std::system_error if no thread can be started.
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
