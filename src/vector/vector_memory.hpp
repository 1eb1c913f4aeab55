// A per-thread cache of vector memory: a statement that reads one row would otherwise allocate 16 KiB per
// column.
#pragma once

#include <cstddef>

#include "vector/selection_vector.hpp"

namespace scaup {

/// The space for string bytes that follows 16-byte values (StringRef), so that the strings of a single row
/// need no further allocation.
inline constexpr size_t kStringRoomBytes = 512;
constexpr size_t VectorMemoryBytes(size_t value_bytes) {
  return kVectorSize * value_bytes + (value_bytes == 16 ? kStringRoomBytes : 0);
}

/// Allocates VectorMemoryBytes(value_bytes) bytes: kVectorSize values of `value_bytes` (1, 2, 4, 8 or 16)
/// each, aligned to 64 bytes and not initialized. Reuses memory that this thread has cached. Throws
/// std::bad_alloc.
std::byte* TakeVectorMemory(size_t value_bytes);
/// Frees memory of TakeVectorMemory, on any thread. The thread caches at most kKeptVectorBytes until it ends.
void GiveBackVectorMemory(std::byte* memory, size_t value_bytes) noexcept;

inline constexpr size_t kKeptVectorBytes = 512 * 1024;

}  // namespace scaup
