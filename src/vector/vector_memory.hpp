// Memory of vectors, kept for the next ones: a statement that reads one row would otherwise ask the system
// for 16 KiB per column, and give them back.
#pragma once

#include <cstddef>

#include "vector/selection_vector.hpp"

namespace scaup {

/// Behind values of 16 bytes, which strings are, there is room for the bytes of some: that of a single row
/// needs no more memory.
inline constexpr size_t kStringRoomBytes = 512;
constexpr size_t VectorMemoryBytes(size_t value_bytes) {
  return kVectorSize * value_bytes + (value_bytes == 16 ? kStringRoomBytes : 0);
}

/// VectorMemoryBytes(value_bytes): room for kVectorSize values of `value_bytes` (1, 2, 4, 8 or 16) each,
/// aligned to 64 bytes and not initialized: what this thread gave back before, if there is any. Throws
/// std::bad_alloc.
std::byte* TakeVectorMemory(size_t value_bytes);
/// Gives back what TakeVectorMemory gave, in any thread. The thread keeps at most kKeptVectorBytes, until it
/// ends; the rest is freed.
void GiveBackVectorMemory(std::byte* memory, size_t value_bytes) noexcept;

inline constexpr size_t kKeptVectorBytes = 512 * 1024;

}  // namespace scaup
