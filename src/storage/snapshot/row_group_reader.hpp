// RowGroupReader: reads columns of a row group without applying versions.
#pragma once

#include <memory>
#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Reads row groups that no other transaction has seen, so that nothing in them can have been updated. Used
/// by one thread.
class RowGroupReader {
 public:
  /// `row_group` must outlive this.
  RowGroupReader(TableColumns table_columns, const std::vector<size_t>& columns, const RowGroup& row_group,
                 const KernelTable& kernels);

  std::vector<LogicalType> types() const;
  /// Makes `output` the rows of a block, sharing memory where possible. `output` must have been released.
  void Read(size_t block, DataChunk& output);

 private:
  TableColumns table_columns_;
  std::vector<size_t> columns_;
  ColumnSources sources_;
  const RowGroup& row_group_;
  std::vector<std::unique_ptr<SegmentReader>> readers_;  // by stored column
  std::unique_ptr<DocumentReader> document_reader_;      // null if there is no projection
  Vector records_;
};

}  // namespace scaup
