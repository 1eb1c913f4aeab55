// BlockStore: the database file together with the caches that its readers share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "storage/buffer/buffer_manager.hpp"
#include "storage/buffer/metadata_cache.hpp"
#include "storage/file/database_file.hpp"

namespace scaup {

class TemporaryStorage;

/// The database file with its block cache and its metadata cache. Shared by the database and by all row
/// groups in the file. Thread-safe.
class BlockStore {
 public:
  BlockStore(std::unique_ptr<DatabaseFile> file, MemoryTracker& memory)
      : file_(std::move(file)), memory_(memory), buffers_(*file_, memory), metadata_(memory) {}

  DatabaseFile& file() { return *file_; }
  BufferManager& buffers() { return buffers_; }
  /// Asked for memory after the block cache, as its contents cost more to load again.
  MetadataCache& metadata() { return metadata_; }
  MemoryTracker& memory() { return memory_; }
  /// Sets what gives the temporary storage, before the store is shared.
  void SetTemporaryStorage(std::function<std::shared_ptr<TemporaryStorage>()> storage) {
    temporary_storage_ = std::move(storage);
  }
  /// Returns where work on the file spills; null if nothing may.
  std::shared_ptr<TemporaryStorage> temporary_storage() const {
    return temporary_storage_ ? temporary_storage_() : nullptr;
  }

  /// The memory of all parts of indexes that have changed and are not spilled; each index adds its own.
  std::atomic<size_t>& changed_index_bytes() { return changed_index_bytes_; }

  /// Reads bytes [begin, begin + size_bytes) of a run. Also throws Error(kIo, XX001) if the run is shorter.
  std::vector<std::byte> Read(const Extents& extents, uint64_t begin, uint64_t size_bytes);

 private:
  std::unique_ptr<DatabaseFile> file_;
  MemoryTracker& memory_;
  BufferManager buffers_;
  MetadataCache metadata_;
  std::function<std::shared_ptr<TemporaryStorage>()> temporary_storage_;
  std::atomic<size_t> changed_index_bytes_{0};
};

/// Bytes of a run: in place in the cache if they lie in one block, else a copy. `owner` keeps them alive.
struct StoredBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// Reads ranges of a run of bytes; keeps the two blocks read last pinned. Used by one thread at a time.
class ExtentReader {
 public:
  ExtentReader(BlockStore& store, const Extents& extents) : store_(store), extents_(extents) {}
  /// Reads a range. Also throws Error(kIo, XX001) if the run is shorter.
  StoredBytes Read(uint64_t begin, uint64_t size_bytes);
  /// Returns the range in place if it lies in one block; else nullopt. Valid until two other blocks are read.
  std::optional<std::span<const std::byte>> Look(uint64_t begin, uint64_t size_bytes);

 private:
  struct Pinned {
    PinnedBlock block;
    size_t extent = SIZE_MAX;
    uint64_t begin = 0;  // offset of the extent in the run
  };
  /// Pins the extent that has byte `at` of the run; returns null if the run is shorter.
  const Pinned* Pin(uint64_t at);
  [[noreturn]] void ThrowTooShort() const;

  BlockStore& store_;
  const Extents& extents_;
  Pinned pinned_[2];
  size_t last_ = 0;  // the one used last
};

}  // namespace scaup
