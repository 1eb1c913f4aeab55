// The interrupt check of function_context.hpp, and the accounting of text_account.hpp.
#include "function/function_context.hpp"

#include <algorithm>
#include <chrono>

#include "common/throw.hpp"
#include "function/text_account.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

int64_t SteadyMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void FunctionContext::CheckInterrupt() const {
  if (interrupted.load(std::memory_order_relaxed)) RunningCall::ThrowInterrupted();
  if (deadline_micros != 0 && SteadyMicros() >= deadline_micros) {
    ThrowError(ErrorKind::kInterrupted, sqlstate::kQueryCanceled,
               "the statement has taken longer than the setting statement_timeout allows");
  }
}

FunctionContext FunctionContext::With(const DatabaseListing& other) const {
  return {
      files,      memory,         scheduler, settings,           kernels,    interrupted,     other,
      now_micros, sequences,      time_zone, transaction_micros, parameters, random_position, setting_access,
      inner,      deadline_micros};
}

void ThrowValueTooLong() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
             "a value would be longer than 1 GiB, the most that one may have");
}

void TextAccount::NoteGrowth(const std::string& text) {
  context_.CheckInterrupt();
  if (text.size() >= kMostValueBytes) ThrowValueTooLong();
  reservation_.Resize(text.capacity());
  noted_bytes_ = text.capacity();
}

void TextAccount::ReserveFor(const std::string& text, size_t size_bytes) {
  context_.CheckInterrupt();
  const size_t wanted = text.size() + size_bytes;
  if (wanted >= kMostValueBytes) ThrowValueTooLong();
  if (wanted <= noted_bytes_) return;
  // The capacity after growth, assuming that a string doubles.
  const size_t grown = text.capacity() >= wanted ? text.capacity() : std::max(wanted, 2 * text.capacity());
  reservation_.Resize(std::max(grown, reservation_.size_bytes()));
  noted_bytes_ = std::max(grown, noted_bytes_);
}

const TimeZone& FunctionContext::Zone() const {
  static const TimeZone& utc = *new TimeZone;  // never destroyed, see CONTRIBUTING.md
  return time_zone ? *time_zone : utc;
}

}  // namespace scaup
