// Sorted runs in temporary storage, stretch by stretch, and what is remembered of them.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "common/byte_stream.hpp"
#include "execution/sort/sort_key.hpp"
#include "storage/buffer/temporary_file.hpp"

namespace scaup {

/// Up to 1024 rows of a sorted run, in order, flat. Refers to the stretch it was read from, and keeps it.
struct SpilledBlock {
  explicit SpilledBlock(const SortSchema& schema) : rows(schema.types) {}

  size_t row_count() const { return rows.size(); }
  const std::byte* KeyOf(size_t row, size_t key_bytes) const { return keys.data() + row * key_bytes; }
  /// A key that is a string.
  StringRef StringOf(const SortSchema& schema, size_t key, size_t row) const {
    return rows.column(schema.key_columns[key]).Data<StringRef>()[row];
  }

  DataChunk rows;
  std::vector<std::byte> keys;                  ///< normalized
  std::vector<std::vector<StringRef>> strings;  ///< of columns of strings, one after the other
};

/// A run that has been written: stretches of several blocks, each in a slot that is read at once. Movable;
/// its place is free again when it dies, or when nobody needs it any more, stretch by stretch. One thread at
/// a time; once readers are counted, any number may read and release.
///
/// The index (keys, rows) counts among the memory of the merge: it is some thousandth of the run.
struct SpilledRun {
  size_t stretch_count() const { return slots.size(); }
  uint64_t row_count() const { return first_rows.back(); }
  /// The stretch that has a row. REQUIRES: row < row_count().
  size_t StretchOf(uint64_t row) const;
  const std::byte* FirstKey(size_t stretch, size_t key_bytes) const {
    return first_keys.data() + stretch * key_bytes;
  }
  size_t IndexBytes() const;

  /// Before anybody reads: so many will release each stretch. None do at first.
  void MakeReaders();
  void AddReader(uint64_t begin, uint64_t end);
  void ReleaseUnread();
  /// One reader of each stretch with rows of [begin, end) will not read it.
  void RemoveReader(uint64_t begin, uint64_t end);
  void Release(size_t stretch);

  std::vector<TemporarySlot> slots;
  std::vector<uint64_t> first_rows{0};  ///< of each stretch, and behind them how many rows there are
  std::vector<std::byte> first_keys;    ///< normalized, of each stretch
  std::vector<std::byte> last_key;
  std::unique_ptr<std::atomic<uint32_t>[]> readers;  ///< of each stretch; null: not counted
  size_t rows_per_block = 0;
  size_t most_stretch_bytes = 0;
};

/// Writes one run. One thread at a time.
class SpilledRunWriter {
 public:
  /// Borrows the storage and the schema.
  SpilledRunWriter(TemporaryStorage& storage, const SortSchema& schema, size_t rows_per_block,
                   size_t memory_bytes);
  /// How many rows of about `row_bytes` a block has: a merge holds a block of each run, so they are small.
  static size_t RowsPerBlock(size_t row_bytes, size_t memory_bytes);
  size_t rows_per_block() const { return run_.rows_per_block; }
  /// At most rows_per_block() rows, flat, which come behind those before.
  void Write(DataChunk& rows);
  SpilledRun Take();

 private:
  void EndStretch();

  TemporaryStorage& storage_;
  const SortSchema& schema_;
  const size_t wanted_stretch_bytes_;
  ByteWriter bytes_;
  uint64_t row_count_ = 0;
  SpilledRun run_;
};

/// Reads the rows [begin, end) of a run, block by block. One thread at a time; the run outlives it.
class SpilledRunReader {
 public:
  /// With `releases`, it is one of the run's readers.
  SpilledRunReader(TemporaryStorage& storage, const SortSchema& schema, SpilledRun& run, uint64_t begin,
                   uint64_t end, bool releases = true);
  /// The next block; false, and there is none, at the end. Throws what the storage throws.
  bool Next();
  const std::shared_ptr<const SpilledBlock>& block() const { return block_; }
  /// Which of the block's rows are among those to be read.
  size_t first_in_block() const { return first_in_block_; }
  size_t end_in_block() const { return end_in_block_; }
  /// The number of the block's first row in the run.
  uint64_t block_row() const { return next_row_ - block_->row_count(); }

 private:
  void ReadStretch();

  TemporaryStorage& storage_;
  const SortSchema& schema_;
  SpilledRun& run_;
  uint64_t begin_;
  uint64_t end_;
  bool releases_;
  size_t stretch_ = 0;
  std::shared_ptr<const std::byte> bytes_;  // Of the stretch; null: it has not been read.
  size_t offset_ = 0;                       // Of the next block.
  uint64_t next_row_ = 0;                   // Its first one.
  std::shared_ptr<const SpilledBlock> block_;
  size_t first_in_block_ = 0;
  size_t end_in_block_ = 0;
};

}  // namespace scaup
