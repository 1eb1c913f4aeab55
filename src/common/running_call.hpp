// Tells any code whether the user has interrupted the statement that its thread works for.
#pragma once

#include <atomic>

namespace scaup {

/// Marks the current thread as working for a statement, for the lifetime of the object. Code without a
/// context can thus notice an interrupt. The innermost one counts.
class RunningCall {
 public:
  explicit RunningCall(const std::atomic<bool>& interrupted) noexcept;
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  /// Throws Error(57014) if the statement of the calling thread was interrupted. Takes about a nanosecond.
  static void CheckInterrupt();
  [[noreturn]] static void ThrowInterrupted();
  /// Whether `interrupted` belongs to a statement that the calling thread works for, directly or through an
  /// outer call.
  static bool IsFor(const std::atomic<bool>& interrupted) noexcept;

 private:
  const std::atomic<bool>& interrupted_;
  const RunningCall* const outer_;
};

}  // namespace scaup
