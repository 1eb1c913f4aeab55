// Accounts strings while functions build them.
#pragma once

#include <cstddef>
#include <string>

#include "common/memory/memory_tracker.hpp"
#include "common/running_call.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// A value has fewer bytes than this: so many, or more, are Error(54000).
inline constexpr size_t kMostValueBytes = size_t{1} << 30;
[[noreturn]] void ThrowValueTooLong();

/// Accounts a string that a function builds bit by bit before it becomes a value. One for each string; one
/// thread.
class TextAccount {
 public:
  explicit TextAccount(const FunctionContext& context) : context_(context), reservation_(context.memory) {}

  /// To be called after each step that may have made the string longer, however often: by itself a string
  /// grows to twice its size at most. Throws Error(54000) for a value that is too long, Error(53200) where
  /// there is no memory for it, and Error(57014) if the user asked to stop.
  void Note(const std::string& text) {
    if (text.capacity() > noted_bytes_) [[unlikely]]
      NoteGrowth(text);
  }
  /// Accounts a step that adds `size_bytes` at once, before it happens.
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
  size_t noted_bytes_ = kLargeStepBytes;  // Less than this is not worth a look.
};

}  // namespace scaup
