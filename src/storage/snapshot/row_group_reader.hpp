// Reads columns of a row group as they are there, without versions.
#pragma once

#include <memory>
#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// For rows that nobody else has seen yet, and so nobody can have changed. One thread.
class RowGroupReader {
 public:
  /// `row_group` must outlive this.
  RowGroupReader(TableColumns table_columns, const std::vector<size_t>& columns, const RowGroup& row_group,
                 const KernelTable& kernels);

  std::vector<LogicalType> types() const;
  /// Makes `output` (after Release) the rows of a block, sharing memory where it can.
  void Read(size_t block, DataChunk& output);

 private:
  TableColumns table_columns_;
  std::vector<size_t> columns_;
  ColumnSources sources_;
  const RowGroup& row_group_;
  std::vector<std::unique_ptr<SegmentReader>> readers_;  // By stored column.
  std::unique_ptr<DocumentReader> document_reader_;      // Null where there is no projection.
  Vector records_;
};

}  // namespace scaup
