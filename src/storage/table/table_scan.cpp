// Scans: morsels, zone maps, filters, and vectors that refer to the table's own memory.
#include "storage/table/table_scan.hpp"

#include <algorithm>
#include <cstring>

#include "scaup/error.hpp"
#include "storage/table/row_patch.hpp"
#include "storage/table/scan_filter_kernels.hpp"

namespace scaup {

namespace {

void AddOnce(size_t column, std::vector<size_t>& columns) {
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
}

/// How many row groups ahead are read while the CPU works on one (Harizopoulos et al., VLDB 2006, on
/// prefetching).
constexpr size_t kPrefetchedRowGroups = 2;

}  // namespace

TableScan::TableScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
                     const KernelTable& kernels, size_t blocks_per_morsel)
    : view_(std::move(view)),
      table_columns_(std::move(table_columns)),
      specification_(std::move(specification)),
      kernels_(kernels),
      blocks_per_morsel_(blocks_per_morsel) {
  SortColumns();
  for (size_t part = 0; part < view_.parts.size(); part++) {
    const TableSnapshot& snapshot = *view_.parts[part].snapshot;
    for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
      const size_t block_count = snapshot.row_groups[i]->block_count();
      for (size_t block = 0; block < block_count; block += blocks_per_morsel_)
        morsels_.push_back(
            {static_cast<uint32_t>(part), static_cast<uint32_t>(i), static_cast<uint32_t>(block)});
    }
  }
}

void TableScan::AddFilter(ScanFilter filter) {
  specification_.filters.push_back(std::move(filter));
  SortColumns();
}

void TableScan::ReadEarly(size_t output_column) {
  AddOnce(specification_.columns[output_column], wanted_early_);
  SortColumns();
}

void TableScan::SortColumns() {
  sources_ = table_columns_.SourcesOfAll(specification_.columns, specification_.filters);
  filtered_projections_.clear();
  early_.clear();
  late_.clear();
  records_.clear();
  for (const ScanFilter& filter : specification_.filters) {
    if (!table_columns_.IsStored(filter.column)) AddOnce(filter.column, filtered_projections_);
  }
  for (const size_t column : wanted_early_) {
    if (column != kRowNumberColumn && !table_columns_.IsStored(column))
      AddOnce(column, filtered_projections_);
  }
  const auto is_filtered = [&](size_t column) {
    return std::find(filtered_projections_.begin(), filtered_projections_.end(), column) !=
           filtered_projections_.end();
  };
  const auto is_wanted_early = [&](size_t column) {
    return std::find(wanted_early_.begin(), wanted_early_.end(), column) != wanted_early_.end();
  };
  for (size_t i = 0; i < specification_.columns.size(); i++) {
    const size_t column = specification_.columns[i];
    const bool is_record = column == kRecordColumn && table_columns_.HasDocuments();
    if (is_record && !is_wanted_early(column)) {
      records_.push_back(i);
    } else if (column == kRowNumberColumn || table_columns_.IsStored(column) || is_filtered(column)) {
      early_.push_back(i);
    } else {
      late_.push_back(i);
    }
  }
}

double TableScan::Progress() const {
  const size_t total = morsels_.size();
  if (total == 0) return 1;
  const size_t taken = std::min(next_morsel_.load(std::memory_order_relaxed), total);
  return static_cast<double>(taken) / static_cast<double>(total);
}

bool TableScan::HasVersions() const {
  return std::any_of(view_.parts.begin(), view_.parts.end(), [](const TableView::Part& part) {
    return part.versions && part.versions->has_blocks();
  });
}

std::vector<uint64_t> TableScan::MorselOffsets() const {
  // What is deleted later than now is so for others only.
  if (HasVersions()) return {};
  std::vector<uint64_t> offsets;
  uint64_t row_group_begin = 0;
  for (const TableView::Part& part : view_.parts) {
    for (const auto& row_group : part.snapshot->row_groups) {
      for (size_t block = 0; block < row_group->block_count(); block += blocks_per_morsel_) {
        offsets.push_back(row_group_begin + block * kVectorSize);
      }
      row_group_begin += row_group->row_count();
    }
  }
  offsets.push_back(row_group_begin);
  return offsets;
}

bool TableScan::IsExcluded(const RowGroup& row_group, const VersionReader* versions) const {
  for (const ScanFilter& filter : specification_.filters) {
    if (table_columns_.Match(row_group, filter) != ZoneMatch::kNone) continue;
    if (versions == nullptr || !table_columns_.MayMatch(*versions, filter)) return true;
  }
  return false;
}

void TableScan::PrefetchAfter(const Morsel& morsel) {
  if (morsel.part != 0) return;
  const TableSnapshot& snapshot = *view_.parts[0].snapshot;
  size_t next = prefetched_.load(std::memory_order_relaxed);
  const size_t end = std::min(morsel.row_group + 1 + kPrefetchedRowGroups, snapshot.row_groups.size());
  while (next < end) {
    if (!prefetched_.compare_exchange_weak(next, next + 1, std::memory_order_relaxed)) continue;
    const RowGroup& wanted = *snapshot.row_groups[next];
    try {
      // Rows that were updated may be wanted all the same: then they are read when their turn comes.
      if (wanted.is_stored() && !IsExcluded(wanted, nullptr)) {
        for (const size_t column : sources_) wanted.column(column)->Prefetch();
      }
    } catch (const Error&) {
      // Whoever gets there is told; perhaps nobody does.
    }
    next++;
  }
}

bool TableScan::NextMorsel(Position& position) {
  if (position.versions.empty()) {
    for (const TableView::Part& part : view_.parts)
      position.versions.emplace_back(part.versions, view_.reader);
  }
  while (true) {
    const size_t index = next_morsel_.fetch_add(1, std::memory_order_relaxed);
    if (index >= morsels_.size()) {
      position.block = position.end_block;
      return false;
    }
    const Morsel& morsel = morsels_[index];
    const TableSnapshot& snapshot = *view_.parts[morsel.part].snapshot;
    const auto& row_group = snapshot.row_groups[morsel.row_group];
    position.part = morsel.part;
    position.first_row = snapshot.first_rows[morsel.row_group];
    position.morsel = index;
    position.block = morsel.first_block;
    position.end_block = std::min(position.block + blocks_per_morsel_, row_group->block_count());
    if (position.row_group != row_group.get()) {
      position.row_group = row_group.get();
      position.documents.reset();
      position.readers.clear();
      position.readers.resize(table_columns_.stored_count());
    }
    PrefetchAfter(morsel);
    if (specification_.filters.empty() ||
        !IsExcluded(*row_group, SeekVersions(position, position.first_row, row_group->row_count()))) {
      const size_t first = position.block * kVectorSize;
      const size_t end = std::min(position.end_block * kVectorSize, row_group->row_count());
      position.versions[position.part].Load(position.first_row + first, end - first);
      return true;
    }
    counters_.blocks_skipped.fetch_add(position.end_block - position.block, std::memory_order_relaxed);
  }
}

bool TableScan::Next(Position& position, DataChunk& output) {
  if (!NextEarly(position, output)) return false;
  if (output.size() != 0) ReadLate(position, nullptr, output.size(), output);
  return true;
}

bool TableScan::NextEarly(Position& position, DataChunk& output) {
  if (position.row_group == nullptr || position.block == position.end_block) {
    if (!NextMorsel(position)) return false;
  }
  while (position.block != position.end_block) {
    const bool has_rows = ReadBlock(position, output);
    position.block++;
    if (has_rows) return true;
  }
  output.SetSize(0);
  return true;
}

SegmentReader& TableScan::ReaderOf(Position& position, size_t column) const {
  std::unique_ptr<SegmentReader>& reader = position.readers[column];
  if (!reader) reader = position.row_group->column(column)->MakeReader(kernels_);
  return *reader;
}

VersionReader* TableScan::SeekVersions(Position& position, RowNumber first_row, size_t row_count) const {
  VersionReader& versions = position.versions[position.part];
  return versions.Seek(first_row, row_count) ? &versions : nullptr;
}

RowPatch& TableScan::PatchOf(Position& position, const VersionReader& versions, size_t column) const {
  if (position.patches.empty()) position.patches.resize(table_columns_.stored_count());
  std::unique_ptr<RowPatch>& patch = position.patches[column];
  if (!patch) patch = std::make_unique<RowPatch>(table_columns_[column]);
  versions.Read(static_cast<uint32_t>(column), *patch);
  return *patch;
}

DocumentBlock& TableScan::LoadDocuments(Position& position, size_t row_count, VersionReader* versions) {
  if (!position.documents) {
    std::vector<size_t> late;
    for (const size_t place : late_) late.push_back(specification_.columns[place]);
    position.documents =
        std::make_unique<DocumentBlock>(table_columns_, filtered_projections_, late, kernels_);
  }
  DocumentBlock& documents = *position.documents;
  if (documents.is_clear()) {
    const RowPatch* patch = versions == nullptr ? nullptr : &PatchOf(position, *versions, kRecordColumn);
    documents.Seek(ReaderOf(position, kRecordColumn), position.block, row_count, patch);
  }
  return documents;
}

ZoneMatch TableScan::FilterStored(Position& position, size_t row_count, VersionReader* versions,
                                  const ScanFilter& filter, uint8_t* mask) {
  const PhysicalType type = PhysicalTypeOf(table_columns_[filter.column]);
  const RowPatch* patch = versions == nullptr ? nullptr : &PatchOf(position, *versions, filter.column);
  if (patch != nullptr && patch->count == 0) patch = nullptr;
  SegmentReader& reader = ReaderOf(position, filter.column);
  const ZoneMatch match = MatchZone(reader.segment().block_zone(position.block), filter, type);
  if (patch == nullptr && match != ZoneMatch::kSome) return match;
  switch (match) {
    case ZoneMatch::kNone: std::memset(mask, 0, row_count); break;
    case ZoneMatch::kAll: std::memset(mask, 1, row_count); break;
    case ZoneMatch::kSome: reader.Filter(position.block, row_count, filter, mask); break;
  }
  if (patch != nullptr) {
    uint8_t patch_mask[kVectorSize];
    EvaluateScanFilter(kernels_, filter, type, patch->values.Data<std::byte>(), patch->values.Validity(),
                       patch->count, patch_mask);
    for (size_t i = 0; i < patch->count; i++) mask[patch->rows[i]] = patch_mask[i];
  }
  return ZoneMatch::kSome;
}

bool TableScan::FilterColumn(Position& position, size_t row_count, VersionReader* versions,
                             const ScanFilter& filter, BlockMask& mask) {
  uint8_t filter_mask[kVectorSize];
  uint8_t* target = mask.all_pass ? mask.rows : filter_mask;
  const ZoneMatch match = table_columns_.IsStored(filter.column)
                              ? FilterStored(position, row_count, versions, filter, target)
                              : LoadDocuments(position, row_count, versions).Filter(filter, target);
  if (match == ZoneMatch::kNone) return false;
  if (match == ZoneMatch::kAll) return true;
  if (!mask.all_pass) kernels_.mask_and(mask.rows, filter_mask, row_count);
  mask.all_pass = false;
  return true;
}

bool TableScan::FilterBlock(Position& position, size_t row_count, VersionReader* versions, BlockMask& mask) {
  if (versions != nullptr) {
    std::memset(mask.rows, 0, row_count);
    if (versions->ReadDeleted(mask.rows)) {
      for (size_t row = 0; row < row_count; row++) mask.rows[row] ^= 1;
      mask.all_pass = false;
    }
  }
  for (const ScanFilter& filter : specification_.filters) {
    if (!FilterColumn(position, row_count, versions, filter, mask)) return false;
  }
  return true;
}

void TableScan::ReadColumn(Position& position, size_t row_count, VersionReader* versions, size_t column,
                           Vector& output) {
  if (column == kRowNumberColumn) {
    output.MakeSequence(static_cast<int64_t>(position.first_row + position.block * kVectorSize), 1);
    return;
  }
  if (!table_columns_.IsStored(column)) {
    output.Reference(LoadDocuments(position, row_count, versions).Filtered(column));
  } else {
    ReadStored(position, row_count, versions, column, output);
  }
}

void TableScan::ReadStored(Position& position, size_t row_count, VersionReader* versions, size_t column,
                           Vector& output) {
  ReaderOf(position, column).Read(position.block, row_count, output);
  if (versions != nullptr) ApplyPatch(PatchOf(position, *versions, column), row_count, output);
}

bool TableScan::ReadBlock(Position& position, DataChunk& output) {
  const size_t row_count = position.row_group->BlockRows(position.block);
  VersionReader* versions =
      SeekVersions(position, position.first_row + position.block * kVectorSize, row_count);
  if (position.documents) position.documents->Clear();
  BlockMask mask;
  if (!FilterBlock(position, row_count, versions, mask)) {
    counters_.blocks_skipped.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  counters_.blocks_read.fetch_add(1, std::memory_order_relaxed);
  SelectionRef selection;
  size_t count = row_count;
  if (!mask.all_pass) {
    selection = std::make_shared<SelectionVector>();
    count = kernels_.select(mask.rows, row_count, selection->rows);
    if (count == 0) return false;
  }
  if (!late_.empty() || !records_.empty()) LoadDocuments(position, row_count, versions);
  for (const size_t place : early_)
    ReadColumn(position, row_count, versions, specification_.columns[place], output.column(place));
  output.SetSize(row_count);
  if (count < row_count) output.Slice(selection, count);
  position.late_rows = count < row_count ? std::move(selection) : nullptr;
  output.batch_index = position.morsel;
  return true;
}

void TableScan::ReadLate(Position& position, const SelectionRef& kept, size_t kept_count, DataChunk& output) {
  if (kept) output.Slice(kept, kept_count);
  if (!has_late_columns()) return;
  SelectionRef rows = position.late_rows;
  if (kept && rows) {
    auto composed = std::make_shared<SelectionVector>();
    for (size_t i = 0; i < kept_count; i++) composed->rows[i] = rows->rows[kept->rows[i]];
    rows = std::move(composed);
  } else if (kept) {
    rows = kept;
  }
  for (const size_t place : records_) position.documents->ReadRecords(rows, kept_count, output.column(place));
  if (late_.empty()) return;
  std::vector<Vector*> outputs;
  for (const size_t place : late_) outputs.push_back(&output.column(place));
  position.documents->ReadChosen(rows, kept_count, outputs);
}

}  // namespace scaup
