// Large allocations straight from the operating system, with huge pages where it has them.
#pragma once

#include <cstddef>

namespace scaup {

/// The size from which asking the system itself pays off; smaller allocations are left to malloc.
inline constexpr size_t kLargeMemoryBytes = size_t{4} << 20;

/// Allocates uninitialized memory that takes one page fault per 2 MiB at first use instead of one per 4 KiB.
/// Returns null when memory runs out. Free it by FreeLarge with the same size. Thread-safe.
std::byte* AllocateLarge(size_t size_bytes) noexcept;
/// Grows an allocation by remapping its pages, without copying where the system can. Returns null when memory
/// runs out; `data` is then unchanged.
std::byte* GrowLarge(std::byte* data, size_t old_size_bytes, size_t size_bytes) noexcept;
/// Frees the memory. Some of its pages are cached for the next allocation, marked so that the system may take
/// them at any time.
void FreeLarge(std::byte* data, size_t size_bytes) noexcept;

/// Returns free pages to the system: the cached ones, and those that malloc retains although nothing in them
/// is in use. Call it after freeing a large structure of many small allocations, whose pages would otherwise
/// stay with the thread that made it. Takes milliseconds. Up to `kept_bytes` may stay cached, for a caller
/// that will soon need as much again.
void ReturnFreePages(size_t kept_bytes = 0) noexcept;

}  // namespace scaup
