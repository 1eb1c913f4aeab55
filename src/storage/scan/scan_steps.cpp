// Assigns the columns of a scan to its two steps.
#include "storage/scan/scan_steps.hpp"

#include <algorithm>

namespace scaup {

namespace {

/// Columns that are scanned together are prefetched in runs of blocks; see ScanBlock::BeginRun. All columns
/// of a run fit into the L2 cache, and leave space for the operators' data. Runs of kMostFetchedBlocks are
/// long enough.
constexpr size_t kFetchedBytes = size_t{512} << 10;
constexpr size_t kMostFetchedBlocks = 16;

void AddColumnOnce(size_t column, std::vector<size_t>& columns) {
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
}

}  // namespace

ScanSteps MakeScanSteps(const TableColumns& table_columns, const std::vector<size_t>& columns,
                        const ScanPredicate& predicate, const std::vector<size_t>& wanted_early) {
  ScanSteps steps;
  steps.sources = table_columns.SourcesOfAll(columns, predicate.filters);
  size_t row_bytes = 1;  // not 0, for scans without stored columns
  for (const size_t column : steps.sources) row_bytes += PhysicalSize(PhysicalTypeOf(table_columns[column]));
  steps.blocks_per_run = std::min(kFetchedBytes / (row_bytes * kVectorSize), kMostFetchedBlocks);
  predicate.ForEachFilter([&](const ScanFilter& filter) {
    if (!table_columns.IsStored(filter.column)) AddColumnOnce(filter.column, steps.filtered_projections);
  });
  for (const size_t column : wanted_early) {
    if (column != kRowNumberColumn && !table_columns.IsStored(column))
      AddColumnOnce(column, steps.filtered_projections);
  }
  const auto is_filtered = [&](size_t column) {
    return std::find(steps.filtered_projections.begin(), steps.filtered_projections.end(), column) !=
           steps.filtered_projections.end();
  };
  const auto is_wanted_early = [&](size_t column) {
    return std::find(wanted_early.begin(), wanted_early.end(), column) != wanted_early.end();
  };
  for (size_t i = 0; i < columns.size(); i++) {
    const size_t column = columns[i];
    const bool is_record = column == kRecordColumn && table_columns.HasDocuments();
    if (is_record && !is_wanted_early(column)) {
      steps.records.push_back(i);
    } else if (column == kRowNumberColumn || table_columns.IsStored(column)) {
      steps.early.push_back(i);
    } else if (is_wanted_early(column)) {
      steps.early_projections.push_back(i);
    } else if (is_filtered(column)) {
      steps.late_filtered.push_back(i);
    } else {
      steps.late.push_back(i);
    }
  }
  for (const size_t place : steps.late) steps.late_projections.push_back(columns[place]);
  return steps;
}

}  // namespace scaup
