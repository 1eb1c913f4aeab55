// A per-thread cache of small allocations, for objects of which a statement makes one per column: more at
// once than malloc caches.
#pragma once

#include <cstddef>

namespace scaup {

/// Larger allocations go to malloc.
inline constexpr size_t kMostPieceBytes = 512;

/// Allocates memory aligned as by operator new. Throws std::bad_alloc.
void* TakePiece(size_t size_bytes);
/// Frees memory of TakePiece with the same size, on any thread. The thread caches some pieces of each size
/// until it ends.
void GiveBackPiece(void* piece, size_t size_bytes) noexcept;

/// A base class that allocates its objects from the cache. `Final` has no derived classes.
template <typename Final>
class InPieceCache {
 public:
  static void* operator new(size_t size_bytes) { return TakePiece(size_bytes); }
  static void operator delete(void* piece, size_t size_bytes) noexcept { GiveBackPiece(piece, size_bytes); }
};

/// An allocator for std::allocate_shared.
template <typename T>
struct PieceAllocator {
  using value_type = T;
  PieceAllocator() = default;
  template <typename Other>
  PieceAllocator(const PieceAllocator<Other>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(size_t count) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(TakePiece(count * sizeof(T)));
  }
  void deallocate(T* pieces, size_t count) noexcept { GiveBackPiece(pieces, count * sizeof(T)); }
  template <typename Other>
  bool operator==(const PieceAllocator<Other>&) const {
    return true;
  }
};

}  // namespace scaup
