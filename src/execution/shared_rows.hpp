// Shared rows: the rows of a part of a plan, kept to be read by several scans of the same query.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "execution/column_collection.hpp"
#include "execution/physical_operator.hpp"

namespace scaup {

/// Rows in the order of their source. Immutable once made; chunks that were read keep them alive.
class KeptRows {
 public:
  /// Runs a prepared plan to its end, in parallel, and keeps its rows.
  static std::shared_ptr<const KeptRows> Collect(QueryContext& context, const PhysicalOperator& input,
                                                 SharedState& input_shared, OperatorProfile& profile);
  /// Keeps the rows of one collection.
  explicit KeptRows(ColumnCollection rows);

  size_t row_count() const { return row_count_; }
  size_t piece_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  /// Rows [1024 * piece, ...) of the given columns. `self` is what owns this.
  static void Read(const std::shared_ptr<const KeptRows>& self, size_t piece,
                   const std::vector<size_t>& columns, DataChunk& output);

 private:
  /// Rows of one batch that a task collected one after the other.
  struct Run {
    uint64_t batch;
    size_t collection;
    uint64_t first_row;
    uint64_t row_count;
    uint64_t begin = 0;  // Among all rows.
  };
  friend class KeptRowsSink;
  KeptRows() = default;
  void Finish();

  std::vector<std::unique_ptr<ColumnCollection>> collections_;
  std::vector<const ColumnCollection*> borrowed_;
  std::vector<Run> runs_;  // By batch. Empty where one collection has all rows in order.
  size_t row_count_ = 0;
};

/// What the scans of a share read. Thread-safe.
class SharedRows {
 public:
  using Fill = std::function<std::shared_ptr<const KeptRows>()>;
  /// `fill` is called once, by the first scan that is made ready.
  explicit SharedRows(Fill fill) : fill_(std::move(fill)) {}
  /// Rows that are there already, and may be replaced between two runs of a plan that reads them.
  explicit SharedRows(std::shared_ptr<const KeptRows> rows) : rows_(std::move(rows)) {}

  const std::shared_ptr<const KeptRows>& Rows();
  void Replace(std::shared_ptr<const KeptRows> rows) { rows_ = std::move(rows); }

 private:
  std::mutex mutex_;
  Fill fill_;
  std::shared_ptr<const KeptRows> rows_;
};

}  // namespace scaup
