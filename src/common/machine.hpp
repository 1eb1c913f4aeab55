// The memory and the processors that the machine offers this process.
#pragma once

#include <cstddef>

namespace scaup {

/// The bytes of memory that this process may use: the machine's memory, or its control group's limit if that
/// is less.
size_t MachineMemoryBytes();
/// The number of processors that this process may run on; at least 1.
size_t MachineThreads();

}  // namespace scaup
