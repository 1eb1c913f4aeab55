// Finds the first error in input order among several reading threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "common/lock/mutex.hpp"

namespace scaup {

/// Tracks the chunks in progress and the earliest error. A thread that finds an error stops at once. The
/// error is thrown by the thread that sees no earlier chunk in progress, so no thread ever waits for another.
/// Chunks and `Error` are ordered by their `sequence`. Thread-safe.
template <typename Error>
class EarliestError {
 public:
  /// Announces that a chunk will be taken; false if there is an error. EndTaking must follow.
  bool BeginTaking() {
    const MutexLock lock(mutex_);
    if (error_) return false;
    taking_++;
    return true;
  }
  /// Registers the chunk that was taken; nullopt if there was none.
  void EndTaking(std::optional<uint64_t> sequence) {
    const MutexLock lock(mutex_);
    taking_--;
    if (sequence) in_work_.insert(*sequence);
  }
  /// Ends a chunk, finished or given up.
  void Release(uint64_t sequence) {
    const MutexLock lock(mutex_);
    in_work_.erase(sequence);
  }
  void Report(Error error) {
    const MutexLock lock(mutex_);
    if (!error_ || error.sequence < error_->sequence) error_ = std::move(error);
  }
  /// Whether an earlier chunk has an error, so that this chunk's rows are not needed.
  bool IsBehind(uint64_t sequence) {
    const MutexLock lock(mutex_);
    return error_ && error_->sequence < sequence;
  }
  /// The error, once no chunk before it is in progress.
  std::optional<Error> Due() {
    const MutexLock lock(mutex_);
    // A chunk that is just being taken may be earlier; its thread will call this, too.
    const bool is_due = error_ && taking_ == 0 && (in_work_.empty() || *in_work_.begin() > error_->sequence);
    return is_due ? error_ : std::nullopt;
  }

 private:
  Mutex mutex_;
  std::set<uint64_t> in_work_ SCAUP_GUARDED_BY(mutex_);
  size_t taking_ SCAUP_GUARDED_BY(mutex_) = 0;
  std::optional<Error> error_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
