// The cache of the file's blocks: pins, eviction and read-ahead within the database's memory limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/memory/memory_tracker.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

/// A block in memory. Immutable. It lives, and its memory is accounted, as long as anyone holds a pin.
class CachedBlock {
 public:
  virtual ~CachedBlock() = default;
  std::span<const std::byte> bytes() const { return bytes_; }

 protected:
  std::span<const std::byte> bytes_;
};
using PinnedBlock = std::shared_ptr<const CachedBlock>;

/// Counters since the database was opened.
struct BufferStatistics {
  uint64_t hits = 0;
  uint64_t misses = 0;  ///< reads that a query waited for
  uint64_t prefetched = 0;
  uint64_t evicted = 0;
  size_t cached_bytes = 0;
  size_t pinned_bytes = 0;
};

/// Caches blocks of one database file in the memory that the limit leaves. Thread-safe. Owned by the
/// database; pins may outlive it.
class BufferManager {
 public:
  BufferManager(BlockSource& source, MemoryTracker& memory);
  ~BufferManager();
  BufferManager(const BufferManager&) = delete;
  BufferManager& operator=(const BufferManager&) = delete;

  /// Returns the block, and reads it if it is not cached. Throws what BlockSource throws, and
  /// Error(kOutOfMemory) if other users have all memory and nothing can be evicted.
  PinnedBlock Pin(const BlockPointer& pointer);
  /// Asks a background thread to read blocks that will soon be needed. The thread reads blocks as long as
  /// memory is free or can be had by eviction. Never fails.
  void Prefetch(std::span<const BlockPointer> pointers);
  /// Puts a block that has just been written into the cache if memory is free.
  void Put(const BlockPointer& pointer, std::span<const std::byte> bytes);
  /// Removes a block whose place in the file is reused.
  void Drop(uint64_t block_id);
  /// Removes all blocks that are not pinned, for tests and benchmarks.
  void Clear();
  BufferStatistics statistics() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace scaup
