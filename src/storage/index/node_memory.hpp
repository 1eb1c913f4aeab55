// The memory of a radix tree's nodes, accounted before it is used.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "common/memory/memory_tracker.hpp"

namespace scaup {

/// Pieces of memory out of chunks, with a list of free ones for each size; large pieces are malloc's. All
/// that was handed out can be given back at once. When pieces are freed one by one, their chunks stay until
/// the last is. Owned by one tree. Reserve comes from any thread, all others from one at a time.
class NodeMemory {
 public:
  explicit NodeMemory(MemoryTracker& tracker) : tracker_(tracker) {}
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// Reserves so much for pieces to come; throws Error(kOutOfMemory). Not to be called with the tree's lock:
  /// who frees memory for it may want that.
  void Reserve(size_t size_bytes);
  /// A multiple of 16. Null if too little is reserved, or the system has none.
  std::byte* Allocate(size_t size_bytes) noexcept;
  /// The bytes that must be reserved so that Allocate does not return null, unless the system has no memory.
  size_t MissingBytes(size_t size_bytes) const;
  /// Whether a piece is malloc's.
  static bool IsLarge(size_t size_bytes) { return size_bytes > kMostSmallBytes; }
  bool HasReserved(size_t size_bytes) const { return unused_bytes_.load() >= size_bytes; }
  void Free(void* piece, size_t size_bytes) noexcept;
  /// Frees all pieces.
  void FreeAll() noexcept;
  /// The bytes of all chunks and large pieces.
  size_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

 private:
  struct Chunk {
    Chunk* next;
    size_t size_bytes;
  };
  struct LargePiece {  // Stands before it.
    LargePiece* next;
    LargePiece* previous;
  };
  struct FreePiece {
    FreePiece* next;
  };
  static constexpr size_t kAlignment = 16;
  static constexpr size_t kMostSmallBytes = 1024;
  static_assert(sizeof(Chunk) == kAlignment && sizeof(LargePiece) == kAlignment);

  static size_t ClassOf(size_t size_bytes) { return (size_bytes + kAlignment - 1) / kAlignment; }
  static size_t LargeBytes(size_t size_bytes) { return size_bytes + 2 * kAlignment; }
  size_t NextChunkBytes() const;
  std::byte* AllocateLarge(size_t size_bytes) noexcept;
  bool AddChunk() noexcept;
  void* TakeReserved(size_t size_bytes, size_t accounted_bytes) noexcept;
  void Account(size_t freed_bytes) noexcept;
  void AddFree(std::byte* piece, size_t size_class) noexcept;

  MemoryTracker& tracker_;
  std::atomic<size_t> used_bytes_{0};
  std::atomic<size_t> unused_bytes_{0};  // Reserved, but not in use.
  size_t piece_count_ = 0;               // Handed out.
  Chunk* chunks_ = nullptr;
  LargePiece* large_ = nullptr;
  std::byte* cursor_ = nullptr;  // What is left of the newest chunk.
  std::byte* end_ = nullptr;
  std::array<FreePiece*, kMostSmallBytes / kAlignment + 1> free_{};  // By size class.
};

/// The new nodes of one change, allocated together before anything is changed. Those that were not taken are
/// freed.
class NewNodes {
 public:
  static constexpr size_t kMostNodes = 4;
  /// A size of 0: no node. Throws Error(kOutOfMemory) if the system has no memory.
  NewNodes(NodeMemory& memory, const std::array<size_t, kMostNodes>& sizes);
  ~NewNodes();
  NewNodes(const NewNodes&) = delete;
  NewNodes& operator=(const NewNodes&) = delete;

  /// 0 if all nodes are there; else at least so much must be reserved before it is tried again.
  size_t missing_bytes() const { return missing_bytes_; }
  std::byte* Take(size_t index) {
    std::byte* taken = nodes_[index];
    nodes_[index] = nullptr;
    return taken;
  }

 private:
  NodeMemory& memory_;
  std::array<size_t, kMostNodes> sizes_;
  std::array<std::byte*, kMostNodes> nodes_{};
  size_t missing_bytes_ = 0;
};

}  // namespace scaup
