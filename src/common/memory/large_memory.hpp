// Large pieces of memory straight from the operating system, by huge pages where it has them.
#pragma once

#include <cstddef>

namespace scaup {

/// From this size on it pays to ask the system itself: smaller pieces belong to malloc.
inline constexpr size_t kLargeMemoryBytes = size_t{4} << 20;

/// Memory whose first use costs a page fault per 2 MiB, not per 4 KiB. Its contents are undefined. Null when
/// there is none. Thread-safe. To be given back by FreeLarge with the same size.
std::byte* AllocateLarge(size_t size_bytes) noexcept;
/// Moves the memory to a larger place without copying it where the system can. Null, and `data` is still
/// there, when there is none.
std::byte* GrowLarge(std::byte* data, size_t old_size_bytes, size_t size_bytes) noexcept;
/// Some of what is freed is kept for the next to use, marked so that the system may take it at any time.
void FreeLarge(std::byte* data, size_t size_bytes) noexcept;

/// Returns pages to the system that are kept, and those that malloc holds though nothing in them is in use:
/// after a large structure of many small pieces was freed, which would else stay with the thread that made
/// it. Takes milliseconds. `kept_bytes` of what is kept may stay, for who will soon need as much again.
void ReturnFreePages(size_t kept_bytes = 0) noexcept;

}  // namespace scaup
