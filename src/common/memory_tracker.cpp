// Keeps the account of MemoryTracker and MemoryReservation.
#include "common/memory_tracker.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

std::string Megabytes(size_t size_bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(size_bytes) / (1 << 20));
}

}  // namespace

void MemoryTracker::Reserve(size_t size_bytes) {
  // Compare-and-swap rather than add-and-undo: a large refused request must not make small ones of other
  // threads fail.
  size_t used = used_bytes_.load(std::memory_order_relaxed);
  while (true) {
    const size_t limit = limit_bytes();
    if (size_bytes > limit || used > limit - size_bytes) {
      throw Error(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
                  fmt::format("out of memory: {} more are needed, {} of the memory limit of {} are in use; "
                              "raise it with SET memory_limit",
                              Megabytes(size_bytes), Megabytes(used), Megabytes(limit)));
    }
    if (used_bytes_.compare_exchange_weak(used, used + size_bytes, std::memory_order_relaxed)) return;
  }
}

void MemoryReservation::Resize(size_t size_bytes) {
  if (size_bytes > size_bytes_) {
    tracker_->Reserve(size_bytes - size_bytes_);
  } else {
    tracker_->Release(size_bytes_ - size_bytes);
  }
  size_bytes_ = size_bytes;
}

}  // namespace scaup
