// Tells any code whether the user has interrupted the statement that its thread works for.
#pragma once

#include <atomic>

namespace scaup {

/// Marks the current thread as working for a statement, for the lifetime of the object. Code without a
/// context can thus notice an interrupt. The innermost one counts. Tasks of the scheduler inherit the mark of
/// the thread that waits for them.
class RunningCall {
 public:
  explicit RunningCall(const std::atomic<bool>& interrupted) noexcept;
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  /// Returns the calling thread's mark, to hand it to threads that do a part of its work. Null if the thread
  /// works for no statement.
  static const RunningCall* Innermost() noexcept;

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

/// Gives the current thread another thread's mark, for the lifetime of the object. `call` may be null, and
/// must outlive it.
class InheritedCall {
 public:
  explicit InheritedCall(const RunningCall* call) noexcept;
  ~InheritedCall();
  InheritedCall(const InheritedCall&) = delete;
  InheritedCall& operator=(const InheritedCall&) = delete;

 private:
  const RunningCall* const before_;
};

}  // namespace scaup
