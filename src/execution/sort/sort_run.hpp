// A sorted run: the rows that one task collected, with their normalized keys.
#pragma once

#include <memory>
#include <vector>

#include "execution/column_collection.hpp"
#include "execution/sort/sort_key.hpp"
#include "execution/sort/spilled_run.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// One row of a run as sorting sees it: the first eight key bytes as a number, and where the rest is.
struct SortEntry {
  uint64_t head;
  uint64_t row;
};

/// Rows and keys of one task. Appending and sorting are for one thread; afterwards any number may read.
class SortRun {
 public:
  /// Borrows all: the context for its interruption, and for its memory account where `memory` is null.
  SortRun(const SortKeyEncoder& encoder, std::vector<LogicalType> payload_types,
          const FunctionContext& context, MemoryTracker* memory = nullptr);

  /// Adds all rows. `keys` has a column per sort key. With a threshold set, rows that come after it are
  /// dropped.
  void Append(DataChunk& keys, DataChunk& payload);
  /// What Append of these would reserve at most.
  size_t MostAppendBytes(DataChunk& keys, DataChunk& payload) const;
  /// What Truncate would reserve, for a while besides what is there.
  size_t TruncateBytes(size_t count) const;
  /// Orders the rows; equal ones stay as they came.
  void Sort();
  /// Sorts and keeps the first `count` rows; later rows that come after the last of them are dropped by
  /// Append.
  void Truncate(size_t count);
  /// Writes the first `count` rows away, in order, and begins anew; the threshold stays, or is set as by
  /// Truncate.
  SpilledRun Spill(TemporaryStorage& storage, size_t count);

  size_t row_count() const { return payload_->row_count(); }
  const std::vector<SortEntry>& entries() const { return entries_; }
  const ColumnCollection& payload() const { return *payload_; }
  /// Compares row `a` of run `a_run` with row `b` of `b_run`: negative, zero or positive.
  static int Compare(const SortRun& a_run, const SortEntry& a, const SortRun& b_run, const SortEntry& b);
  /// Bytes of all rows and keys.
  size_t size_bytes() const;

 private:
  const std::byte* KeyOf(uint64_t row) const {
    return keys_[row / kVectorSize].get() + (row % kVectorSize) * encoder_.key_bytes();
  }
  StringRef StringOf(size_t string_column, uint64_t row) const;
  void AppendRows(DataChunk& keys, DataChunk& payload, const std::byte* encoded);
  size_t PieceBytes() const;
  void MakeEntries();
  void SetThreshold(uint64_t row);
  void Clear();

  const SortKeyEncoder& encoder_;
  std::vector<LogicalType> payload_types_;
  const FunctionContext& context_;
  MemoryTracker& memory_;
  std::vector<std::unique_ptr<std::byte[]>> keys_;  // In pieces of 1024.
  MemoryReservation reservation_;
  std::unique_ptr<ColumnCollection> payload_;
  std::unique_ptr<ColumnCollection> string_key_values_;  // Of the key columns that are strings.
  size_t string_bytes_ = 0;                              // About what all strings take.
  std::vector<SortEntry> entries_;                       // Made by Sort; reserved from the beginning.
  std::vector<std::byte> threshold_;  // The key of the last row kept by Truncate; empty if there is none.
};

/// Merges sorted runs: the first `limit` rows of all, in order, as CollectionRow(run, row).
std::vector<uint64_t> MergeRuns(const std::vector<const SortRun*>& runs, size_t limit,
                                const FunctionContext& context);

}  // namespace scaup
