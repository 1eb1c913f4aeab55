// The cache of the file's blocks: pins, eviction, read-ahead, all within the database's memory limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/memory/memory_tracker.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

/// A block in memory. Immutable; alive, and its memory accounted, as long as anybody holds it.
class CachedBlock {
 public:
  virtual ~CachedBlock() = default;
  std::span<const std::byte> bytes() const { return bytes_; }

 protected:
  std::span<const std::byte> bytes_;
};
using PinnedBlock = std::shared_ptr<const CachedBlock>;

/// Counts since the database was opened.
struct BufferStatistics {
  uint64_t hits = 0;
  uint64_t misses = 0;  ///< reads that a query waited for
  uint64_t prefetched = 0;
  uint64_t evicted = 0;
  size_t cached_bytes = 0;
  size_t pinned_bytes = 0;
};

/// Keeps blocks of one database file in what memory the limit leaves. Thread-safe. Owned by the database;
/// pins may outlive it.
class BufferManager {
 public:
  BufferManager(BlockSource& source, MemoryTracker& memory);
  ~BufferManager();
  BufferManager(const BufferManager&) = delete;
  BufferManager& operator=(const BufferManager&) = delete;

  /// The block, read if it is not there. Throws what BlockSource throws, and Error(kOutOfMemory) when all
  /// memory is in use by others and nothing can be evicted.
  PinnedBlock Pin(const BlockPointer& pointer);
  /// Asks for blocks that will be wanted soon: a background thread reads those that are not there while
  /// memory is free or can be had by evicting; never fails.
  void Prefetch(std::span<const BlockPointer> pointers);
  /// Puts a block that has just been written into the cache, if memory is free.
  void Put(const BlockPointer& pointer, std::span<const std::byte> bytes);
  /// Forgets a block whose place in the file is given to something else.
  void Drop(uint64_t block_id);
  /// Drops everything that is not pinned (for tests and benchmarks).
  void Clear();
  BufferStatistics statistics() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace scaup
