// Reads one block: picks the reader of each column, applies updates, and prefetches runs of blocks.
#include "storage/scan/scan_block.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

ScanBlock::ScanBlock(ScanPosition& position, const TableColumns& columns, const ScanSteps& steps,
                     const KernelTable& kernels)
    : position_(position),
      columns_(columns),
      steps_(steps),
      kernels_(kernels),
      row_count_(position.row_group->BlockRows(position.block)),
      versions_(position.SeekVersions(position.first_row + position.block * kVectorSize, row_count_)) {
  BeginRun();
  if (position_.documents) position_.documents->Clear();
}

// The hardware prefetcher follows one column well. Two or more columns evict the operators' data from the L1
// cache block by block. The misses that reload it make the prefetcher lose track of the columns: with 1024
// values of each in turn, it reads at half its speed. So a run of blocks of one column is prefetched, then
// the same run of the next one.
void ScanBlock::BeginRun() {
  constexpr size_t kMostFollowed = 1;  // columns that the hardware follows by itself
  position_.last_whole_columns = position_.whole_columns.size();
  position_.whole_columns.clear();
  position_.begins_run =
      position_.last_whole_columns > kMostFollowed && position_.block >= position_.fetched_end;
  if (position_.begins_run)
    position_.fetched_end = std::min(position_.block + steps_.blocks_per_run, position_.end_block);
}

void ScanBlock::FetchRun(SegmentReader& reader) {
  if (steps_.blocks_per_run <= 1) return;
  auto& columns = position_.whole_columns;
  if (std::find(columns.begin(), columns.end(), &reader) != columns.end()) return;  // A filter has read it.
  columns.push_back(&reader);
  if (!position_.begins_run) return;
  for (size_t block = position_.block; block < position_.fetched_end; block++)
    reader.Fetch(block, position_.row_group->BlockRows(block));
}

SegmentReader& ScanBlock::ReaderOf(size_t column) {
  std::unique_ptr<SegmentReader>& reader = position_.readers[column];
  if (!reader) reader = position_.row_group->column(column)->MakeReader(kernels_);
  return *reader;
}

RowPatch& ScanBlock::PatchOf(size_t column) {
  SCAUP_ASSERT(versions_ != nullptr);
  if (position_.patches.empty()) position_.patches.resize(columns_.stored_count());
  std::unique_ptr<RowPatch>& patch = position_.patches[column];
  if (!patch) patch = std::make_unique<RowPatch>(columns_[column]);
  versions_->Read(static_cast<uint32_t>(column), *patch);
  return *patch;
}

DocumentBlock& ScanBlock::LoadDocuments() {
  if (!position_.documents) {
    position_.documents = std::make_unique<DocumentBlock>(columns_, steps_.filtered_projections,
                                                          steps_.late_projections, kernels_);
  }
  DocumentBlock& documents = *position_.documents;
  if (documents.is_clear()) {
    const RowPatch* patch = versions_ == nullptr ? nullptr : &PatchOf(kRecordColumn);
    documents.Seek(ReaderOf(kRecordColumn), position_.block, row_count_, patch);
  }
  return documents;
}

ZoneMatch ScanBlock::FilterStored(const ScanFilter& filter, uint8_t* mask) {
  const PhysicalType type = PhysicalTypeOf(columns_[filter.column]);
  const RowPatch* patch = versions_ == nullptr ? nullptr : &PatchOf(filter.column);
  if (patch != nullptr && patch->count == 0) patch = nullptr;
  SegmentReader& reader = ReaderOf(filter.column);
  const ZoneMatch match = MatchZone(reader.segment().block_zone(position_.block), filter, type);
  // With updated values, the zone map decides only for the stored ones, so a mask is needed in any case.
  if (patch == nullptr && match != ZoneMatch::kSome) return match;
  switch (match) {
    case ZoneMatch::kNone: std::memset(mask, 0, row_count_); break;
    case ZoneMatch::kAll: std::memset(mask, 1, row_count_); break;
    case ZoneMatch::kSome:
      FetchRun(reader);
      reader.Filter(position_.block, row_count_, filter, mask);
      break;
  }
  if (patch != nullptr) {
    uint8_t patch_mask[kVectorSize];
    EvaluateScanFilter(kernels_, filter, type, patch->values.Data<std::byte>(), patch->values.Validity(),
                       patch->count, patch_mask);
    for (size_t i = 0; i < patch->count; i++) mask[patch->rows[i]] = patch_mask[i];
  }
  return ZoneMatch::kSome;
}

ZoneMatch ScanBlock::Filter(const ScanFilter& filter, uint8_t* mask) {
  if (columns_.IsStored(filter.column)) return FilterStored(filter, mask);
  return LoadDocuments().Filter(filter, mask);
}

void ScanBlock::Read(size_t column, size_t passing_count, Vector& output) {
  if (column == kRowNumberColumn) {
    output.MakeSequence(static_cast<int64_t>(position_.first_row + position_.block * kVectorSize), 1);
    return;
  }
  SegmentReader& reader = ReaderOf(column);
  // If one row in 16 passes, most cache lines have a row that passes, so prefetching all of them pays.
  constexpr size_t kDensePart = 16;
  if (passing_count >= row_count_ / kDensePart) FetchRun(reader);
  reader.Read(position_.block, row_count_, output);
  if (versions_ != nullptr) ApplyPatch(PatchOf(column), row_count_, output);
}

}  // namespace scaup
