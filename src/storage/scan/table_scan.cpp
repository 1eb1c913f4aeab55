// Table scan: hands out morsels, skips by zone maps, filters, and emits vectors that share the table's
// memory.
#include "storage/scan/table_scan.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

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

}  // namespace

TableScan::TableScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
                     const KernelTable& kernels, size_t blocks_per_morsel)
    : view_(std::move(view)),
      table_columns_(std::move(table_columns)),
      specification_(std::move(specification)),
      kernels_(kernels),
      morsels_(view_, blocks_per_morsel) {
  SortColumns();
}

void TableScan::AddFilter(ScanFilter filter) {
  SCAUP_ASSERT(!morsels_.has_begun());
  if (filter.op == ScanFilter::Op::kTest && table_columns_.IsStored(filter.column))
    morsels_.PutInOrder(filter, PhysicalTypeOf(table_columns_[filter.column]));
  specification_.predicate.filters.push_back(std::move(filter));
  SortColumns();
}

void TableScan::AddFilterColumn(size_t output_column) {
  SCAUP_ASSERT(!morsels_.has_begun());
  const size_t column = specification_.columns[output_column];
  if (std::find(wanted_early_.begin(), wanted_early_.end(), column) == wanted_early_.end())
    wanted_early_.push_back(column);
  SortColumns();
}

void TableScan::SortColumns() {
  steps_ = MakeScanSteps(table_columns_, specification_.columns, specification_.predicate, wanted_early_);
}

std::vector<std::pair<int64_t, int64_t>> TableScan::MorselRanges(size_t output_column) const {
  const size_t column = specification_.columns[output_column];
  if (column == kRowNumberColumn || !table_columns_.IsStored(column)) return {};
  return morsels_.ZoneRanges(column, PhysicalTypeOf(table_columns_[column]));
}

bool TableScan::IsExcluded(const RowGroup& row_group, const VersionReader* versions) const {
  // Zone maps describe stored values only. An updated value may pass although no stored one does.
  return !specification_.predicate.MayBeMet([&](const ScanFilter& filter) {
    return table_columns_.Match(row_group, filter) != ZoneMatch::kNone ||
           (versions != nullptr && table_columns_.MayMatch(*versions, filter));
  });
}

void TableScan::PrefetchAfter(size_t index) {
  size_t next = prefetched_.load(std::memory_order_relaxed);
  const size_t end =
      std::min(index + 1 + kPrefetchedRowGroups * morsels_.most_of_row_group(), morsels_.count());
  while (next < end) {
    if (!prefetched_.compare_exchange_weak(next, next + 1, std::memory_order_relaxed)) continue;
    const ScanMorsels::Morsel& morsel = morsels_[next];
    const RowGroup& wanted = morsels_.RowGroupOf(morsel);
    try {
      // Versions are not checked. If an updated row makes an excluded row group necessary, the scan reads the
      // row group without prefetching.
      if (morsel.first_block == 0 && wanted.is_stored() && !IsExcluded(wanted, nullptr)) {
        for (const size_t column : steps_.sources) wanted.column(column)->Prefetch();
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
    const size_t index = morsels_.Take();
    if (index >= morsels_.count()) {
      position.block = position.end_block;
      return false;
    }
    const ScanMorsels::Morsel& morsel = morsels_[index];
    const TableSnapshot& snapshot = *view_.parts[morsel.part].snapshot;
    const auto& row_group = snapshot.row_groups[morsel.row_group];
    position.part = morsel.part;
    position.first_row = snapshot.first_rows[morsel.row_group];
    position.morsel = index;
    position.block = morsel.first_block;
    position.fetched_end = 0;
    position.end_block = morsel.end_block;
    // Morsels of one row group share its readers.
    if (position.row_group != row_group.get()) {
      position.row_group = row_group.get();
      position.documents.reset();
      position.readers.clear();
      position.readers.resize(table_columns_.stored_count());
    }
    // The prefetch goes on while this thread reads the morsel, or skips it.
    PrefetchAfter(index);
    if (specification_.predicate.is_true() ||
        !IsExcluded(*row_group, position.SeekVersions(position.first_row, row_group->row_count()))) {
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

bool TableScan::FilterAny(Position& position, ScanBlock& block, std::span<const ScanFilter> any,
                          BlockMask& mask) {
  // The filter above repeats the test. So if at least half of the first rows pass, the test costs more than
  // it saves, and is given up.
  constexpr size_t kTrialRows = 16 * kVectorSize;
  if (position.tried_rows >= kTrialRows && position.kept_rows > position.tried_rows / 2) return true;
  const size_t row_count = block.row_count();
  uint8_t passing[kVectorSize], more[kVectorSize];
  bool has_some = false;
  position.tried_rows += row_count;
  for (const ScanFilter& filter : any) {
    const ZoneMatch match = block.Filter(filter, has_some ? more : passing);
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

bool TableScan::FilterBlock(Position& position, ScanBlock& block, BlockMask& mask) {
  const size_t row_count = block.row_count();
  if (VersionReader* versions = block.versions(); versions != nullptr) {
    std::memset(mask.rows, 0, row_count);
    if (versions->ReadDeleted(mask.rows)) {
      for (size_t row = 0; row < row_count; row++) mask.rows[row] ^= 1;
      mask.all_pass = false;
    }
  }
  uint8_t passing[kVectorSize];
  for (const ScanFilter& filter : specification_.predicate.filters) {
    const ZoneMatch match = block.Filter(filter, mask.all_pass ? mask.rows : passing);
    if (match == ZoneMatch::kNone) return false;
    if (match == ZoneMatch::kAll) continue;
    // The first filter that rejects rows has written straight to the mask.
    if (!mask.all_pass) kernels_.mask_and(mask.rows, passing, row_count);
    mask.all_pass = false;
  }
  for (const auto& any : specification_.predicate.alternatives) {
    if (!FilterAny(position, block, any, mask)) return false;
  }
  return true;
}

bool TableScan::ReadBlock(Position& position, DataChunk& output) {
  ScanBlock block(position, table_columns_, steps_, kernels_);
  const size_t row_count = block.row_count();
  BlockMask mask;
  if (!FilterBlock(position, block, mask)) {
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
  if (!steps_.late.empty() || !steps_.late_filtered.empty() || !steps_.records.empty()) block.LoadDocuments();
  // Whole blocks are read and then sliced: most vectors share the table's memory, so no values are copied.
  for (const size_t place : steps_.early)
    block.Read(specification_.columns[place], count, output.column(place));
  output.SetSize(row_count);
  if (count < row_count) output.Slice(selection, count);
  if (count == row_count) selection = nullptr;
  for (const size_t place : steps_.early_projections) {
    block.LoadDocuments().ReadFiltered(specification_.columns[place], selection, count, output.column(place));
  }
  position.late_rows = std::move(selection);
  output.batch_index = position.morsel;
  return true;
}

void TableScan::ReadRemainingColumns(Position& position, const SelectionRef& kept, size_t kept_count,
                                     DataChunk& output) {
  if (kept) output.Slice(kept, kept_count);
  if (!has_late_columns() && steps_.late_filtered.empty()) return;
  // `kept` selects among the chunk's rows, which are themselves a selection of the block's.
  SelectionRef rows = position.late_rows;
  if (kept && rows) {
    auto composed = std::make_shared<SelectionVector>();
    for (size_t i = 0; i < kept_count; i++) composed->rows[i] = rows->rows[kept->rows[i]];
    rows = std::move(composed);
  } else if (kept) {
    rows = kept;
  }
  for (const size_t place : steps_.records)
    position.documents->ReadRecords(rows, kept_count, output.column(place));
  for (const size_t place : steps_.late_filtered)
    position.documents->ReadFiltered(specification_.columns[place], rows, kept_count, output.column(place));
  if (steps_.late.empty()) return;
  std::vector<Vector*> outputs;
  for (const size_t place : steps_.late) outputs.push_back(&output.column(place));
  position.documents->ReadChosen(rows, kept_count, outputs);
}

}  // namespace scaup
