// The running call of a session, as other threads may see and interrupt it.
#pragma once

#include <atomic>

#include "common/process_origin.hpp"
#include "common/running_call.hpp"
#include "execution/run/query_context.hpp"

namespace scaup {

/// The running call of a session, as others see it: how far it is, and the flag that interrupts it. Owned by
/// the Session. Thread-safe without the session's mutex, which the call holds.
class CallControl {
 public:
  /// `origin` must outlive it.
  explicit CallControl(const ProcessOrigin& origin) : origin_(origin) {}

  void Interrupt() noexcept { interrupted_.store(true); }
  /// Drops an interruption that came while nothing ran: its sender meant a statement that has ended.
  void Begin() noexcept { interrupted_.store(false); }
  /// Returns the share of the running query that is done; -1 if it is not known.
  double Progress() const noexcept {
    if (origin_.IsInherited()) return -1;
    try {
      return progress_.Current();
    } catch (...) {
      return -1;
    }
  }
  /// Returns whether the calling thread works for a statement of this session. A statement may call the
  /// program, for example to read a registered table; such code must not wait for the statement's end.
  bool IsCalledBack() const noexcept { return RunningCall::IsFor(interrupted_); }

  /// The parts that a statement uses while it runs.
  std::atomic<bool>& interrupted() { return interrupted_; }
  QueryProgress& progress() { return progress_; }

 private:
  const ProcessOrigin& origin_;
  std::atomic<bool> interrupted_{false};
  QueryProgress progress_;
};

}  // namespace scaup
