// Whom the calling thread works for.
#include "common/running_call.hpp"

#include "common/throw.hpp"

namespace scaup {

namespace {

constinit thread_local const std::atomic<bool>* interrupted_of_thread = nullptr;

}  // namespace

RunningCall::RunningCall(const std::atomic<bool>& interrupted) noexcept : outer_(interrupted_of_thread) {
  interrupted_of_thread = &interrupted;
}

RunningCall::~RunningCall() { interrupted_of_thread = outer_; }

void RunningCall::CheckInterrupt() {
  const std::atomic<bool>* interrupted = interrupted_of_thread;
  if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) ThrowInterrupted();
}

void RunningCall::ThrowInterrupted() {
  ThrowError(ErrorKind::kInterrupted, sqlstate::kQueryCanceled, "canceling statement due to user request");
}

}  // namespace scaup
