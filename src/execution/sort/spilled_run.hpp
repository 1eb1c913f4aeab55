// Spilled runs: sorted runs in temporary storage, stored as stretches of blocks, with an index in memory.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "common/byte_stream.hpp"
#include "execution/sort/sort_key.hpp"
#include "storage/buffer/temporary_file.hpp"

namespace scaup {

class MemoryUse;

/// Up to 1024 rows of a sorted run, in order, as flat vectors.
struct SpilledBlock {
  size_t row_count() const { return rows.size(); }
  const std::byte* KeyOf(size_t row, size_t key_bytes) const { return keys.data() + row * key_bytes; }
  /// Returns a key that is a string.
  StringRef StringOf(const SortSchema& schema, size_t key, size_t row) const {
    return rows.column(schema.key_columns[key]).Data<StringRef>()[row];
  }

  DataChunk rows;
  std::vector<std::byte> keys;  ///< normalized
};

/// A run in temporary storage. A stretch is several blocks in one slot, which is read at once. A slot is
/// freed when the run is destroyed, or when its last reader has released it. Movable. One thread at a time;
/// once the readers have been registered, any number of threads may read and release.
///
/// The index (keys and row counts) is part of the merge's memory; it is a few thousandths of the run.
struct SpilledRun {
  size_t stretch_count() const { return slots.size(); }
  uint64_t row_count() const { return first_rows.back(); }
  /// Returns the stretch that contains a row. REQUIRES: row < row_count().
  size_t StretchOf(uint64_t row) const;
  const std::byte* FirstKey(size_t stretch, size_t key_bytes) const {
    return first_keys.data() + stretch * key_bytes;
  }
  size_t IndexBytes() const;

  /// Registers no readers at first. AddReader must be called for all readers before any of them reads.
  void MakeReaders();
  void AddReader(uint64_t begin, uint64_t end);
  void ReleaseUnread();
  /// Unregisters a reader for the stretches with rows in [begin, end), which it will not read.
  void RemoveReader(uint64_t begin, uint64_t end);
  void Release(size_t stretch);

  std::vector<TemporarySlot> slots;
  std::vector<uint64_t> first_rows{0};  ///< of each stretch, followed by the row count
  std::vector<std::byte> first_keys;    ///< normalized, of each stretch
  std::vector<std::byte> last_key;
  std::unique_ptr<std::atomic<uint32_t>[]> readers;  ///< of each stretch; null if not counted
  size_t rows_per_block = 0;
  size_t most_block_bytes = 0;    ///< the most that the rows of a block take in memory
  size_t most_stretch_bytes = 0;  ///< of stretches with several blocks
};

/// Writes one run. One thread at a time.
class SpilledRunWriter {
 public:
  /// Borrows all arguments. `use`, if not null, counts what is written.
  SpilledRunWriter(TemporaryStorage& storage, MemoryUse* use, const SortSchema& schema, size_t rows_per_block,
                   size_t memory_bytes);
  /// The number of rows of a block, for rows of about `row_bytes`. Blocks are small because a merge holds one
  /// block of each run.
  static size_t RowsPerBlock(size_t row_bytes, size_t memory_bytes);
  static size_t BlockBytes(size_t memory_bytes);
  size_t rows_per_block() const { return run_.rows_per_block; }
  /// Appends at most rows_per_block() rows, flat and in order.
  void Write(DataChunk& rows);
  SpilledRun Take();

 private:
  void EndStretch();

  TemporaryStorage& storage_;
  MemoryUse* const use_;
  const SortSchema& schema_;
  const size_t wanted_stretch_bytes_;
  ByteWriter bytes_;
  uint64_t row_count_ = 0;
  size_t block_count_ = 0;  // Of the stretch.
  SpilledRun run_;
};

/// Reads the rows [begin, end) of a run, block by block. One thread at a time; the run must outlive it.
class SpilledRunReader {
 public:
  /// With `releases`, it is one of the run's registered readers.
  SpilledRunReader(TemporaryStorage& storage, const SortSchema& schema, SpilledRun& run, uint64_t begin,
                   uint64_t end, bool releases = true);
  /// Reads the next block; false at the end. Passes on the errors of the storage.
  bool Next();
  const std::shared_ptr<const SpilledBlock>& block() const { return block_; }
  /// The range of the block's rows that belongs to [begin, end).
  size_t first_in_block() const { return first_in_block_; }
  size_t end_in_block() const { return end_in_block_; }
  /// The position of the block's first row in the run.
  uint64_t block_row() const { return next_row_ - block_->row_count(); }

 private:
  void ReadStretch();
  /// Makes the chunk that `reader` is at the current block.
  void Load(ByteReader& reader, uint64_t first_row);

  TemporaryStorage& storage_;
  const SortSchema& schema_;
  SpilledRun& run_;
  uint64_t begin_;
  uint64_t end_;
  bool releases_;
  size_t stretch_ = 0;
  std::unique_ptr<std::byte[]> bytes_;  // The current stretch; null if not yet read.
  size_t offset_ = 0;                   // Offset of the next block.
  uint64_t next_row_ = 0;               // Position of the next block's first row.
  std::shared_ptr<const SpilledBlock> block_;
  size_t first_in_block_ = 0;
  size_t end_in_block_ = 0;
};

}  // namespace scaup
