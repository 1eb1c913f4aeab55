// Tells code anywhere whether the user asked to stop what its thread does.
#pragma once

#include <atomic>

namespace scaup {

/// Lets code that knows of no context learn whether the user asked to stop: as long as it lives, its thread
/// works for a statement. The latest of several counts.
class RunningCall {
 public:
  explicit RunningCall(const std::atomic<bool>& interrupted) noexcept;
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  /// Throws Error(57014) if the user asked to stop what the calling thread does. Takes about a nanosecond.
  static void CheckInterrupt();
  [[noreturn]] static void ThrowInterrupted();
  /// Whether the calling thread works for a statement that this one interrupts, maybe by way of others.
  static bool IsFor(const std::atomic<bool>& interrupted) noexcept;

 private:
  const std::atomic<bool>& interrupted_;
  const RunningCall* const outer_;
};

}  // namespace scaup
