// A condition variable for threads that hold a Mutex.
#pragma once

#include <condition_variable>
#include <mutex>

#include "common/lock/mutex.hpp"

namespace scaup {

/// std::condition_variable over a Mutex, and as fast. Thread-safe; a member beside the mutex. Waits may end
/// without a notification, so they stand in a loop that tests the condition with the mutex held. There they
/// are checked as well, which they would not be in a lambda: `while (!is_done_) done_.Wait(mutex_);`.
class ConditionVariable {
 public:
  void Wait(Mutex& mutex) SCAUP_REQUIRES_LOCK(mutex) {
    const Borrowed lock(mutex);
    condition_.wait(lock.native);
  }
  /// Waits until a moment of a clock of <chrono>. Returns false once the time is over.
  template <typename Moment>
  bool WaitUntil(Mutex& mutex, const Moment& moment) SCAUP_REQUIRES_LOCK(mutex) {
    const Borrowed lock(mutex);
    return condition_.wait_until(lock.native, moment) == std::cv_status::no_timeout;
  }
  void NotifyOne() noexcept { condition_.notify_one(); }
  void NotifyAll() noexcept { condition_.notify_all(); }

 private:
  // The caller's lock in the form that the standard library wants.
  struct Borrowed {
    mutable std::unique_lock<std::mutex> native;
    explicit Borrowed(Mutex& mutex) : native(mutex.native_, std::adopt_lock) {}
    ~Borrowed() { native.release(); }
  };

  std::condition_variable condition_;
};

}  // namespace scaup
