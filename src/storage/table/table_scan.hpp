// Scans: reads chosen columns as one transaction sees them, block by block, skipping what zone maps exclude.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "storage/table/table.hpp"
#include "type/scan_value_list.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// What to read. `columns` are indexes into the table's columns, or kRowNumberColumn, in output order;
/// filters are ANDed. Rows without one of the values of `value_list` may be left out.
struct TableScanSpecification {
  std::vector<size_t> columns;
  std::vector<ScanFilter> filters;
  std::optional<ScanValueList> value_list = {};
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
  TableScan(TableView view, std::vector<LogicalType> table_types, TableScanSpecification specification,
            const KernelTable& kernels, size_t blocks_per_morsel);

  /// One thread's place in the scan.
  struct Position {
    const RowGroup* row_group = nullptr;
    RowNumber first_row = 0;  ///< of the row group
    size_t part = 0;          ///< of the view
    size_t block = 0;
    size_t end_block = 0;
    uint64_t morsel = 0;
    /// Of the present row group, by column of the table; null where it was not needed yet.
    std::vector<std::unique_ptr<SegmentReader>> readers;
    std::vector<VersionReader> versions;  ///< by part of the view
    /// For reuse, by column of the table; null where none was needed yet.
    std::vector<std::unique_ptr<RowPatch>> patches;
  };

  /// Fills `output` (after Release) with the next block's rows that pass the filters, sharing the table's
  /// memory. False at the end. Blocks without a passing row are passed over, but at the end of a morsel
  /// `output` may stay empty, so that the caller can look whether it shall go on. `output.batch_index` is the
  /// morsel.
  bool Next(Position& position, DataChunk& output);

  /// Part of the morsels that were handed out, 0 to 1.
  double Progress() const;
  size_t morsel_count() const { return morsels_.size(); }
  /// At which row each morsel begins, and the number of rows at the end; empty where rows may be missing.
  std::vector<uint64_t> MorselOffsets() const;
  const TableScanCounters& counters() const { return counters_; }
  const TableScanSpecification& specification() const { return specification_; }

 private:
  /// Which rows of a block pass.
  struct BlockMask {
    uint8_t rows[kVectorSize];
    bool all_pass = true;
  };
  struct Morsel {
    uint32_t part;
    uint32_t row_group;
    uint32_t first_block;
  };
  bool NextMorsel(Position& position);
  /// `versions` at the row group's rows, or null if there are none.
  bool IsExcluded(const RowGroup& row_group, const VersionReader* versions) const;
  void PrefetchAfter(const Morsel& morsel);
  bool ReadBlock(Position& position, DataChunk& output);
  SegmentReader& ReaderOf(Position& position, size_t column) const;
  VersionReader* SeekVersions(Position& position, RowNumber first_row, size_t row_count) const;
  /// False if no row can pass.
  bool FilterBlock(Position& position, size_t row_count, VersionReader* versions, BlockMask& mask);
  bool FilterColumn(Position& position, size_t row_count, VersionReader* versions, const ScanFilter& filter,
                    BlockMask& mask);
  void ReadColumn(Position& position, size_t row_count, VersionReader* versions, size_t column,
                  Vector& output);
  RowPatch& PatchOf(Position& position, const VersionReader& versions, size_t column) const;
  bool HasVersions() const;

  TableView view_;
  std::vector<LogicalType> table_types_;
  TableScanSpecification specification_;
  const KernelTable& kernels_;
  size_t blocks_per_morsel_;
  std::vector<Morsel> morsels_;
  std::atomic<size_t> next_morsel_{0};
  std::atomic<size_t> prefetched_{1};  // Row groups before it were asked for, or are being read.
  TableScanCounters counters_;
};

}  // namespace scaup
