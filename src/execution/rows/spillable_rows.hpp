// Spillable rows: rows that stay in memory until the memory is needed elsewhere, and are then spilled.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <vector>

#include "common/check.hpp"
#include "common/lock/mutex.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/rows/spilled_chunks.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// A handle to up to 1024 rows of SpillableRows. The rows are pinned in memory as long as the handle, or a
/// vector that was read from it, lives. Keep it for a short time only: pinned memory cannot be reclaimed. A
/// value; one thread at a time.
class RowsPiece {
 public:
  RowsPiece() = default;
  bool is_empty() const { return row_count_ == 0; }
  size_t row_count() const { return row_count_; }
  /// Whether the rows were read from temporary storage.
  bool is_read() const { return chunk_ != nullptr; }
  /// Makes `result` refer to a column.
  void ReadColumn(size_t column, Vector& result) const;
  /// result[offset + i] = column[begin + i], for a flat `result` after Reset(). Long strings are not copied;
  /// memory() owns them.
  void CopyRange(size_t column, size_t begin, size_t count, Vector& result, size_t offset) const;
  /// result[offset + i] = column[rows[i]], likewise.
  void Gather(size_t column, const sel_t* rows, size_t count, Vector& result, size_t offset = 0) const;
  const std::shared_ptr<const void>& memory() const { return memory_; }

 private:
  friend class SpillableRows;
  UnifiedView View(size_t column) const;

  std::shared_ptr<const void> memory_;
  const ColumnCollection* collection_ = nullptr;  // Null if the rows were read from storage.
  const DataChunk* chunk_ = nullptr;
  size_t index_ = 0;
  size_t row_count_ = 0;
};

/// The reason why rows could not be spilled, to be reported when their memory is missed. Thread-safe.
class SpillFailure {
 public:
  /// Records the exception that is currently handled.
  void Note() noexcept {
    const MutexLock lock(mutex_);
    error_ = std::current_exception();
  }
  /// Throws the recorded exception, if there is one.
  void Rethrow() const {
    const MutexLock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  mutable Mutex mutex_;
  std::exception_ptr error_ SCAUP_GUARDED_BY(mutex_);
};

/// Rows that one thread appends; after Finish any number of threads may read pieces of them at random. When a
/// memory reservation fails, the reclaimer spills these rows to temporary storage block by block, oldest
/// first. So the rows need no memory of their own but the block that is being filled.
///
/// As a memory reclaimer it holds its mutex only while it hands out references and writes; no reservation is
/// made under the mutex. The object must not outlive the context's memory account and temporary storage; what
/// was read from it may.
class SpillableRows final : private MemoryReclaimer {
 public:
  /// `failure` is shared with other collections of the same input. A block is complete from `block_bytes` on;
  /// 0 means a small part of a thread's share of the memory.
  SpillableRows(QueryContext& context, std::vector<LogicalType> types,
                std::shared_ptr<SpillFailure> failure = std::make_shared<SpillFailure>(),
                size_t block_bytes = 0);
  ~SpillableRows() override;
  SpillableRows(const SpillableRows&) = delete;
  SpillableRows& operator=(const SpillableRows&) = delete;

  /// Throws Error(kOutOfMemory, 53200) if a block does not fit beside the memory that cannot be reclaimed,
  /// and passes on the errors of the temporary storage.
  void Append(DataChunk& chunk);
  /// Ends appending.
  void Finish();

  uint64_t row_count() const { return row_count_; }
  /// The bytes that all rows took in memory before they were spilled. REQUIRES: Finish was called.
  size_t size_bytes() const {
    SCAUP_ASSERT(filling_ == nullptr);
    return appended_bytes_;
  }
  size_t piece_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  const std::vector<LogicalType>& types() const { return types_; }
  /// Returns the rows [1024 * index, ...). REQUIRES: Finish was called.
  RowsPiece Piece(size_t index) const;
  /// Makes `output` these rows, which it pins.
  void Read(size_t index, DataChunk& output) const;
  /// Appends all blocks to `held`; a block is not spilled as long as a reference to it lives. Returns false
  /// and appends nothing if some blocks have been spilled. REQUIRES: Finish was called.
  bool HoldBlocks(std::vector<std::shared_ptr<const ColumnCollection>>& held) const;
  /// Whether all pieces are in memory. A result of true may be outdated at once.
  bool is_in_memory() const { return !has_spilled_.load(std::memory_order_relaxed); }

 private:
  /// A run of full pieces; only the last piece of the last block may be partly filled.
  struct Block {
    std::shared_ptr<ColumnCollection> rows;  // Null once spilled.
    SpilledChunks spilled;                   // One for each piece, once spilled.
    size_t first_piece;
    size_t piece_count;
  };

  size_t Reclaim(size_t wanted_bytes) noexcept override;
  size_t reclaimable_bytes() const noexcept override {
    return bytes_in_memory_.load(std::memory_order_relaxed);
  }
  void BeginBlock();
  bool IsWhole() const;
  void EndBlock();
  size_t ReturnBytes() const;
  /// Writes a block that has no readers, and returns the bytes that this frees. REQUIRES: the mutex is held.
  size_t Spill(Block& block) SCAUP_REQUIRES_LOCK(mutex_);

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  TemporaryStorage& storage_;
  const std::shared_ptr<SpillFailure> failure_;
  const size_t block_bytes_;
  const bool is_forced_;  // Set by tests: all blocks are spilled.
  std::shared_ptr<ColumnCollection> filling_;
  uint64_t row_count_ = 0;
  size_t appended_bytes_ = 0;  // Bytes of complete blocks.
  bool is_reclaimer_ = false;
  std::atomic<bool> has_spilled_{false};
  std::atomic<size_t> bytes_in_memory_{0};  // Of complete blocks.

  mutable Mutex mutex_;
  std::vector<Block> blocks_ SCAUP_GUARDED_BY(mutex_);
  size_t first_in_memory_ SCAUP_GUARDED_BY(mutex_) = 0;   // All blocks before it are spilled.
  size_t unreturned_bytes_ SCAUP_GUARDED_BY(mutex_) = 0;  // Freed, but possibly still held by malloc.
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
