// Shared rows: materialized rows of a subplan that several scans of the same query read.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "common/lock/mutex.hpp"
#include "execution/rows/spillable_rows.hpp"

namespace scaup {

/// Materialized rows in the order of their source. Immutable once made, except that blocks may be spilled.
class MaterializedRows {
 public:
  /// Runs a prepared plan to its end, in parallel, and materializes its rows.
  static std::shared_ptr<const MaterializedRows> Collect(QueryContext& context, const PhysicalOperator& input,
                                                         SharedState& input_shared, OperatorProfile& profile);
  /// Takes over finished rows, in their order.
  MaterializedRows(QueryContext& context, std::unique_ptr<SpillableRows> rows);

  size_t row_count() const { return row_count_; }
  size_t piece_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  /// The bytes of all rows, in memory or spilled.
  size_t size_bytes() const;

 private:
  /// Consecutive rows of one batch, collected by one task.
  struct Run {
    uint64_t batch;
    size_t part;
    uint64_t first_row;
    uint64_t row_count;
    uint64_t begin = 0;  // Position of the first row among all rows.
  };
  friend class KeptRowsReader;
  friend class KeptRowsSink;
  explicit MaterializedRows(QueryContext& context) : runs_memory_(context.memory()) {}

  std::vector<std::unique_ptr<SpillableRows>> parts_;  // One for each task.
  MemoryReservation runs_memory_;
  std::vector<Run> runs_;  // Sorted by batch. Empty if one part holds all rows in order.
  size_t row_count_ = 0;
};

/// Reads materialized rows. One thread at a time. Pins one piece of each part in memory until Release.
class KeptRowsReader {
 public:
  KeptRowsReader() = default;
  explicit KeptRowsReader(std::shared_ptr<const MaterializedRows> rows);

  const MaterializedRows& rows() const { return *rows_; }
  const std::shared_ptr<const MaterializedRows>& shared_rows() const { return rows_; }
  /// Reads rows [1024 * piece, ...) of the given columns. They stay valid as long as the output refers to
  /// them.
  void Read(size_t piece, const std::vector<size_t>& columns, DataChunk& output);
  /// Unpins all pieces.
  void Release() { held_.clear(); }

 private:
  /// Consecutive rows of one piece of a part.
  struct Range {
    RowsPiece piece;
    size_t first_row;  // Within the piece.
    size_t row_count;
  };
  std::vector<Range> RangesOf(uint64_t begin, size_t count);
  const RowsPiece& Hold(size_t part, size_t piece);

  /// The pinned piece of a part.
  struct Held {
    size_t index = 0;
    RowsPiece piece;
  };
  std::shared_ptr<const MaterializedRows> rows_;
  std::vector<Held> held_;  // By part.
};

/// The rows that all scans of a shared subplan read. Thread-safe.
class SharedRows {
 public:
  using Fill = std::function<std::shared_ptr<const MaterializedRows>()>;
  /// `fill` is called once, by the first scan that is prepared.
  explicit SharedRows(Fill fill) : fill_(std::move(fill)) {}
  /// Wraps rows that exist already. They may be replaced between two runs of a plan that reads them.
  explicit SharedRows(std::shared_ptr<const MaterializedRows> rows) : rows_(std::move(rows)) {}

  const std::shared_ptr<const MaterializedRows>& Rows();
  void Replace(std::shared_ptr<const MaterializedRows> rows) {
    mutex_.AssertHeld();  // As good as held: no plan is running.
    rows_ = std::move(rows);
  }

 private:
  Mutex mutex_;
  Fill fill_ SCAUP_GUARDED_BY(mutex_);
  std::shared_ptr<const MaterializedRows> rows_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
