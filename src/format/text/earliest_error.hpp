// The error that comes first in what several threads read, whichever of them meets one first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace scaup {

/// Which chunks of an input are in work, and the earliest error. A thread that finds an error stops at once;
/// it is thrown by the thread that sees no earlier chunk in work any more, so that nobody ever waits for
/// another. Chunks are known by their sequence, as is `Error` (a member of that name). Thread-safe.
template <typename Error>
class EarliestError {
 public:
  /// Before a chunk is taken; false when there is an error. Is followed by EndTaking.
  bool BeginTaking() {
    const std::lock_guard lock(mutex_);
    if (error_) return false;
    taking_++;
    return true;
  }
  /// The chunk that was taken; nullopt: there is none.
  void EndTaking(std::optional<uint64_t> sequence) {
    const std::lock_guard lock(mutex_);
    taking_--;
    if (sequence) in_work_.insert(*sequence);
  }
  /// The chunk is done or given up.
  void Release(uint64_t sequence) {
    const std::lock_guard lock(mutex_);
    in_work_.erase(sequence);
  }
  void Report(Error error) {
    const std::lock_guard lock(mutex_);
    if (!error_ || error.sequence < error_->sequence) error_ = std::move(error);
  }
  /// Whether nobody will want what is behind this chunk.
  bool IsBehind(uint64_t sequence) {
    const std::lock_guard lock(mutex_);
    return error_ && error_->sequence < sequence;
  }
  /// The error, once no chunk before it is in work.
  std::optional<Error> Due() {
    const std::lock_guard lock(mutex_);
    // A chunk that is just being taken may be an earlier one; its thread comes here too.
    const bool is_due = error_ && taking_ == 0 && (in_work_.empty() || *in_work_.begin() > error_->sequence);
    return is_due ? error_ : std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::set<uint64_t> in_work_;
  size_t taking_ = 0;
  std::optional<Error> error_;
};

}  // namespace scaup
