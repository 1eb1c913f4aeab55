// Reads columns of a row group block by block.
#include "storage/snapshot/row_group_reader.hpp"

#include "vector/kernel_table.hpp"

namespace scaup {

RowGroupReader::RowGroupReader(TableColumns table_columns, const std::vector<size_t>& columns,
                               const RowGroup& row_group, const KernelTable& kernels)
    : table_columns_(std::move(table_columns)),
      columns_(columns),
      sources_(table_columns_.SourcesOf(columns)),
      row_group_(row_group),
      records_(LogicalType(TypeId::kBlob)) {
  for (const ColumnSources::Stored& stored : sources_.stored)
    readers_.push_back(row_group.column(stored.column)->MakeReader(kernels));
  if (!sources_.projections.empty()) document_reader_ = table_columns_.MakeReader(sources_.projections);
}

std::vector<LogicalType> RowGroupReader::types() const {
  std::vector<LogicalType> types;
  for (const size_t column : columns_) types.push_back(table_columns_[column]);
  return types;
}

void RowGroupReader::Read(size_t block, DataChunk& output) {
  const size_t count = row_group_.BlockRows(block);
  // Releases the block before, which the vector may share.
  records_.Release();
  for (size_t i = 0; i < readers_.size(); i++)
    readers_[i]->Read(block, count, sources_.TargetOf(i, output, records_));
  if (document_reader_) {
    std::vector<Vector*> outputs;
    for (const size_t place : sources_.projection_places) {
      output.column(place).Reset();
      outputs.push_back(&output.column(place));
    }
    document_reader_->Read(sources_.TargetOf(sources_.records, output, records_), count, outputs);
  }
  output.SetSize(count);
}

}  // namespace scaup
