// Counts forks, and closes inherited descriptors in the child.
#include "common/process_origin.hpp"

#include <pthread.h>

#include "common/descriptor.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace detail {

constinit std::atomic<uint32_t> fork_count{0};

void ThrowInherited() {
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
             "this database was opened before the process was forked, and belongs to its parent: open a "
             "database in the child (a file once the parent has closed it, or with access_mode read_only)");
}

}  // namespace detail

namespace {

// Runs first in a child made by fork; does only what is async-signal-safe.
void BeginChild() {
  detail::fork_count.fetch_add(1, std::memory_order_relaxed);
  Descriptor::CloseInherited();
}

// Registered when the library is loaded, not at the first use: a fork on another thread during registration
// would leave the child with half of it. Failure is ignored: a system without memory for this has none for a
// database either.
[[maybe_unused]] const int is_watching_forks = pthread_atfork(nullptr, nullptr, BeginChild);

}  // namespace

}  // namespace scaup
