// Notices that the process is a child made by fork, without a system call for each question.
#pragma once

#include <cstdint>

namespace scaup::python {

/// How often this process and its parents were forked since the module was loaded: a child sees another
/// number than its parent. Thread-safe.
uint32_t ForkCount() noexcept;

}  // namespace scaup::python
