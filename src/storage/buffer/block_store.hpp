// The file of a database and the cache of its blocks, as what is stored in them needs it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "storage/buffer/buffer_manager.hpp"
#include "storage/buffer/metadata_cache.hpp"
#include "storage/file/database_file.hpp"

namespace scaup {

/// Shared by the database and by all row groups that are in its file. Thread-safe.
class BlockStore {
 public:
  BlockStore(std::unique_ptr<DatabaseFile> file, MemoryTracker& memory)
      : file_(std::move(file)), memory_(memory), buffers_(*file_, memory), metadata_(memory) {}

  DatabaseFile& file() { return *file_; }
  BufferManager& buffers() { return buffers_; }
  /// Asked for memory after the cache of blocks: what it has costs more to load again.
  MetadataCache& metadata() { return metadata_; }
  MemoryTracker& memory() { return memory_; }

  /// Reads bytes [begin, begin + size_bytes) of a run. Throws Error(kIo, XX001), too, if the run is shorter.
  std::vector<std::byte> Read(const Extents& extents, uint64_t begin, uint64_t size_bytes);

 private:
  std::unique_ptr<DatabaseFile> file_;
  MemoryTracker& memory_;
  BufferManager buffers_;
  MetadataCache metadata_;
};

/// Bytes of a run, in the cache where they lie in one block, else copied.
struct StoredBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// Reads a run of bytes piece by piece; keeps the two blocks that it read last. One thread at a time.
class ExtentReader {
 public:
  ExtentReader(BlockStore& store, const Extents& extents) : store_(store), extents_(extents) {}
  /// Throws Error(kIo, XX001), too, if the run is shorter.
  StoredBytes Read(uint64_t begin, uint64_t size_bytes);
  /// The bytes where they lie in one block; nothing where they do not. Valid until two other blocks are read.
  std::optional<std::span<const std::byte>> Look(uint64_t begin, uint64_t size_bytes);

 private:
  struct Pinned {
    PinnedBlock block;
    size_t extent = SIZE_MAX;
    uint64_t begin = 0;  // Of the extent in the run.
  };
  /// The extent with byte `at` of the run, pinned; null if the run is shorter.
  const Pinned* Pin(uint64_t at);
  [[noreturn]] void ThrowTooShort() const;

  BlockStore& store_;
  const Extents& extents_;
  Pinned pinned_[2];
  size_t last_ = 0;  // Which of them was asked for last.
};

}  // namespace scaup
