// The statement that the calling thread works for.
#include "common/running_call.hpp"

#include "common/throw.hpp"

namespace scaup {

namespace {

constinit thread_local const RunningCall* innermost = nullptr;

}  // namespace

RunningCall::RunningCall(const std::atomic<bool>& interrupted) noexcept
    : interrupted_(interrupted), outer_(innermost) {
  innermost = this;
}

RunningCall::~RunningCall() { innermost = outer_; }

const RunningCall* RunningCall::Innermost() noexcept { return innermost; }

InheritedCall::InheritedCall(const RunningCall* call) noexcept : before_(innermost) { innermost = call; }

InheritedCall::~InheritedCall() { innermost = before_; }

void RunningCall::CheckInterrupt() {
  const RunningCall* call = innermost;
  if (call != nullptr && call->interrupted_.load(std::memory_order_relaxed)) ThrowInterrupted();
}

bool RunningCall::IsFor(const std::atomic<bool>& interrupted) noexcept {
  const RunningCall* call = innermost;
  while (call != nullptr && &call->interrupted_ != &interrupted) call = call->outer_;
  return call != nullptr;
}

void RunningCall::ThrowInterrupted() {
  ThrowError(ErrorKind::kInterrupted, sqlstate::kQueryCanceled, "canceling statement due to user request");
}

}  // namespace scaup
