// Reads listed rows of a table, and keeps those that a view sees and that pass some filters.
#pragma once

#include <span>
#include <vector>

#include "storage/scan/table_scan.hpp"
#include "storage/snapshot/row_fetcher.hpp"

namespace scaup {

/// Does to rows whose numbers are known what TableScan does to blocks. One thread.
class FilteredFetcher {
 public:
  /// `more_columns`: of the table, to be read besides what the specification wants.
  FilteredFetcher(TableView view, TableColumns table_columns, TableScanSpecification specification,
                  const KernelTable& kernels, std::span<const size_t> more_columns = {});

  /// Reads those of `listed` that the view sees: numbers that ascend, though some may repeat; at most 1024.
  /// Writes to `passing` which of the rows that were read pass the filters, and returns how many do.
  size_t Fetch(std::span<const RowNumber> listed, sel_t* passing);
  /// The number of rows that were read last, and the place in `listed` that row `i` is from.
  size_t row_count() const { return rows_.size(); }
  size_t ListedAt(size_t i) const { return listed_at_[i]; }
  /// A column of theirs, flat.
  Vector& ColumnOf(size_t column);
  /// Makes `output` (after Release) the rows selection[0 .. count) of them, with the wanted columns; it
  /// shares their memory, which is not written again.
  void Give(const SelectionRef& selection, size_t count, DataChunk& output);
  const TableScanSpecification& specification() const { return specification_; }

 private:
  TableColumns table_columns_;
  TableScanSpecification specification_;
  const KernelTable& kernels_;
  std::vector<size_t> fetched_;  // Columns that are read: wanted ones, then those of filters, then others.
  std::vector<LogicalType> fetched_types_;
  RowFetcher fetcher_;
  DataChunk chunk_;
  std::vector<RowNumber> rows_;
  std::vector<sel_t> listed_at_;
};

}  // namespace scaup
