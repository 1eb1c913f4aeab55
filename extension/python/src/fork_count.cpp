// Fork count: counts in a handler that runs in each child.
#include "fork_count.hpp"

#include <pthread.h>

#include <atomic>

namespace scaup::python {

namespace {

constinit std::atomic<uint32_t> count{0};

void BeginChild() { count.fetch_add(1, std::memory_order_relaxed); }

// Registered when the module is loaded, before there is anything that a child could inherit.
[[maybe_unused]] const int is_watching_forks = pthread_atfork(nullptr, nullptr, BeginChild);

}  // namespace

uint32_t ForkCount() noexcept { return count.load(std::memory_order_relaxed); }

}  // namespace scaup::python
