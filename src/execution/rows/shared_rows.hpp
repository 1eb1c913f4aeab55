// Shared rows: the rows of a part of a plan, kept to be read by several scans of the same query.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "execution/rows/spillable_rows.hpp"

namespace scaup {

/// Rows in the order of their source. Immutable once made, but for where they lie.
class MaterializedRows {
 public:
  /// Runs a prepared plan to its end, in parallel, and keeps its rows.
  static std::shared_ptr<const MaterializedRows> Collect(QueryContext& context, const PhysicalOperator& input,
                                                         SharedState& input_shared, OperatorProfile& profile);
  /// Keeps finished rows, in their order.
  MaterializedRows(QueryContext& context, std::unique_ptr<SpillableRows> rows);

  size_t row_count() const { return row_count_; }
  size_t piece_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }

 private:
  /// Rows of one batch that a task collected one after the other.
  struct Run {
    uint64_t batch;
    size_t part;
    uint64_t first_row;
    uint64_t row_count;
    uint64_t begin = 0;  // Among all rows.
  };
  friend class KeptRowsReader;
  friend class KeptRowsSink;
  explicit MaterializedRows(QueryContext& context) : runs_memory_(context.memory()) {}

  std::vector<std::unique_ptr<SpillableRows>> parts_;  // Of a task each.
  MemoryReservation runs_memory_;
  std::vector<Run> runs_;  // By batch. Empty where one part has all rows in order.
  size_t row_count_ = 0;
};

/// Reads kept rows. One thread at a time; holds a piece of each part in memory, until Release.
class KeptRowsReader {
 public:
  KeptRowsReader() = default;
  explicit KeptRowsReader(std::shared_ptr<const MaterializedRows> rows);

  const MaterializedRows& rows() const { return *rows_; }
  const std::shared_ptr<const MaterializedRows>& shared_rows() const { return rows_; }
  /// Rows [1024 * piece, ...) of the given columns, which stay as long as the output refers to them.
  void Read(size_t piece, const std::vector<size_t>& columns, DataChunk& output);
  /// Nothing is read for now.
  void Release() { held_.clear(); }

 private:
  /// Rows of a piece of a part, which stand together.
  struct Range {
    RowsPiece piece;
    size_t first_row;  // In the piece.
    size_t row_count;
  };
  std::vector<Range> RangesOf(uint64_t begin, size_t count);
  const RowsPiece& Hold(size_t part, size_t piece);

  struct Held {
    size_t index = 0;
    RowsPiece piece;
  };
  std::shared_ptr<const MaterializedRows> rows_;
  std::vector<Held> held_;  // By part.
};

/// Rows that the scans of a share read. Thread-safe.
class SharedRows {
 public:
  using Fill = std::function<std::shared_ptr<const MaterializedRows>()>;
  /// `fill` is called once, by the first scan that is made ready.
  explicit SharedRows(Fill fill) : fill_(std::move(fill)) {}
  /// Rows that are there already, and may be replaced between two runs of a plan that reads them.
  explicit SharedRows(std::shared_ptr<const MaterializedRows> rows) : rows_(std::move(rows)) {}

  const std::shared_ptr<const MaterializedRows>& Rows();
  void Replace(std::shared_ptr<const MaterializedRows> rows) { rows_ = std::move(rows); }

 private:
  std::mutex mutex_;
  Fill fill_;
  std::shared_ptr<const MaterializedRows> rows_;
};

}  // namespace scaup
