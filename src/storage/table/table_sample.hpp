// Samples of tables: some rows, picked at random, from which the optimizer tells how many pass a filter.
#pragma once

#include <memory>
#include <vector>

#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// A sample has about so many rows. Tables with no more are read whole instead.
inline constexpr size_t kSampleRows = 4096;

/// Whole rows as they were when they were picked: a hint that later changes leave as it is. Immutable and
/// thread-safe; keeps the rows alive.
struct TableSample {
  /// `rows`: a row group of rows of the table.
  TableSample(std::shared_ptr<const RowGroup> rows, RowNumber next_row_in, uint64_t row_count_in);

  const std::shared_ptr<const RowGroup>& row_group() const { return snapshot->row_groups[0]; }

  std::shared_ptr<const TableSnapshot> snapshot;  ///< one row group without changes, for scans
  RowNumber next_row;                             ///< rows from this number on had not been inserted yet
  uint64_t row_count;                             ///< of the table's row groups at that time
};

/// Picks rows that `view` sees. `types`: of all columns. `seed`: other rows for other numbers. With
/// `previous`, a sample of the same table, only rows that were inserted since are read, and take the places
/// of as many as are their share. Reads few row groups of large tables. Null if there are no rows. Throws
/// Error(kIo) and Error(kOutOfMemory).
std::shared_ptr<const TableSample> PickSample(const TableView& view, const std::vector<LogicalType>& types,
                                              MemoryTracker& memory, uint64_t seed,
                                              const TableSample* previous = nullptr);

}  // namespace scaup
