// Scans: reads chosen columns of a snapshot, block by block, skipping what zone maps exclude.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "storage/table/table.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// What to read. `columns` are indexes into the table's columns, in output order; filters are ANDed.
struct TableScanSpecification {
  std::vector<size_t> columns;
  std::vector<ScanFilter> filters;
};

/// Counts of a scan, for EXPLAIN ANALYZE.
struct TableScanCounters {
  std::atomic<uint64_t> blocks_read{0};
  std::atomic<uint64_t> blocks_skipped{0};
};

/// A scan that several threads share: each takes the next morsel, `blocks_per_morsel` blocks of a row group.
/// Thread-safe.
class TableScan {
 public:
  TableScan(std::shared_ptr<const TableSnapshot> snapshot, std::vector<LogicalType> table_types,
            TableScanSpecification specification, const KernelTable& kernels, size_t blocks_per_morsel);

  /// One thread's place in the scan.
  struct Position {
    const RowGroup* row_group = nullptr;
    size_t block = 0;
    size_t end_block = 0;
    uint64_t morsel = 0;
    /// Of the present row group, by column of the table; null where it was not needed yet.
    std::vector<std::unique_ptr<SegmentReader>> readers;
  };

  /// Fills `output` (after Release) with the next block's rows that pass the filters, sharing the table's
  /// memory. False at the end. Blocks without a passing row are passed over, but at the end of a morsel
  /// `output` may stay empty, so that the caller can look whether it shall go on. `output.batch_index` is the
  /// morsel.
  bool Next(Position& position, DataChunk& output);

  /// Part of the morsels that were handed out, 0 to 1.
  double Progress() const;
  size_t morsel_count() const { return morsel_row_group_.size(); }
  /// At which row of the snapshot each morsel begins, and the number of rows at the end.
  std::vector<uint64_t> MorselOffsets() const;
  const TableScanCounters& counters() const { return counters_; }
  const TableScanSpecification& specification() const { return specification_; }

 private:
  bool NextMorsel(Position& position);
  bool IsExcluded(const RowGroup& row_group) const;
  void PrefetchAfter(size_t row_group);
  bool ReadBlock(Position& position, DataChunk& output);
  SegmentReader& ReaderOf(Position& position, size_t column) const;
  bool FilterBlock(Position& position, size_t row_count, uint8_t* mask, bool& all_pass);

  std::shared_ptr<const TableSnapshot> snapshot_;
  std::vector<LogicalType> table_types_;
  TableScanSpecification specification_;
  const KernelTable& kernels_;
  size_t blocks_per_morsel_;
  std::vector<size_t> morsel_row_group_;  // Where each morsel lies.
  std::vector<size_t> morsel_first_block_;
  std::atomic<size_t> next_morsel_{0};
  std::atomic<size_t> prefetched_{1};  // Row groups before it were asked for, or are being read.
  TableScanCounters counters_;
};

}  // namespace scaup
