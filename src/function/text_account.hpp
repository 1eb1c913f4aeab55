// Accounts for the memory of strings while functions build them.
#pragma once

#include <cstddef>
#include <string>

#include "common/memory/memory_tracker.hpp"
#include "common/running_call.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// The limit of a value's size in bytes; a value of this size or more is Error(54000).
inline constexpr size_t kMostValueBytes = size_t{1} << 30;
[[noreturn]] void ThrowValueTooLong();

/// Accounts for a string that a function builds step by step before it becomes a value. Use one object per
/// string; one thread at a time.
class TextAccount {
 public:
  explicit TextAccount(const FunctionContext& context) : context_(context), reservation_(context.memory) {}

  /// Call it after each step that may have made the string longer; frequent calls are cheap, and suffice
  /// because a string at most doubles its capacity by itself. Throws Error(54000) for a value that is too
  /// long, Error(53200) if memory runs out, and Error(57014) if the user has interrupted the query.
  void Note(const std::string& text) {
    if (text.capacity() > noted_bytes_) [[unlikely]]
      NoteGrowth(text);
  }
  /// Accounts for a step that adds `size_bytes` at once, before the step.
  void Expect(const std::string& text, size_t size_bytes) {
    if (size_bytes >= kLargeStepBytes) [[unlikely]]
      ReserveFor(text, size_bytes);
  }

 private:
  static constexpr size_t kLargeStepBytes = size_t{64} << 10;
  void NoteGrowth(const std::string& text);
  void ReserveFor(const std::string& text, size_t size_bytes);

  const FunctionContext& context_;
  MemoryReservation reservation_;
  size_t noted_bytes_ = kLargeStepBytes;  // smaller strings are not accounted for
};

}  // namespace scaup
