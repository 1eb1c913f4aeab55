// What the machine offers this process: memory and processors.
#pragma once

#include <cstddef>

namespace scaup {

/// Bytes of memory that this process may fill: the machine's, or what its control group grants if that is
/// less.
size_t MachineMemoryBytes();
/// Processors that this process may run on; at least 1.
size_t MachineThreads();

}  // namespace scaup
