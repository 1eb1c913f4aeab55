// Spillable rows: rows that are kept for later, in memory as long as nobody needs that more.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "execution/rows/column_collection.hpp"
#include "execution/run/physical_operator.hpp"
#include "storage/buffer/temporary_file.hpp"

namespace scaup {

/// Up to 1024 rows of SpillableRows. They stay in memory as long as it lives, or what was read of it: not
/// long, as nobody else gets that memory. A value; one thread at a time.
class RowsPiece {
 public:
  RowsPiece() = default;
  bool is_empty() const { return row_count_ == 0; }
  size_t row_count() const { return row_count_; }
  /// Whether it had to be read from storage.
  bool is_read() const { return chunk_ != nullptr; }
  /// Makes `result` refer to a column.
  void ReadColumn(size_t column, Vector& result) const;
  /// result[offset + i] = column[begin + i] for flat `result` after Reset(), whose long strings are not
  /// copied: `memory` keeps them.
  void CopyRange(size_t column, size_t begin, size_t count, Vector& result, size_t offset) const;
  /// result[offset + i] = column[rows[i]], likewise.
  void Gather(size_t column, const sel_t* rows, size_t count, Vector& result, size_t offset = 0) const;
  const std::shared_ptr<const void>& memory() const { return memory_; }

 private:
  friend class SpillableRows;
  UnifiedView View(size_t column) const;

  std::shared_ptr<const void> memory_;
  const ColumnCollection* collection_ = nullptr;  // Null: it was read from storage.
  const DataChunk* chunk_ = nullptr;
  size_t index_ = 0;
  size_t row_count_ = 0;
};

/// Why rows could not be written: the reason for whoever misses the memory that they hold. Thread-safe.
class SpillFailure {
 public:
  /// With the exception that is handled.
  void Note() noexcept {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  /// Throws what was noted, if anything was.
  void Rethrow() const {
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  mutable std::mutex mutex_;
  std::exception_ptr error_;
};

/// Rows that one thread appends; afterwards any number may read pieces of them, at random. Whoever reserves
/// memory that is not there gets theirs, block by block, the oldest first: it goes to temporary storage. So
/// they give way to all that is at work, and need nothing but the block that is being filled.
///
/// As a reclaimer it holds its own mutex only while it hands out references and writes: nobody reserves under
/// it. Must not outlive the context's memory account and temporary storage; what was read may.
class SpillableRows final : private MemoryReclaimer {
 public:
  /// `failure`: shared with others that collect rows of the same input. `block_bytes`: from so many on a
  /// block is whole; 0: a small part of what a thread has.
  SpillableRows(QueryContext& context, std::vector<LogicalType> types,
                std::shared_ptr<SpillFailure> failure = std::make_shared<SpillFailure>(),
                size_t block_bytes = 0);
  ~SpillableRows() override;
  SpillableRows(const SpillableRows&) = delete;
  SpillableRows& operator=(const SpillableRows&) = delete;

  /// Throws Error(kOutOfMemory, 53200) where a block does not fit beside all that cannot give way, and what
  /// the storage throws.
  void Append(DataChunk& chunk);
  /// Nobody appends any more.
  void Finish();

  uint64_t row_count() const { return row_count_; }
  size_t piece_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  const std::vector<LogicalType>& types() const { return types_; }
  /// After Finish: the rows [1024 * index, ...).
  RowsPiece Piece(size_t index) const;
  /// After Finish: adds all blocks, which are not written as long as somebody holds them. False, and nothing
  /// is added, where some have been.
  bool HoldBlocks(std::vector<std::shared_ptr<const ColumnCollection>>& held) const;
  /// Whether no piece has to be read from storage; true may be out of date at once.
  bool is_in_memory() const { return !has_spilled_.load(std::memory_order_relaxed); }

 private:
  /// Whole pieces, but for the last of all.
  struct Block {
    std::shared_ptr<ColumnCollection> rows;  // Null: they have been written.
    std::vector<TemporarySlot> slots;        // Of a piece each.
    size_t first_piece;
  };

  size_t Reclaim(size_t wanted_bytes) noexcept override;
  size_t reclaimable_bytes() const noexcept override;
  void BeginBlock();
  bool IsWhole() const;
  void EndBlock();
  /// With the mutex: writes a block that nobody reads, and returns what that frees.
  size_t Spill(Block& block);

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  TemporaryStorage& storage_;
  const std::shared_ptr<SpillFailure> failure_;
  const size_t block_bytes_;
  const bool is_forced_;  // Tests have all of it written.
  std::shared_ptr<ColumnCollection> filling_;
  uint64_t row_count_ = 0;
  size_t appended_bytes_ = 0;  // Of whole blocks.
  bool is_reclaimer_ = false;
  std::atomic<bool> has_spilled_{false};

  mutable std::mutex mutex_;  // Guards what follows.
  std::vector<Block> blocks_;
  size_t first_in_memory_ = 0;   // Blocks before have been written.
  size_t unreturned_bytes_ = 0;  // Freed, but malloc may still hold them.
};

/// Collects the rows of one task.
class SpillableRowsSink final : public ChunkSink {
 public:
  SpillableRowsSink(QueryContext& context, const std::vector<LogicalType>& types)
      : rows(std::make_unique<SpillableRows>(context, types)) {}
  void Consume(DataChunk& chunk) override { rows->Append(chunk); }
  void Finish() override { rows->Finish(); }

  std::unique_ptr<SpillableRows> rows;
};

}  // namespace scaup
