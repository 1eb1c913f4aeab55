// The counter of a sequence.
#include "catalog/sequence_state.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

int64_t SequenceState::Next(const SequenceOptions& options) {
  MutexLock lock(mutex_);
  if (!position_.is_called) {
    position_.is_called = true;
    return position_.value;
  }
  int64_t next = 0;
  const bool overflows = __builtin_add_overflow(position_.value, options.increment, &next);
  const bool is_rising = options.increment > 0;
  if (overflows || (is_rising ? next > options.maximum : next < options.minimum)) {
    // The position stays at the bound, so that every further call fails in the same way.
    if (!options.cycle) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kSequenceLimitExceeded,
                 fmt::format("nextval: reached {} value of sequence ({})", is_rising ? "maximum" : "minimum",
                             is_rising ? options.maximum : options.minimum));
    }
    next = is_rising ? options.minimum : options.maximum;
  }
  position_.value = next;
  return next;
}

void SequenceState::Set(Position position) {
  MutexLock lock(mutex_);
  position_ = position;
}

SequenceState::Position SequenceState::position() const {
  MutexLock lock(mutex_);
  return position_;
}

}  // namespace scaup
