// Scan block: the block that a thread reads, as the scan's transaction sees it.
#pragma once

#include <memory>
#include <vector>

#include "storage/scan/scan_steps.hpp"
#include "storage/shredded/document_block.hpp"
#include "storage/snapshot/row_patch.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// One thread's position in the scan, with its readers and buffers.
struct ScanPosition {
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

  /// Returns the reader of versions, positioned at these rows of the present part; null if they have none.
  VersionReader* SeekVersions(RowNumber begin, size_t row_count) {
    VersionReader& reader = versions[part];
    return reader.Seek(begin, row_count) ? &reader : nullptr;
  }
};

/// Filters and reads the columns of the block at a thread's position, with values that were updated since.
/// Borrows all that it is given; lives while this block is read, on the stack of its thread.
class ScanBlock {
 public:
  ScanBlock(ScanPosition& position, const TableColumns& columns, const ScanSteps& steps,
            const KernelTable& kernels);

  size_t row_count() const { return row_count_; }
  /// Returns the reader of versions, positioned at the block; null if its rows have none.
  VersionReader* versions() const { return versions_; }
  /// Returns whether the rows of the block pass. `mask` is valid only if the result is kSome.
  ZoneMatch Filter(const ScanFilter& filter, uint8_t* mask);
  /// Reads a stored column or row numbers for all rows, of which `passing_count` passed.
  void Read(size_t column, size_t passing_count, Vector& output);
  /// Loads the attributes that are read from the documents of the block.
  DocumentBlock& LoadDocuments();

 private:
  ZoneMatch FilterStored(const ScanFilter& filter, uint8_t* mask);
  SegmentReader& ReaderOf(size_t column);
  /// Returns the updated values of a column. REQUIRES: versions() != nullptr.
  RowPatch& PatchOf(size_t column);
  /// Decides whether the block begins a run, of which all blocks of a column are prefetched at once.
  void BeginRun();
  /// Records that nearly all values of a column are read. If a run begins, prefetches the column's blocks of
  /// it into the CPU cache.
  void FetchRun(SegmentReader& reader);

  ScanPosition& position_;
  const TableColumns& columns_;
  const ScanSteps& steps_;
  const KernelTable& kernels_;
  const size_t row_count_;
  VersionReader* versions_;
};

}  // namespace scaup
