// Scan steps: which columns a scan reads before its filters, and which after them (late materialization).
#pragma once

#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "type/scan_predicate.hpp"

namespace scaup {

/// The columns that each of the two steps reads: the first one filter columns, the second one the remaining
/// columns of rows that pass. A value.
struct ScanSteps {
  std::vector<size_t> sources;               ///< stored columns that are read, each once
  std::vector<size_t> filtered_projections;  ///< projections that the first step reads, each once
  std::vector<size_t> late_projections;      ///< projections that only the second step reads
  // Positions among the scan's output columns, by the step that emits them. The first step emits stored
  // columns and the projections that the caller wants early.
  std::vector<size_t> early, early_projections;
  // The second step emits projections that filters have read, projections that nothing has read, and whole
  // documents.
  std::vector<size_t> late_filtered, late, records;
  size_t blocks_per_run = 1;  ///< number of blocks of a column that are prefetched together
};

/// Assigns each column to the step in which it is read. `columns` are the scan's output columns;
/// `wanted_early` are table columns that the caller reads between the steps.
ScanSteps MakeScanSteps(const TableColumns& table_columns, const std::vector<size_t>& columns,
                        const ScanPredicate& predicate, const std::vector<size_t>& wanted_early);

}  // namespace scaup
