// Blocks signals in the threads that the library starts.
#pragma once

#include <signal.h>

namespace scaup {

/// Blocks all signals in the current thread for the lifetime of the object. Threads started meanwhile inherit
/// the mask, so signals are delivered only to the threads of the host program.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t previous_;
};

/// Keeps SIGPIPE from the process for the lifetime of the object, while libraries write to connections: one
/// that the other side has closed would end the program. One that came is dropped.
class BlockedPipeSignal {
 public:
  BlockedPipeSignal() {
    sigset_t pending;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &previous_);
  }
  ~BlockedPipeSignal() {
    sigset_t pending;
    int signal = 0;
    // A signal that an earlier call has left is not ours.
    if (!was_pending_ && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
      sigwait(&pipe_, &signal);
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }
  BlockedPipeSignal(const BlockedPipeSignal&) = delete;
  BlockedPipeSignal& operator=(const BlockedPipeSignal&) = delete;

 private:
  sigset_t pipe_, previous_;
  bool was_pending_ = false;
};

}  // namespace scaup
