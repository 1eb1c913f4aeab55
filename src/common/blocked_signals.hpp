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

}  // namespace scaup
