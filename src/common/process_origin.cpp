// Counts forks, and closes the descriptors that a child has of its parent's files.
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

// Runs in a child made by fork, before anything else of it: only what is safe in a signal handler.
void BeginChild() {
  detail::fork_count.fetch_add(1, std::memory_order_relaxed);
  Descriptor::CloseInherited();
}

// When the library is loaded, not when it is first used: a fork on another thread in the middle of it would
// leave the child with a half of it. Where the system has no memory for it, nor has it for a database.
[[maybe_unused]] const int is_watching_forks = pthread_atfork(nullptr, nullptr, BeginChild);

}  // namespace

}  // namespace scaup
