// Fork count: detects, without a system call, that the process is a child made by fork.
#pragma once

#include <cstdint>

namespace scaup::registry {

/// Returns the number of forks from the process that first called this to this one. So a child gets another
/// number than its parent. Thread-safe.
uint32_t ForkCount() noexcept;

}  // namespace scaup::registry
