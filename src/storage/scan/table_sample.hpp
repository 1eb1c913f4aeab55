// TableSample: randomly picked rows of a table, from which the optimizer estimates filters.
#pragma once

#include <memory>
#include <vector>

#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// The approximate size of a sample. Tables with no more rows than this are read as a whole instead.
inline constexpr size_t kSampleRows = 4096;

/// Complete rows as they were when they were picked. Later changes leave the sample as it is, so it is a
/// hint. Immutable and thread-safe; keeps the rows alive.
struct TableSample {
  /// `rows` is a row group with rows of the table.
  TableSample(std::shared_ptr<const RowGroup> rows, RowNumber next_row_in, uint64_t row_count_in);

  const std::shared_ptr<const RowGroup>& row_group() const { return snapshot->row_groups[0]; }

  std::shared_ptr<const TableSnapshot> snapshot;  ///< one row group without versions, for scans
  RowNumber next_row;                             ///< rows from this number on were inserted later
  uint64_t row_count;                             ///< rows in the table's row groups at that time
};

/// Picks rows that `view` sees. `types` has all columns of the table. Another `seed` picks other rows. With
/// `previous`, a sample of the same table, only rows that were inserted since are read; they replace as many
/// rows as is their share. Reads few row groups of large tables. Returns null if there are no rows. Throws
/// Error(kIo) and Error(kOutOfMemory).
std::shared_ptr<const TableSample> PickSample(const TableView& view, const std::vector<LogicalType>& types,
                                              MemoryTracker& memory, uint64_t seed,
                                              const TableSample* previous = nullptr);

}  // namespace scaup
