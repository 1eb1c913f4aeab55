// The counter of a sequence.
#pragma once

#include <cstdint>
#include <limits>

#include "common/lock/mutex.hpp"

namespace scaup {

/// The complete options of CREATE SEQUENCE. A value. The bounds fit the type.
struct SequenceOptions {
  enum class Type : uint8_t { kSmallInt = 1, kInteger = 2, kBigInt = 3 } type = Type::kBigInt;
  int64_t start = 1;
  int64_t increment = 1;  ///< never 0
  int64_t minimum = 1;
  int64_t maximum = std::numeric_limits<int64_t>::max();
  bool cycle = false;
  int64_t cache = 1;  ///< stored only: every value is taken from the counter

  friend bool operator==(const SequenceOptions&, const SequenceOptions&) = default;
};

/// The counter of a sequence. Thread-safe. Shared by the versions of the sequence's entry: values that were
/// given out are not taken back by a rollback.
class SequenceState {
 public:
  /// The position of the counter. If is_called, `value` was the last one given out; otherwise it is the next
  /// one.
  struct Position {
    int64_t value = 1;
    bool is_called = false;
    friend bool operator==(const Position&, const Position&) = default;
  };
  explicit SequenceState(Position position) : position_(position) {}

  /// Returns the next value. Throws Error(kOutOfRange, 2200H) past the bound of a sequence that does not
  /// cycle.
  int64_t Next(const SequenceOptions& options);
  /// Sets the position, for setval, ALTER SEQUENCE RESTART and recovery.
  void Set(Position position);
  Position position() const;

 private:
  mutable Mutex mutex_;
  Position position_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
