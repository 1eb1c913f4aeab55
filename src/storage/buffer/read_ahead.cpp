// The request queue and the thread of read-ahead.
#include "storage/buffer/read_ahead.hpp"

#include <exception>

#include "common/blocked_signals.hpp"
#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "common/worker_thread.hpp"

namespace scaup {

struct ReadAhead::Impl {
  std::function<void(const BlockPointer&)> read;
  Mutex mutex;  // not held while reading
  ConditionVariable work_available;
  BlockPointer requests[kMaxRequests] SCAUP_GUARDED_BY(mutex);  // a ring buffer
  size_t begin SCAUP_GUARDED_BY(mutex) = 0;
  size_t count SCAUP_GUARDED_BY(mutex) = 0;
  bool stopping SCAUP_GUARDED_BY(mutex) = false;
  WorkerThread thread;  // begun with the mutex, which Stop then excludes

  void Work() noexcept {
    MutexLock lock(mutex);
    while (true) {
      while (!stopping && count == 0) work_available.Wait(mutex);
      if (stopping) return;
      const BlockPointer pointer = requests[begin];
      begin = (begin + 1) % kMaxRequests;
      count--;
      const MutexUnlock unlocked(mutex);
      try {
        read(pointer);
      } catch (...) {
        // A query that pins the block gets the error.
      }
    }
  }
};

ReadAhead::ReadAhead(std::function<void(const BlockPointer&)> read) : impl_(std::make_unique<Impl>()) {
  impl_->read = std::move(read);
}

ReadAhead::~ReadAhead() { Stop(); }

void ReadAhead::Request(std::span<const BlockPointer> pointers) noexcept {
  if (pointers.empty()) return;
  {
    const MutexLock lock(impl_->mutex);
    if (impl_->stopping) return;
    if (!impl_->thread.joinable()) {
      // The thread inherits the signal mask; signals are the application's to handle, on its own threads.
      const BlockedSignals blocked;
      try {
        impl_->thread = WorkerThread([impl = impl_.get()] { impl->Work(); });
      } catch (const std::exception&) {
        return;  // without a thread, or memory for one, nothing is read ahead
      }
    }
    for (const BlockPointer& pointer : pointers) {
      // When the ring is full, the queries are faster than read-ahead anyway.
      if (impl_->count == kMaxRequests) break;
      impl_->requests[(impl_->begin + impl_->count++) % kMaxRequests] = pointer;
    }
  }
  impl_->work_available.NotifyOne();
}

void ReadAhead::Stop() noexcept {
  {
    const MutexLock lock(impl_->mutex);
    impl_->stopping = true;
    impl_->count = 0;
  }
  impl_->work_available.NotifyOne();
  if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace scaup
