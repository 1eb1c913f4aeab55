// Table scan: hands out morsels, skips by zone maps, filters, and emits vectors that share the table's
// memory.
#include "storage/scan/table_scan.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "scaup/error.hpp"
#include "storage/filter/scan_filter_kernels.hpp"
#include "storage/snapshot/row_patch.hpp"

namespace scaup {

namespace {

void AddOnce(size_t column, std::vector<size_t>& columns) {
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
}

/// Returns the number of ones in a mask of zeros and ones.
size_t CountMarked(const uint8_t* mask, size_t count) {
  // Eight bytes are added at a time, each in its own byte of a word. No byte overflows: it counts at most
  // every eighth row of a vector.
  static_assert(kVectorSize / sizeof(uint64_t) <= UINT8_MAX);
  uint64_t lanes = 0;
  size_t row = 0;
  for (; row + sizeof(lanes) <= count; row += sizeof(lanes)) {
    uint64_t word;
    std::memcpy(&word, mask + row, sizeof(word));
    lanes += word;
  }
  size_t marked = 0;
  for (; lanes != 0; lanes >>= 8) marked += lanes & UINT8_MAX;
  for (; row < count; row++) marked += mask[row];
  return marked;
}

/// The number of row groups to prefetch from disk while the CPU works on one (Harizopoulos et al., VLDB
/// 2006).
constexpr size_t kPrefetchedRowGroups = 2;

/// Columns that are scanned together are prefetched in runs of blocks; see BeginBlock. All columns of a run
/// fit into the L2 cache, and leave space for the operators' data. Runs of kMostFetchedBlocks are long
/// enough.
constexpr size_t kFetchedBytes = size_t{512} << 10;
constexpr size_t kMostFetchedBlocks = 16;

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
  SCAUP_ASSERT(next_morsel_.load(std::memory_order_relaxed) == 0);
  specification_.predicate.filters.push_back(std::move(filter));
  SortColumns();
}

void TableScan::AddFilterColumn(size_t output_column) {
  SCAUP_ASSERT(next_morsel_.load(std::memory_order_relaxed) == 0);
  AddOnce(specification_.columns[output_column], wanted_early_);
  SortColumns();
}

void TableScan::SortColumns() {
  sources_ = table_columns_.SourcesOfAll(specification_.columns, specification_.predicate.filters);
  size_t row_bytes = 1;  // not 0, for scans without stored columns
  for (const size_t column : sources_) row_bytes += PhysicalSize(PhysicalTypeOf(table_columns_[column]));
  blocks_per_run_ = std::min(kFetchedBytes / (row_bytes * kVectorSize), kMostFetchedBlocks);
  filtered_projections_.clear();
  early_.clear();
  early_projections_.clear();
  late_filtered_.clear();
  late_.clear();
  records_.clear();
  specification_.predicate.ForEachFilter([&](const ScanFilter& filter) {
    if (!table_columns_.IsStored(filter.column)) AddOnce(filter.column, filtered_projections_);
  });
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
    } else if (column == kRowNumberColumn || table_columns_.IsStored(column)) {
      early_.push_back(i);
    } else if (is_wanted_early(column)) {
      early_projections_.push_back(i);
    } else if (is_filtered(column)) {
      late_filtered_.push_back(i);
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
  // A row that is deleted after this check is still visible to this scan's transaction.
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

std::vector<std::pair<int64_t, int64_t>> TableScan::MorselRanges(size_t output_column) const {
  const size_t column = specification_.columns[output_column];
  // As in MorselOffsets, later changes are invisible to this scan's transaction.
  if (column == kRowNumberColumn || !table_columns_.IsStored(column) || HasVersions()) return {};
  switch (PhysicalTypeOf(table_columns_[column])) {
    case PhysicalType::kBool:
    case PhysicalType::kInt8:
    case PhysicalType::kInt128:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kString:
    case PhysicalType::kInterval: return {};
    case PhysicalType::kInt16:
    case PhysicalType::kInt32:
    case PhysicalType::kInt64: break;
  }
  std::vector<std::pair<int64_t, int64_t>> ranges;
  ranges.reserve(morsels_.size());
  for (const Morsel& morsel : morsels_) {
    const RowGroup& row_group = *view_.parts[morsel.part].snapshot->row_groups[morsel.row_group];
    const auto& segment = row_group.column(column);
    const size_t end = std::min(morsel.first_block + blocks_per_morsel_, row_group.block_count());
    auto& [least, greatest] = ranges.emplace_back(INT64_MAX, INT64_MIN);
    for (size_t block = morsel.first_block; block < end; block++) {
      const ZoneMap& zone = segment->block_zone(block);
      if (!zone.has_bounds) continue;
      least = std::min(least, static_cast<int64_t>(zone.minimum.integer));
      greatest = std::max(greatest, static_cast<int64_t>(zone.maximum.integer));
    }
  }
  return ranges;
}

bool TableScan::IsExcluded(const RowGroup& row_group, const VersionReader* versions) const {
  // Zone maps describe stored values only. An updated value may pass although no stored one does.
  return !specification_.predicate.MayBeMet([&](const ScanFilter& filter) {
    return table_columns_.Match(row_group, filter) != ZoneMatch::kNone ||
           (versions != nullptr && table_columns_.MayMatch(*versions, filter));
  });
}

void TableScan::PrefetchAfter(const Morsel& morsel) {
  // The second part is the transaction's own rows, which are in memory.
  if (morsel.part != 0) return;
  const TableSnapshot& snapshot = *view_.parts[0].snapshot;
  size_t next = prefetched_.load(std::memory_order_relaxed);
  const size_t end = std::min(morsel.row_group + 1 + kPrefetchedRowGroups, snapshot.row_groups.size());
  while (next < end) {
    if (!prefetched_.compare_exchange_weak(next, next + 1, std::memory_order_relaxed)) continue;
    const RowGroup& wanted = *snapshot.row_groups[next];
    try {
      // Versions are not checked. If an updated row makes an excluded row group necessary, the scan reads the
      // row group without prefetching.
      if (wanted.is_stored() && !IsExcluded(wanted, nullptr)) {
        for (const size_t column : sources_) wanted.column(column)->Prefetch();
      }
    } catch (const std::exception&) {
      // The scan reports the error when it reads the row group, if it gets there at all.
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
    position.fetched_end = 0;
    position.end_block = std::min(position.block + blocks_per_morsel_, row_group->block_count());
    // Morsels of one row group share its readers.
    if (position.row_group != row_group.get()) {
      position.row_group = row_group.get();
      position.documents.reset();
      position.readers.clear();
      position.readers.resize(table_columns_.stored_count());
    }
    // The prefetch goes on while this thread reads the morsel, or skips it.
    PrefetchAfter(morsel);
    if (specification_.predicate.is_true() ||
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
  if (!NextFilterColumns(position, output)) return false;
  if (output.size() != 0) ReadRemainingColumns(position, nullptr, output.size(), output);
  return true;
}

bool TableScan::NextFilterColumns(Position& position, DataChunk& output) {
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

// The hardware prefetcher follows one column well. Two or more columns evict the operators' data from the L1
// cache block by block. The misses that reload it make the prefetcher lose track of the columns: with 1024
// values of each in turn, it reads at half its speed. So a run of blocks of one column is prefetched, then
// the same run of the next one.
void TableScan::BeginBlock(Position& position) const {
  constexpr size_t kMostFollowed = 1;  // columns that the hardware follows by itself
  position.last_whole_columns = position.whole_columns.size();
  position.whole_columns.clear();
  position.begins_run = position.last_whole_columns > kMostFollowed && position.block >= position.fetched_end;
  if (position.begins_run)
    position.fetched_end = std::min(position.block + blocks_per_run_, position.end_block);
}

void TableScan::FetchRun(Position& position, SegmentReader& reader) const {
  if (blocks_per_run_ <= 1) return;
  auto& columns = position.whole_columns;
  if (std::find(columns.begin(), columns.end(), &reader) != columns.end()) return;  // A filter has read it.
  columns.push_back(&reader);
  if (!position.begins_run) return;
  for (size_t block = position.block; block < position.fetched_end; block++)
    reader.Fetch(block, position.row_group->BlockRows(block));
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
  // With updated values, the zone map decides only for the stored ones, so a mask is needed in any case.
  if (patch == nullptr && match != ZoneMatch::kSome) return match;
  switch (match) {
    case ZoneMatch::kNone: std::memset(mask, 0, row_count); break;
    case ZoneMatch::kAll: std::memset(mask, 1, row_count); break;
    case ZoneMatch::kSome:
      FetchRun(position, reader);
      reader.Filter(position.block, row_count, filter, mask);
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

ZoneMatch TableScan::FilterColumn(Position& position, size_t row_count, VersionReader* versions,
                                  const ScanFilter& filter, uint8_t* mask) {
  if (table_columns_.IsStored(filter.column))
    return FilterStored(position, row_count, versions, filter, mask);
  return LoadDocuments(position, row_count, versions).Filter(filter, mask);
}

bool TableScan::FilterAny(Position& position, size_t row_count, VersionReader* versions,
                          std::span<const ScanFilter> any, BlockMask& mask) {
  // The filter above repeats the test. So if at least half of the first rows pass, the test costs more than
  // it saves, and is given up.
  constexpr size_t kTrialRows = 16 * kVectorSize;
  if (position.tried_rows >= kTrialRows && position.kept_rows > position.tried_rows / 2) return true;
  uint8_t passing[kVectorSize], more[kVectorSize];
  bool has_some = false;
  position.tried_rows += row_count;
  for (const ScanFilter& filter : any) {
    const ZoneMatch match = FilterColumn(position, row_count, versions, filter, has_some ? more : passing);
    if (match == ZoneMatch::kAll) {
      position.kept_rows += row_count;
      return true;
    }
    if (match == ZoneMatch::kNone) continue;
    if (has_some) kernels_.mask_or(passing, more, row_count);
    has_some = true;
  }
  if (!has_some) return false;
  const size_t kept = CountMarked(passing, row_count);
  position.kept_rows += kept;
  if (mask.all_pass) {
    std::memcpy(mask.rows, passing, row_count);
  } else {
    kernels_.mask_and(mask.rows, passing, row_count);
  }
  mask.all_pass = false;
  return kept != 0;
}

bool TableScan::FilterBlock(Position& position, size_t row_count, VersionReader* versions, BlockMask& mask) {
  if (versions != nullptr) {
    std::memset(mask.rows, 0, row_count);
    if (versions->ReadDeleted(mask.rows)) {
      for (size_t row = 0; row < row_count; row++) mask.rows[row] ^= 1;
      mask.all_pass = false;
    }
  }
  uint8_t passing[kVectorSize];
  for (const ScanFilter& filter : specification_.predicate.filters) {
    const ZoneMatch match =
        FilterColumn(position, row_count, versions, filter, mask.all_pass ? mask.rows : passing);
    if (match == ZoneMatch::kNone) return false;
    if (match == ZoneMatch::kAll) continue;
    // The first filter that rejects rows has written straight to the mask.
    if (!mask.all_pass) kernels_.mask_and(mask.rows, passing, row_count);
    mask.all_pass = false;
  }
  for (const auto& any : specification_.predicate.alternatives) {
    if (!FilterAny(position, row_count, versions, any, mask)) return false;
  }
  return true;
}

void TableScan::ReadColumn(Position& position, size_t row_count, size_t passing_count,
                           VersionReader* versions, size_t column, Vector& output) {
  if (column == kRowNumberColumn) {
    output.MakeSequence(static_cast<int64_t>(position.first_row + position.block * kVectorSize), 1);
    return;
  }
  ReadStored(position, row_count, passing_count, versions, column, output);
}

void TableScan::ReadStored(Position& position, size_t row_count, size_t passing_count,
                           VersionReader* versions, size_t column, Vector& output) {
  SegmentReader& reader = ReaderOf(position, column);
  // If one row in 16 passes, most cache lines have a row that passes, so prefetching all of them pays.
  constexpr size_t kDensePart = 16;
  if (passing_count >= row_count / kDensePart) FetchRun(position, reader);
  reader.Read(position.block, row_count, output);
  if (versions != nullptr) ApplyPatch(PatchOf(position, *versions, column), row_count, output);
}

bool TableScan::ReadBlock(Position& position, DataChunk& output) {
  BeginBlock(position);
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
    // Operators often refer to a chunk until they get the next one. So two selection vectors alternate, and
    // one is reused once nothing else refers to it.
    position.late_rows.reset();
    std::swap(position.selection, position.last_selection);
    if (position.selection.use_count() != 1)
      position.selection = std::make_shared_for_overwrite<SelectionVector>();
    selection = position.selection;
    count = kernels_.select(mask.rows, row_count, selection->rows);
    if (count == 0) return false;
  }
  if (!late_.empty() || !late_filtered_.empty() || !records_.empty())
    LoadDocuments(position, row_count, versions);
  // Whole blocks are read and then sliced: most vectors share the table's memory, so no values are copied.
  for (const size_t place : early_)
    ReadColumn(position, row_count, count, versions, specification_.columns[place], output.column(place));
  output.SetSize(row_count);
  if (count < row_count) output.Slice(selection, count);
  if (count == row_count) selection = nullptr;
  for (const size_t place : early_projections_) {
    LoadDocuments(position, row_count, versions)
        .ReadFiltered(specification_.columns[place], selection, count, output.column(place));
  }
  position.late_rows = std::move(selection);
  output.batch_index = position.morsel;
  return true;
}

void TableScan::ReadRemainingColumns(Position& position, const SelectionRef& kept, size_t kept_count,
                                     DataChunk& output) {
  if (kept) output.Slice(kept, kept_count);
  if (!has_late_columns() && late_filtered_.empty()) return;
  // `kept` selects among the chunk's rows, which are themselves a selection of the block's.
  SelectionRef rows = position.late_rows;
  if (kept && rows) {
    auto composed = std::make_shared<SelectionVector>();
    for (size_t i = 0; i < kept_count; i++) composed->rows[i] = rows->rows[kept->rows[i]];
    rows = std::move(composed);
  } else if (kept) {
    rows = kept;
  }
  for (const size_t place : records_) position.documents->ReadRecords(rows, kept_count, output.column(place));
  for (const size_t place : late_filtered_)
    position.documents->ReadFiltered(specification_.columns[place], rows, kept_count, output.column(place));
  if (late_.empty()) return;
  std::vector<Vector*> outputs;
  for (const size_t place : late_) outputs.push_back(&output.column(place));
  position.documents->ReadChosen(rows, kept_count, outputs);
}

}  // namespace scaup
