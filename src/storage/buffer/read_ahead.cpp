// The request queue and the thread of read-ahead.
#include "storage/buffer/read_ahead.hpp"

#include <condition_variable>
#include <mutex>
#include <system_error>

#include "common/blocked_signals.hpp"
#include "common/worker_thread.hpp"

namespace scaup {

struct ReadAhead::Impl {
  std::function<void(const BlockPointer&)> read;
  std::mutex mutex;  // guards what follows; not held while reading
  std::condition_variable work_available;
  BlockPointer requests[kMaxRequests];  // a ring buffer
  size_t begin = 0;
  size_t count = 0;
  bool stopping = false;
  WorkerThread thread;

  void Work() noexcept {
    std::unique_lock lock(mutex);
    while (true) {
      work_available.wait(lock, [this] { return stopping || count != 0; });
      if (stopping) return;
      const BlockPointer pointer = requests[begin];
      begin = (begin + 1) % kMaxRequests;
      count--;
      lock.unlock();
      try {
        read(pointer);
      } catch (...) {
        // A query that pins the block gets the error.
      }
      lock.lock();
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
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopping) return;
    if (!impl_->thread.joinable()) {
      // The thread inherits the signal mask; signals are the application's to handle, on its own threads.
      const BlockedSignals blocked;
      try {
        impl_->thread = WorkerThread([impl = impl_.get()] { impl->Work(); });
      } catch (const std::system_error&) {
        return;  // without a thread nothing is read ahead
      }
    }
    for (const BlockPointer& pointer : pointers) {
      // When the ring is full, the queries are faster than read-ahead anyway.
      if (impl_->count == kMaxRequests) break;
      impl_->requests[(impl_->begin + impl_->count++) % kMaxRequests] = pointer;
    }
  }
  impl_->work_available.notify_one();
}

void ReadAhead::Stop() noexcept {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->count = 0;
  }
  impl_->work_available.notify_one();
  if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace scaup
