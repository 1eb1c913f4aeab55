// Begins and ends the turns of threads that write checkpoints.
#include "main/database/checkpoint_turn.hpp"

#include <chrono>

#include "common/check.hpp"
#include "common/running_call.hpp"

namespace scaup {

void CheckpointTurns::Begin() {
  // A checkpoint may take minutes. Waiting in short steps lets the user interrupt the wait.
  constexpr std::chrono::milliseconds kCheckedTime{50};
  const MutexLock lock(mutex_);
  while (checkpoint_runs_) {
    ended_.WaitUntil(mutex_, std::chrono::steady_clock::now() + kCheckedTime);
    RunningCall::CheckInterrupt();
  }
  checkpoint_runs_ = true;
}

bool CheckpointTurns::TryBegin() {
  const MutexLock lock(mutex_);
  if (checkpoint_runs_) return false;
  checkpoint_runs_ = true;
  return true;
}

void CheckpointTurns::End() noexcept {
  const MutexLock lock(mutex_);
  SCAUP_ASSERT(checkpoint_runs_);
  checkpoint_runs_ = false;
  // All waiting threads are woken, since the first one may have been interrupted and leave without its turn.
  ended_.NotifyAll();
}

}  // namespace scaup
