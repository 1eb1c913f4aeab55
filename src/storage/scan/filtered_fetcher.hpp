// Filtered fetcher: reads listed rows of a table, and drops those that are invisible or fail the filters.
#pragma once

#include <span>
#include <vector>

#include "storage/scan/table_scan.hpp"
#include "storage/snapshot/row_fetcher.hpp"

namespace scaup {

/// Reads rows by their row numbers, with the visibility checks and filters of a TableScan. Used by one thread
/// at a time.
class FilteredFetcher {
 public:
  /// `more_columns` are columns of the table to read in addition to those of the specification.
  FilteredFetcher(TableView view, TableColumns table_columns, TableScanSpecification specification,
                  const KernelTable& kernels, std::span<const size_t> more_columns = {});

  /// Reads the rows of `listed` that the view sees. Writes to `passing` the positions of those that pass the
  /// filters, counted among the rows that were read, and returns their number. REQUIRES: `listed` is
  /// ascending, possibly with repetitions, and has at most kVectorSize numbers.
  size_t Fetch(std::span<const RowNumber> listed, sel_t* passing);
  /// The number of rows that the last Fetch has read, and the position of row `i` of them in `listed`.
  size_t row_count() const { return rows_.size(); }
  size_t ListedAt(size_t i) const { return listed_at_[i]; }
  /// Returns a table column of the rows that were read, as a flat vector.
  Vector& ColumnOf(size_t column);
  /// Fills `output`, which must have been released, with the specification's columns of rows
  /// selection[0 .. count). It shares the memory of the rows that were read, which is not written again.
  void Give(const SelectionRef& selection, size_t count, DataChunk& output);
  const TableScanSpecification& specification() const { return specification_; }

 private:
  TableColumns table_columns_;
  TableScanSpecification specification_;
  const KernelTable& kernels_;
  std::vector<size_t> fetched_;  // columns that are read: output columns, filter columns, then more_columns
  std::vector<LogicalType> fetched_types_;
  RowFetcher fetcher_;
  DataChunk chunk_;
  std::vector<RowNumber> rows_;
  std::vector<sel_t> listed_at_;
};

}  // namespace scaup
