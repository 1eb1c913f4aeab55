// A pool of objects that are expensive to make.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "common/lock/mutex.hpp"

namespace scaup {

/// A pool of reusable objects, each used by one thread at a time. Thread-safe.
template <typename T>
class ObjectPool {
 public:
  /// Returns an object that was given back, or a new one from `make`.
  template <typename Make>
  std::unique_ptr<T> Take(const Make& make) {
    {
      MutexLock lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> taken = std::move(free_.back());
        free_.pop_back();
        return taken;
      }
    }
    return make();
  }
  void GiveBack(std::unique_ptr<T> thing) {
    MutexLock lock(mutex_);
    free_.push_back(std::move(thing));
  }

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<T>> free_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
