// Reads single rows of a table by their numbers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "vector/data_chunk.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// Reads chosen columns of rows whose numbers are known: of an index, or of rows to change. One thread.
class RowFetcher {
 public:
  RowFetcher(TableView view, TableColumns table_columns, const std::vector<size_t>& columns,
             const KernelTable& kernels);

  /// Puts the wanted columns of the rows into `output`, flat, in the order of `rows`, which ascend; at most
  /// 1024. Whether the view sees the rows does not matter; values are those it sees.
  void Fetch(std::span<const RowNumber> rows, DataChunk& output);
  /// mask[i] = 1 if the view sees rows[i], else 0.
  void TestVisible(std::span<const RowNumber> rows, uint8_t* mask);

 private:
  struct Place {
    size_t part = SIZE_MAX;
    size_t row_group = SIZE_MAX;
    bool operator==(const Place&) const = default;
  };
  /// Index of the view's part with a row.
  size_t PartOf(RowNumber row) const { return IsLocalRow(row) && view_.parts.size() > 1 ? 1 : 0; }
  void FetchBlock(const TableView::Part& part, std::span<const RowNumber> rows, size_t offset,
                  DataChunk& output);
  /// All columns of a row wait for memory together, not one after the other.
  void PrefetchRowOfColumns(size_t block, size_t block_rows, sel_t row);
  void CopyColumn(size_t index, std::span<const RowNumber> rows, RowNumber block_first, size_t block,
                  size_t block_rows, size_t offset, bool has_versions, Vector& output);
  void FetchProjections(size_t row_count, DataChunk& output);

  TableView view_;
  TableColumns table_columns_;
  ColumnSources sources_;
  std::unique_ptr<DocumentReader> document_reader_;  // Null until a projection was wanted.
  Vector records_;
  const KernelTable& kernels_;
  std::vector<VersionReader> versions_;                  // By part.
  Place place_;                                          // Whose readers there are.
  std::vector<std::unique_ptr<SegmentReader>> readers_;  // By stored column.
  std::unique_ptr<RowPatch> patch_;                      // For reuse: of the last column that needed one.
};

}  // namespace scaup
