// Asks the operating system for memory and processors.
#include "common/machine.hpp"

#include <fcntl.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "common/descriptor.hpp"

namespace scaup {

namespace {

// The memory limit of this process's control group (containers); the largest number if there is none.
uint64_t ControlGroupMemoryBytes() {
  uint64_t limit = std::numeric_limits<uint64_t>::max();
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const Descriptor descriptor = Descriptor::Open(path, O_RDONLY);
    if (!descriptor.is_open()) continue;
    char text[64];
    const ssize_t length = read(descriptor.number(), text, sizeof(text));
    uint64_t value = 0;  // Parsing fails, as intended, if the file says "max".
    if (length > 0 && std::from_chars(text, text + length, value).ec == std::errc() && value > 0)
      limit = std::min(limit, value);
  }
  return limit;
}

}  // namespace

size_t MachineMemoryBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  const uint64_t physical = pages > 0 && page_bytes > 0
                                ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes)
                                : uint64_t{1} << 30;
  return static_cast<size_t>(std::min(physical, ControlGroupMemoryBytes()));
}

size_t MachineThreads() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
    return static_cast<size_t>(std::max(CPU_COUNT(&allowed), 1));
#endif
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<size_t>(online) : 1;
}

}  // namespace scaup
