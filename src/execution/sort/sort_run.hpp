// Sort run: the rows that one task has collected for sorting, in memory or spilled.
#pragma once

#include <memory>
#include <vector>

#include "common/memory/large_vector.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/sort/sort_key.hpp"
#include "execution/sort/sort_threshold.hpp"
#include "execution/sort/spilled_run.hpp"
#include "function/function_context.hpp"

namespace scaup {

struct QueryContext;

/// Rows of one task in arrival order, and the sorted runs of those that were spilled. One thread appends;
/// afterwards any number of threads may read.
class SortRun {
 public:
  /// Borrows all arguments. The context provides interruption, and the memory account if `memory` is null.
  SortRun(const SortSchema& schema, const FunctionContext& context, MemoryTracker* memory = nullptr);

  /// The bytes that a run of at most 1024 rows takes, without long strings.
  static size_t LeastBytes(const SortSchema& schema);

  /// Adds all rows. If a threshold is set, rows after it are dropped.
  void Append(DataChunk& rows);
  /// An upper bound of the bytes that appending the rows reserves.
  size_t MostAppendBytes(DataChunk& rows) const;
  /// The bytes that Truncate reserves temporarily, in addition to the existing rows.
  size_t TruncateBytes(size_t count) const;
  /// Retains the first `count` rows, sorted by their keys; ties are resolved by arrival order. Append then
  /// drops rows that come after the last of them.
  void Truncate(size_t count);
  /// Sorts and spills the first `count` rows, if there are any, and goes on without rows. The threshold
  /// remains, or is set as by Truncate.
  void Spill(QueryContext& query, size_t count = SIZE_MAX);
  size_t spilled_count() const { return spilled_.size(); }
  bool has_spilled() const { return !spilled_.empty(); }
  /// Appends the spilled runs to `runs`, in the order in which they were spilled.
  void MoveSpilledTo(std::vector<SpilledRun>& runs);

  /// The last row that Truncate or Spill retained, if it dropped any.
  const SortThreshold& threshold() const { return threshold_; }
  size_t row_count() const { return rows_->row_count(); }
  const ColumnCollection& rows() const { return *rows_; }
  /// The bytes of all rows, and of the memory that sorting them takes.
  size_t size_bytes() const { return reservation_.size_bytes() + rows_->size_bytes(); }

 private:
  void AppendAll(DataChunk& rows);
  LargeVector<uint64_t> Order(size_t limit) const;
  void SetThreshold(uint64_t row);
  void Clear();

  const SortSchema& schema_;
  const FunctionContext& context_;
  MemoryTracker& memory_;
  std::unique_ptr<ColumnCollection> rows_;
  MemoryReservation reservation_;  // For sorting.
  size_t string_bytes_ = 0;        // An estimate of the bytes of all strings.
  SortThreshold threshold_;        // The last row retained by Truncate.
  std::vector<SpilledRun> spilled_;
};

}  // namespace scaup
