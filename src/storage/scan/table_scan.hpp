// Scans: reads chosen columns as one transaction sees them, block by block, skipping what zone maps exclude.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "storage/shredded/document_block.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "text/text_search.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// The columns and predicates of a scan. `columns` are indexes into the table's columns, or kRowNumberColumn,
/// in output order; filters are ANDed. Rows that do not match one of `text_searches`, or that pass none of
/// the filters of one of `alternatives`, may be skipped.
struct TableScanSpecification {
  std::vector<size_t> columns;
  std::vector<ScanFilter> filters;
  std::vector<TextSearch> text_searches = {};
  std::vector<std::vector<ScanFilter>> alternatives = {};
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
  TableScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
            const KernelTable& kernels, size_t blocks_per_morsel);

  /// One more predicate that rows must pass. REQUIRES: no Next was called.
  void AddFilter(ScanFilter filter);

  /// One thread's place in the scan.
  struct Position {
    const RowGroup* row_group = nullptr;
    RowNumber first_row = 0;  ///< of the row group
    size_t part = 0;          ///< of the view
    size_t block = 0;
    size_t end_block = 0;
    uint64_t morsel = 0;
    /// Readers of the present row group, by stored column; null where one was not needed yet.
    std::vector<std::unique_ptr<SegmentReader>> readers;
    std::vector<VersionReader> versions;  ///< by part of the view
    /// For reuse, by stored column; null where none was needed yet.
    std::vector<std::unique_ptr<RowPatch>> patches;
    /// Documents of the present block; null where no projection was needed yet.
    std::unique_ptr<DocumentBlock> documents;
    /// Rows for which alternatives were tested, all and those that passed.
    size_t tried_rows = 0, kept_rows = 0;
    /// The block's rows that the chunk has whose late columns are to be read; null: all.
    SelectionRef late_rows;
    SelectionRef selection;       // For the rows that pass.
    SelectionRef last_selection;  // That of the block before.
    /// The columns whose values in the present block are looked at one by one, all of them or nearly; how
    /// many there were in the block before.
    std::vector<const SegmentReader*> whole_columns;
    size_t last_whole_columns = 0;
    /// Up to which block whole columns were fetched; whether the present one begins a run that is.
    size_t fetched_end = 0;
    bool begins_run = false;
  };

  /// Fills `output` (after Release) with the next block's rows that pass the filters, sharing the table's
  /// memory. False at the end. Blocks without a passing row are skipped, but at the end of a morsel `output`
  /// may stay empty, so that the caller can check whether it was interrupted. `output.batch_index` is the
  /// morsel.
  bool Next(Position& position, DataChunk& output);
  /// Next in two steps, for callers that reject rows by filters of their own (late materialization). The
  /// first step reads the filter columns alone. The second reduces the chunk to rows kept[0 .. kept_count)
  /// (null: all), and reads the remaining columns of these.
  bool NextFilterColumns(Position& position, DataChunk& output);
  void ReadRemainingColumns(Position& position, const SelectionRef& kept, size_t kept_count,
                            DataChunk& output);
  /// Whether the second step has more to do than to share what filters have read: remaining columns, or
  /// documents that are assembled of many attributes.
  bool has_late_columns() const { return !late_.empty() || !records_.empty(); }
  /// Makes a column of the output a filter column, for callers that look at it between the two steps.
  /// REQUIRES: no Next was called.
  void AddFilterColumn(size_t output_column);

  /// Part of the morsels that were handed out, 0 to 1.
  double Progress() const;
  size_t morsel_count() const { return morsels_.size(); }
  /// At which row each morsel begins, and the number of rows at the end; empty where rows may be missing.
  std::vector<uint64_t> MorselOffsets() const;
  /// Bounds of an output column's values in each morsel, filters or not; of none the former is the larger.
  /// Empty where values are not stored as integers of at most 64 bits, or other values may be seen.
  std::vector<std::pair<int64_t, int64_t>> MorselRanges(size_t output_column) const;
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
  void SortColumns();
  bool NextMorsel(Position& position);
  /// `versions` at the row group's rows, or null if there are none.
  bool IsExcluded(const RowGroup& row_group, const VersionReader* versions) const;
  void PrefetchAfter(const Morsel& morsel);
  bool ReadBlock(Position& position, DataChunk& output);
  SegmentReader& ReaderOf(Position& position, size_t column) const;
  VersionReader* SeekVersions(Position& position, RowNumber first_row, size_t row_count) const;
  /// False if no row can pass.
  bool FilterBlock(Position& position, size_t row_count, VersionReader* versions, BlockMask& mask);
  /// Tests rows for passing at least one of several filters.
  bool FilterAny(Position& position, size_t row_count, VersionReader* versions,
                 const std::vector<ScanFilter>& any, BlockMask& mask);
  // Which rows pass; the mask is written where the zones do not tell.
  ZoneMatch FilterColumn(Position& position, size_t row_count, VersionReader* versions,
                         const ScanFilter& filter, uint8_t* mask);
  ZoneMatch FilterStored(Position& position, size_t row_count, VersionReader* versions,
                         const ScanFilter& filter, uint8_t* mask);
  /// A stored column or row numbers: all rows of the present block, of which `passing_count` are wanted.
  void ReadColumn(Position& position, size_t row_count, size_t passing_count, VersionReader* versions,
                  size_t column, Vector& output);
  void ReadStored(Position& position, size_t row_count, size_t passing_count, VersionReader* versions,
                  size_t column, Vector& output);
  /// Decides whether a run of blocks is fetched with the present one.
  void BeginBlock(Position& position) const;
  /// Notes that a column is read as a whole, and fetches its blocks of the run that begins.
  void FetchRun(Position& position, SegmentReader& reader) const;
  /// Loads what is read of the documents of the present block.
  DocumentBlock& LoadDocuments(Position& position, size_t row_count, VersionReader* versions);
  RowPatch& PatchOf(Position& position, const VersionReader& versions, size_t column) const;
  bool HasVersions() const;

  TableView view_;
  TableColumns table_columns_;
  TableScanSpecification specification_;
  std::vector<size_t> sources_;               // Stored columns that are read, each once.
  std::vector<size_t> filtered_projections_;  // Projections of filters and of early columns, each once.
  std::vector<size_t> wanted_early_;          // Columns of the table.
  // Places in specification_.columns. Projections are read of rows that passed the filters, and late unless
  // they are wanted early; late_ are those that no filter looks at. All else is early.
  std::vector<size_t> early_, early_projections_, late_filtered_, late_;
  std::vector<size_t> records_;  // Those of the records of documents, which are late, too.
  const KernelTable& kernels_;
  size_t blocks_per_morsel_;
  size_t blocks_per_run_ = 1;
  std::vector<Morsel> morsels_;
  std::atomic<size_t> next_morsel_{0};
  std::atomic<size_t> prefetched_{1};  // Row groups before it were asked for, or are being read.
  TableScanCounters counters_;
};

}  // namespace scaup
