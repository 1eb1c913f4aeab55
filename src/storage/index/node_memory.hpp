// NodeMemory: the memory of a radix tree's nodes, accounted before it is used.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "common/memory/memory_tracker.hpp"

namespace scaup {

/// Allocates nodes from chunks, with a free list for each size; large nodes come from malloc. All nodes can
/// be freed at once. When nodes are freed one by one, the chunks stay until the last node is freed. Owned by
/// one tree. Reserve may be called by any thread, the other functions by one thread at a time.
class NodeMemory {
 public:
  explicit NodeMemory(MemoryTracker& tracker) : tracker_(tracker) {}
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// Reserves memory for later allocations; throws Error(kOutOfMemory). Do not call it under the tree's lock:
  /// a reclaimer that frees memory for it may want that lock.
  void Reserve(size_t size_bytes);
  /// Allocates a node; the result is aligned to 16 bytes. Returns null if too little is reserved or the
  /// system has no memory.
  std::byte* Allocate(size_t size_bytes) noexcept;
  /// Returns the bytes to reserve so that Allocate succeeds, unless the system has no memory.
  size_t MissingBytes(size_t size_bytes) const;
  /// Returns whether a node of this size comes from malloc.
  static bool IsLarge(size_t size_bytes) { return size_bytes > kMostSmallBytes; }
  bool HasReserved(size_t size_bytes) const { return unused_bytes_.load() >= size_bytes; }
  void Free(void* piece, size_t size_bytes) noexcept;
  /// Frees all nodes.
  void FreeAll() noexcept;
  /// Returns the bytes of all chunks and large nodes.
  size_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

 private:
  struct Chunk {
    Chunk* next;
    size_t size_bytes;
  };
  struct LargePiece {  // stands before the node
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
  std::atomic<size_t> unused_bytes_{0};  // reserved but not used
  size_t piece_count_ = 0;               // allocated nodes
  Chunk* chunks_ = nullptr;
  LargePiece* large_ = nullptr;
  std::byte* cursor_ = nullptr;  // the rest of the newest chunk
  std::byte* end_ = nullptr;
  std::array<FreePiece*, kMostSmallBytes / kAlignment + 1> free_{};  // by size class
};

/// The new nodes of one change, allocated together before the tree is changed. Nodes that were not taken are
/// freed.
class NewNodes {
 public:
  static constexpr size_t kMostNodes = 4;
  /// A size of 0 means no node. Throws Error(kOutOfMemory) if the system has no memory.
  NewNodes(NodeMemory& memory, const std::array<size_t, kMostNodes>& sizes);
  ~NewNodes();
  NewNodes(const NewNodes&) = delete;
  NewNodes& operator=(const NewNodes&) = delete;

  /// Returns 0 if all nodes were allocated; else the bytes to reserve at least before another attempt.
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
