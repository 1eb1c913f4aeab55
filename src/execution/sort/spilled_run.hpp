// Sorted runs in temporary storage, block by block.
#pragma once

#include <memory>
#include <vector>

#include "common/byte_stream.hpp"
#include "execution/sort/sort_key.hpp"
#include "storage/buffer/temporary_file.hpp"

namespace scaup {

/// Up to 1024 rows of a sorted run, in order, flat.
struct SpilledBlock {
  SpilledBlock() = default;
  explicit SpilledBlock(const SortSchema& schema) : rows(schema.types) {}
  /// Makes room for `count` rows to be written.
  void Reset(size_t count, const SortSchema& schema);

  size_t row_count() const { return rows.size(); }
  const std::byte* KeyOf(size_t row, size_t key_bytes) const { return keys.data() + row * key_bytes; }
  /// A key that is a string.
  StringRef StringOf(const SortSchema& schema, size_t key, size_t row) const {
    return rows.column(schema.key_columns[key]).Data<StringRef>()[row];
  }

  DataChunk rows;
  std::vector<std::byte> keys;  ///< normalized
};

/// A run that has been written. Movable; its place is free again when it dies.
struct SpilledRun {
  std::vector<TemporarySlot> blocks;
  uint64_t row_count = 0;
  size_t rows_per_block = 0;
  size_t most_block_bytes = 0;  ///< of any block, as it is in the file
};

/// Writes one run. One thread at a time.
class SpilledRunWriter {
 public:
  /// Borrows the storage.
  SpilledRunWriter(TemporaryStorage& storage, size_t rows_per_block);
  /// How many rows of about `row_bytes` a block has: a merge holds a block of each run, so they are small.
  static size_t RowsPerBlock(size_t row_bytes, size_t memory_limit_bytes);
  size_t rows_per_block() const { return run_.rows_per_block; }
  /// `block` has at most rows_per_block() rows.
  void Write(SpilledBlock& block);
  SpilledRun Take() { return std::move(run_); }

 private:
  TemporaryStorage& storage_;
  ByteWriter bytes_;
  SpilledRun run_;
};

/// Reads a block, and gives its place back. Throws what the storage throws.
std::shared_ptr<const SpilledBlock> ReadSpilledBlock(TemporaryStorage& storage, TemporarySlot slot,
                                                     const SortSchema& schema);

}  // namespace scaup
