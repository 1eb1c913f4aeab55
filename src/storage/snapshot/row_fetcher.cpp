// Reads single rows: block by block, copying only the wanted rows.
#include "storage/snapshot/row_fetcher.hpp"

#include <algorithm>
#include <cstring>

namespace scaup {

RowFetcher::RowFetcher(TableView view, TableColumns table_columns, const std::vector<size_t>& columns,
                       const KernelTable& kernels)
    : view_(std::move(view)),
      table_columns_(std::move(table_columns)),
      sources_(table_columns_.SourcesOf(columns)),
      records_(LogicalType(TypeId::kBlob)),
      kernels_(kernels) {
  for (const TableView::Part& part : view_.parts) versions_.emplace_back(part.versions, view_.reader);
  readers_.resize(sources_.stored.size());
}

void RowFetcher::Fetch(std::span<const RowNumber> rows, DataChunk& output) {
  output.ResetForWriting();
  if (!sources_.projections.empty()) records_.Reset();
  size_t begin = 0;
  while (begin < rows.size()) {
    const size_t part_index = PartOf(rows[begin]);
    const TableView::Part& part = view_.parts[part_index];
    const size_t row_group = part.snapshot->FindRowGroup(rows[begin]);
    const Place place{part_index, row_group};
    // Readers are cached while consecutive rows lie in the same row group.
    if (!(place == place_)) {
      for (auto& reader : readers_) reader.reset();
      place_ = place;
    }
    const RowNumber first = part.snapshot->first_rows[row_group];
    const size_t block = (rows[begin] - first) / kVectorSize;
    const RowNumber block_end = first + std::min<uint64_t>((block + 1) * kVectorSize,
                                                           part.snapshot->row_groups[row_group]->row_count());
    size_t end = begin + 1;
    // Rows of one block are read together; they share the version lookup.
    while (end < rows.size() && rows[end] < block_end) end++;
    FetchBlock(part, rows.subspan(begin, end - begin), begin, output);
    begin = end;
  }
  if (!sources_.projections.empty()) FetchProjections(rows.size(), output);
  output.SetSize(rows.size());
}

void RowFetcher::FetchProjections(size_t row_count, DataChunk& output) {
  if (!document_reader_) document_reader_ = table_columns_.MakeReader(sources_.projections);
  std::vector<Vector*> outputs;
  for (const size_t place : sources_.projection_places) outputs.push_back(&output.column(place));
  document_reader_->Read(sources_.TargetOf(sources_.records, output, records_), row_count, outputs);
  // Projections may give constant or dictionary vectors, but Fetch promises flat ones.
  for (Vector* values : outputs) values->Flatten(row_count);
}

void RowFetcher::FetchBlock(const TableView::Part& part, std::span<const RowNumber> rows, size_t offset,
                            DataChunk& output) {
  const RowGroup& row_group = *part.snapshot->row_groups[place_.row_group];
  const RowNumber first = part.snapshot->first_rows[place_.row_group];
  const size_t block = (rows[0] - first) / kVectorSize;
  // One lookup of versions for the range serves all columns.
  const bool has_versions = versions_[place_.part].Seek(rows.front(), rows.back() - rows.front() + 1);
  const size_t block_rows = row_group.BlockRows(block);
  for (size_t i = 0; i < sources_.stored.size(); i++) {
    if (!readers_[i]) readers_[i] = row_group.column(sources_.stored[i].column)->MakeReader(kernels_);
  }
  PrefetchRowOfColumns(block, block_rows, static_cast<sel_t>(rows[0] - first - block * kVectorSize));
  for (size_t i = 0; i < sources_.stored.size(); i++) {
    CopyColumn(i, rows, first + block * kVectorSize, block, block_rows, offset, has_versions,
               sources_.TargetOf(i, output, records_));
  }
}

void RowFetcher::PrefetchRowOfColumns(size_t block, size_t block_rows, sel_t row) {
  // With one column there is nothing to overlap.
  if (readers_.size() < 2) return;
  bool has_more = true;
  // Each step touches what the step before has made known, first a header, then the values; all columns take
  // each step together.
  for (size_t step = 0; has_more; step++) {
    has_more = false;
    for (const auto& reader : readers_) has_more |= reader->PrefetchRow(step, block, block_rows, row);
  }
}

void RowFetcher::CopyColumn(size_t index, std::span<const RowNumber> rows, RowNumber block_first,
                            size_t block, size_t block_rows, size_t offset, bool has_versions,
                            Vector& output) {
  size_t patched = 0;
  if (has_versions) {
    const size_t column = sources_.stored[index].column;
    const LogicalType& type = table_columns_[column];
    if (!patch_ || !(patch_->values.type() == type)) patch_ = std::make_unique<RowPatch>(type);
    versions_[place_.part].Read(static_cast<uint32_t>(column), *patch_);
    patched = patch_->count;
  }
  // A row group's values are needed unless the patch replaces all of them.
  if (patched != rows.size() || rows.size() != rows.back() - rows.front() + 1) {
    sel_t in_block[kVectorSize];
    for (size_t i = 0; i < rows.size(); i++) in_block[i] = static_cast<sel_t>(rows[i] - block_first);
    readers_[index]->Gather(block, block_rows, {in_block, rows.size()}, output, offset);
  }
  // Then overwrites the rows that were updated in place.
  size_t next = 0;
  for (size_t i = 0; i < rows.size() && next < patched; i++) {
    const RowNumber in_patch = rows[i] - rows.front();
    while (next < patched && patch_->rows[next] < in_patch) next++;
    if (next == patched || patch_->rows[next] != in_patch) continue;
    // The row group may have had a NULL here.
    if (output.Validity() != nullptr) SetValid(output.MutableValidity(), offset + i);
    CopyRow(patch_->values.View(patched), next, output, offset + i);
  }
}

void RowFetcher::TestVisible(std::span<const RowNumber> rows, uint8_t* mask) {
  for (size_t i = 0; i < rows.size(); i++) {
    const size_t part_index = PartOf(rows[i]);
    const TableSnapshot& snapshot = *view_.parts[part_index].snapshot;
    mask[i] = 0;
    // Rows of an index may be newer than the snapshot, or may have been removed from it.
    if (rows[i] >= snapshot.next_row || snapshot.row_groups.empty()) continue;
    if (rows[i] < snapshot.first_rows[0]) continue;
    const size_t row_group = snapshot.FindRowGroup(rows[i]);
    if (rows[i] >= snapshot.first_rows[row_group] + snapshot.row_groups[row_group]->row_count()) continue;
    uint8_t is_deleted = 0;
    if (versions_[part_index].Seek(rows[i], 1)) versions_[part_index].ReadDeleted(&is_deleted);
    mask[i] = is_deleted == 0;
  }
}

}  // namespace scaup
