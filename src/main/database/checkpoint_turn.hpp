// CheckpointTurn: the time in which one thread alone may write checkpoints of a database.
#pragma once

#include <mutex>

#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"

namespace scaup {

/// Lets one thread at a time write checkpoints. This is a flag, not a mutex that is held during a checkpoint:
/// the user may interrupt the wait for it. Owned by the DatabaseStorage. Thread-safe.
class CheckpointTurns {
 public:
  /// Waits until no checkpoint runs, and begins one. Throws Error(kInterrupted) if the user interrupts the
  /// wait.
  void Begin();
  /// Begins a checkpoint; false if another one runs.
  bool TryBegin();
  /// Ends the checkpoint that the caller has begun.
  void End() noexcept;

 private:
  Mutex mutex_;
  bool checkpoint_runs_ SCAUP_GUARDED_BY(mutex_) = false;
  ConditionVariable ended_;
};

/// A turn, for the lifetime of the object, which is a local variable.
class CheckpointTurn {
 public:
  explicit CheckpointTurn(CheckpointTurns& turns) : turns_(turns) { turns_.Begin(); }
  /// Takes over a turn that the caller has, as from TryBegin.
  CheckpointTurn(CheckpointTurns& turns, std::adopt_lock_t) : turns_(turns) {}
  ~CheckpointTurn() { turns_.End(); }
  CheckpointTurn(const CheckpointTurn&) = delete;
  CheckpointTurn& operator=(const CheckpointTurn&) = delete;

 private:
  CheckpointTurns& turns_;
};

}  // namespace scaup
