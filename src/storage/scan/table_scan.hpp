// Table scan: reads columns as one transaction sees them, block by block, and skips what zone maps exclude.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "storage/shredded/document_block.hpp"
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

  /// Adds a predicate that rows must pass. REQUIRES: no Next was called.
  void AddFilter(ScanFilter filter);

  /// One thread's position in the scan, with its readers and buffers.
  struct Position {
    const RowGroup* row_group = nullptr;
    RowNumber first_row = 0;  ///< of the row group
    size_t part = 0;          ///< of the view
    size_t block = 0;
    size_t end_block = 0;
    uint64_t morsel = 0;
    /// Readers of the present row group, by stored column; null for columns that were not needed yet.
    std::vector<std::unique_ptr<SegmentReader>> readers;
    std::vector<VersionReader> versions;  ///< by part of the view
    /// Updated values of the present block, by stored column; retained for reuse.
    std::vector<std::unique_ptr<RowPatch>> patches;
    /// Documents of the present block; null if no projection was needed yet.
    std::unique_ptr<DocumentBlock> documents;
    /// Number of rows for which alternatives were tested, and of those that passed.
    size_t tried_rows = 0, kept_rows = 0;
    /// Rows of the block that are in the chunk, for the remaining columns; null means all.
    SelectionRef late_rows;
    SelectionRef selection;       // rows of the present block that pass
    SelectionRef last_selection;  // the previous block's, for reuse
    /// Columns of the present block of which all or nearly all values are read, and the number of such
    /// columns in the previous block.
    std::vector<const SegmentReader*> whole_columns;
    size_t last_whole_columns = 0;
    /// End of the run of blocks that was prefetched, and whether the present block begins a run.
    size_t fetched_end = 0;
    bool begins_run = false;
  };

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
  bool has_late_columns() const { return !late_.empty() || !records_.empty(); }
  /// Makes an output column a filter column, for callers that read it between the two steps. REQUIRES: no
  /// Next was called.
  void AddFilterColumn(size_t output_column);

  /// Returns the fraction of morsels that were handed out, 0 to 1.
  double Progress() const;
  size_t morsel_count() const { return morsels_.size(); }
  /// Returns the offset of each morsel's first row, without regard to filters, followed by the number of
  /// rows. Empty if rows may have been deleted.
  std::vector<uint64_t> MorselOffsets() const;
  /// Returns the least and greatest value of an output column in each morsel, without regard to filters. For
  /// a morsel without values the first is above the second. Empty if values are not stored as integers of 16
  /// to 64 bits, or if the transaction may see updated values.
  std::vector<std::pair<int64_t, int64_t>> MorselRanges(size_t output_column) const;
  const TableScanCounters& counters() const { return counters_; }
  const TableScanSpecification& specification() const { return specification_; }

 private:
  /// The rows of a block that pass: rows[i] is 1 or 0, and has no meaning while all_pass.
  struct BlockMask {
    uint8_t rows[kVectorSize];
    bool all_pass = true;
  };
  struct Morsel {
    uint32_t part;
    uint32_t row_group;
    uint32_t first_block;
  };
  /// Assigns each column to the step in which it is read.
  void SortColumns();
  bool NextMorsel(Position& position);
  /// Returns whether zone maps exclude the whole row group. `versions` is positioned at its rows; null if it
  /// has none.
  bool IsExcluded(const RowGroup& row_group, const VersionReader* versions) const;
  /// Prefetches the row groups that follow the morsel's, unless another thread has done so.
  void PrefetchAfter(const Morsel& morsel);
  bool ReadBlock(Position& position, DataChunk& output);
  SegmentReader& ReaderOf(Position& position, size_t column) const;
  VersionReader* SeekVersions(Position& position, RowNumber first_row, size_t row_count) const;
  /// Returns false if no row can pass.
  bool FilterBlock(Position& position, size_t row_count, VersionReader* versions, BlockMask& mask);
  /// Removes rows from the mask that pass none of several filters. Returns false if no row can pass.
  bool FilterAny(Position& position, size_t row_count, VersionReader* versions,
                 std::span<const ScanFilter> any, BlockMask& mask);
  // Both return whether the rows of the block pass. `mask` is valid only if they return kSome.
  ZoneMatch FilterColumn(Position& position, size_t row_count, VersionReader* versions,
                         const ScanFilter& filter, uint8_t* mask);
  ZoneMatch FilterStored(Position& position, size_t row_count, VersionReader* versions,
                         const ScanFilter& filter, uint8_t* mask);
  /// Reads a stored column or row numbers for all rows of the present block, of which `passing_count` passed.
  void ReadColumn(Position& position, size_t row_count, size_t passing_count, VersionReader* versions,
                  size_t column, Vector& output);
  void ReadStored(Position& position, size_t row_count, size_t passing_count, VersionReader* versions,
                  size_t column, Vector& output);
  /// Decides whether the present block begins a run, of which all blocks of a column are prefetched at once.
  void BeginBlock(Position& position) const;
  /// Records that nearly all values of a column are read. If a run begins, prefetches the column's blocks of
  /// it into the CPU cache.
  void FetchRun(Position& position, SegmentReader& reader) const;
  /// Loads the attributes that are read from the documents of the present block.
  DocumentBlock& LoadDocuments(Position& position, size_t row_count, VersionReader* versions);
  RowPatch& PatchOf(Position& position, const VersionReader& versions, size_t column) const;
  bool HasVersions() const;

  TableView view_;
  TableColumns table_columns_;
  TableScanSpecification specification_;
  std::vector<size_t> sources_;               // stored columns that are read, each once
  std::vector<size_t> filtered_projections_;  // projections that the first step reads, each once
  std::vector<size_t> wanted_early_;          // table columns of AddFilterColumn
  // Positions in specification_.columns, by the step that emits them. The first step emits stored columns
  // (early_) and projections of AddFilterColumn (early_projections_). The second step emits projections that
  // filters have read (late_filtered_), projections that nothing has read (late_), and whole documents
  // (records_).
  std::vector<size_t> early_, early_projections_, late_filtered_, late_;
  std::vector<size_t> records_;
  const KernelTable& kernels_;
  size_t blocks_per_morsel_;
  size_t blocks_per_run_ = 1;
  std::vector<Morsel> morsels_;
  std::atomic<size_t> next_morsel_{0};
  std::atomic<size_t> prefetched_{1};  // first row group that was not prefetched; the first is read at once
  TableScanCounters counters_;
};

}  // namespace scaup
