// Fork count: counts in a handler that runs in each child.
#include "fork_count.hpp"

#include <pthread.h>

#include <atomic>

namespace scaup::registry {

namespace {

constinit std::atomic<uint32_t> count{0};

void BeginChild() { count.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

uint32_t ForkCount() noexcept {
  // Registered by the first call: whoever compares counts has called this before there was anything that a
  // child could inherit.
  [[maybe_unused]] static const int is_watching_forks = pthread_atfork(nullptr, nullptr, BeginChild);
  return count.load(std::memory_order_relaxed);
}

}  // namespace scaup::registry
