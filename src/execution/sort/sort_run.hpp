// A run: the rows that one task collected to be sorted, in memory.
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

/// The bytes of strings of some rows that are not inline.
size_t LongStringBytes(DataChunk& rows);

/// Rows of one task, as they came. Appending is for one thread; afterwards any number may read.
class SortRun {
 public:
  /// Borrows all: the context for its interruption, and for its memory account where `memory` is null.
  SortRun(const SortSchema& schema, const FunctionContext& context, MemoryTracker* memory = nullptr);

  /// Adds all rows. With a threshold set, rows that come after it are dropped.
  void Append(DataChunk& rows);
  /// The most bytes that Append of these would reserve.
  size_t MostAppendBytes(DataChunk& rows) const;
  /// The bytes that Truncate would reserve for a while, besides those that are there.
  size_t TruncateBytes(size_t count) const;
  /// Keeps the first `count` rows in the order of their keys, and has them in that order; later rows that
  /// come after the last of them are dropped by Append. Equal rows count as they came.
  void Truncate(size_t count);
  /// Writes the first `count` rows away, in order, and begins anew; the threshold stays, or is set as by
  /// Truncate.
  SpilledRun Spill(QueryContext& query, size_t count = SIZE_MAX);

  size_t row_count() const { return rows_->row_count(); }
  const ColumnCollection& rows() const { return *rows_; }
  /// Bytes of all rows, and of what sorting them takes.
  size_t size_bytes() const { return reservation_.size_bytes() + rows_->size_bytes(); }

 private:
  void AppendAll(DataChunk& rows);
  size_t OrderPieceBytes() const;
  LargeVector<uint64_t> Order(size_t limit) const;
  void SetThreshold(uint64_t row);
  void Clear();

  const SortSchema& schema_;
  const FunctionContext& context_;
  MemoryTracker& memory_;
  std::unique_ptr<ColumnCollection> rows_;
  MemoryReservation reservation_;  // For ordering them.
  size_t string_bytes_ = 0;        // About what all strings take.
  SortThreshold threshold_;        // The last row kept by Truncate.
};

}  // namespace scaup
