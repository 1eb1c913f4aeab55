// RowFetcher: reads single rows of a table by their row numbers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "storage/row_group/column_segment.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "vector/data_chunk.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// Reads chosen columns of rows with known numbers, such as index hits or rows to update. Used by one thread.
class RowFetcher {
 public:
  RowFetcher(TableView view, TableColumns table_columns, const std::vector<size_t>& columns,
             const KernelTable& kernels);

  /// Reads the wanted columns of `rows` into `output`, flat and in the order of `rows`. `rows` must be
  /// ascending and at most 1024. It reads rows whether the view sees them or not; the values are those that
  /// the view sees.
  void Fetch(std::span<const RowNumber> rows, DataChunk& output);
  /// Sets mask[i] to 1 if the view sees rows[i], else to 0.
  void TestVisible(std::span<const RowNumber> rows, uint8_t* mask);

 private:
  struct Place {
    size_t part = SIZE_MAX;
    size_t row_group = SIZE_MAX;
    bool operator==(const Place&) const = default;
  };
  /// Returns the index of the view's part that has the row.
  size_t PartOf(RowNumber row) const { return IsLocalRow(row) && view_.parts.size() > 1 ? 1 : 0; }
  void FetchBlock(const TableView::Part& part, std::span<const RowNumber> rows, size_t offset,
                  DataChunk& output);
  /// Prefetches the row in all columns, so that their memory latencies overlap.
  void PrefetchRowOfColumns(size_t block, size_t block_rows, sel_t row);
  void CopyColumn(size_t index, std::span<const RowNumber> rows, RowNumber block_first, size_t block,
                  size_t block_rows, size_t offset, bool has_versions, Vector& output);
  void FetchProjections(size_t row_count, DataChunk& output);

  TableView view_;
  TableColumns table_columns_;
  ColumnSources sources_;
  std::unique_ptr<DocumentReader> document_reader_;  // null until a projection is read
  Vector records_;
  const KernelTable& kernels_;
  std::vector<VersionReader> versions_;                  // by part of the view
  Place place_;                                          // the row group that readers_ belong to
  std::vector<std::unique_ptr<SegmentReader>> readers_;  // by stored column; null until needed
  std::unique_ptr<RowPatch> patch_;                      // of the last column that needed one, for reuse
};

}  // namespace scaup
