// Table scan: reads columns as one transaction sees them, block by block, and skips what zone maps exclude.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "storage/scan/scan_block.hpp"
#include "storage/scan/scan_morsels.hpp"
#include "storage/scan/scan_steps.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "type/scan_predicate.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// The columns of a scan, which are indexes into the table's columns, or kRowNumberColumn, in output order;
/// and the rows that it wants. Filters by parameters must have their values.
struct TableScanSpecification {
  std::vector<size_t> columns;
  ScanPredicate predicate = {};
};

/// Counts of a scan, for EXPLAIN ANALYZE.
struct TableScanCounters {
  std::atomic<uint64_t> blocks_read{0};
  std::atomic<uint64_t> blocks_skipped{0};
};

/// A scan that several threads share. Each thread takes the next morsel, which is `blocks_per_morsel` blocks
/// of one row group. Thread-safe after the first Next, if each thread has its own Position.
class TableScan {
 public:
  TableScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
            const KernelTable& kernels, size_t blocks_per_morsel);

  /// Adds a predicate that rows must pass. If it is a test that gets stricter, the scan reads first what
  /// makes it so; otherwise it reads in the order of rows. REQUIRES: no Next was called.
  void AddFilter(ScanFilter filter);

  using Position = ScanPosition;

  /// Fills `output`, which must have been released, with the next block's rows that pass the filters. It
  /// shares the table's memory. Returns false at the end. Blocks without a passing row are skipped. At the
  /// end of a morsel `output` may stay empty, so that the caller can check for an interrupt.
  /// `output.batch_index` is the number of the morsel.
  bool Next(Position& position, DataChunk& output);
  /// Next in two steps, for callers with filters of their own (late materialization). The first step reads
  /// the filter columns alone. The second reduces the chunk to rows kept[0 .. kept_count), or keeps all if
  /// `kept` is null, and reads the remaining columns of these rows.
  bool NextFilterColumns(Position& position, DataChunk& output);
  void ReadRemainingColumns(Position& position, const SelectionRef& kept, size_t kept_count,
                            DataChunk& output);
  /// Returns whether the second step reads anything: remaining columns, or documents, which are assembled
  /// from many attributes. If not, it only shares what filters have read.
  bool has_late_columns() const { return !steps_.late.empty() || !steps_.records.empty(); }
  /// Makes an output column a filter column, for callers that read it between the two steps. REQUIRES: no
  /// Next was called.
  void AddFilterColumn(size_t output_column);

  const ScanMorsels& morsels() const { return morsels_; }
  /// Returns the least and greatest value of an output column in each morsel, like ScanMorsels::ZoneRanges.
  /// Empty as well if the column is not stored.
  std::vector<std::pair<int64_t, int64_t>> MorselRanges(size_t output_column) const;
  const TableScanCounters& counters() const { return counters_; }
  const TableScanSpecification& specification() const { return specification_; }

 private:
  /// The rows of a block that pass: rows[i] is 1 or 0, and has no meaning while all_pass.
  struct BlockMask {
    uint8_t rows[kVectorSize];
    bool all_pass = true;
  };
  /// Assigns each column to the step in which it is read.
  void SortColumns();
  bool NextMorsel(Position& position);
  /// Returns whether zone maps exclude the whole row group. `versions` is positioned at its rows; null if it
  /// has none.
  bool IsExcluded(const RowGroup& row_group, const VersionReader* versions) const;
  /// Prefetches the row groups of the morsels that follow this one, unless another thread has done so.
  void PrefetchAfter(size_t index);
  bool ReadBlock(Position& position, DataChunk& output);
  /// Returns false if no row can pass.
  bool FilterBlock(Position& position, ScanBlock& block, BlockMask& mask);
  /// Removes rows from the mask that pass none of several filters. Returns false if no row can pass.
  bool FilterAny(Position& position, ScanBlock& block, std::span<const ScanFilter> any, BlockMask& mask);

  TableView view_;
  TableColumns table_columns_;
  TableScanSpecification specification_;
  std::vector<size_t> wanted_early_;  // table columns of AddFilterColumn
  ScanSteps steps_;
  const KernelTable& kernels_;
  ScanMorsels morsels_;
  std::atomic<size_t> prefetched_{1};  // first morsel that was not prefetched; the first is read at once
  TableScanCounters counters_;
};

}  // namespace scaup
