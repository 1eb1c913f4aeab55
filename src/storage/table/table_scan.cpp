// Scans: morsels, zone maps, filters, and vectors that refer to the table's own memory.
#include "storage/table/table_scan.hpp"

#include "scaup/error.hpp"

namespace scaup {

namespace {

/// How many row groups ahead are read while the CPU works on one (Harizopoulos et al., VLDB 2006, on
/// prefetching).
constexpr size_t kPrefetchedRowGroups = 2;

}  // namespace

TableScan::TableScan(std::shared_ptr<const TableSnapshot> snapshot, std::vector<LogicalType> table_types,
                     TableScanSpecification specification, const KernelTable& kernels,
                     size_t blocks_per_morsel)
    : snapshot_(std::move(snapshot)),
      table_types_(std::move(table_types)),
      specification_(std::move(specification)),
      kernels_(kernels),
      blocks_per_morsel_(blocks_per_morsel) {
  for (size_t i = 0; i < snapshot_->row_groups.size(); i++) {
    const RowGroup& row_group = *snapshot_->row_groups[i];
    for (size_t block = 0; block < row_group.block_count(); block += blocks_per_morsel_) {
      morsel_row_group_.push_back(i);
      morsel_first_block_.push_back(block);
    }
  }
}

double TableScan::Progress() const {
  const size_t total = morsel_row_group_.size();
  if (total == 0) return 1;
  const size_t taken = std::min(next_morsel_.load(std::memory_order_relaxed), total);
  return static_cast<double>(taken) / static_cast<double>(total);
}

std::vector<uint64_t> TableScan::MorselOffsets() const {
  std::vector<uint64_t> offsets;
  uint64_t row_group_begin = 0;
  for (const auto& row_group : snapshot_->row_groups) {
    for (size_t block = 0; block < row_group->block_count(); block += blocks_per_morsel_) {
      offsets.push_back(row_group_begin + block * kVectorSize);
    }
    row_group_begin += row_group->row_count();
  }
  offsets.push_back(row_group_begin);
  return offsets;
}

bool TableScan::IsExcluded(const RowGroup& row_group) const {
  for (const ScanFilter& filter : specification_.filters) {
    const PhysicalType type = PhysicalTypeOf(table_types_[filter.column]);
    if (MatchZone(row_group.column(filter.column)->zone(), filter, type) == ZoneMatch::kNone) return true;
  }
  return false;
}

void TableScan::PrefetchAfter(size_t row_group) {
  size_t next = prefetched_.load(std::memory_order_relaxed);
  const size_t end = std::min(row_group + 1 + kPrefetchedRowGroups, snapshot_->row_groups.size());
  while (next < end) {
    if (!prefetched_.compare_exchange_weak(next, next + 1, std::memory_order_relaxed)) continue;
    const RowGroup& wanted = *snapshot_->row_groups[next];
    try {
      if (wanted.is_stored() && !IsExcluded(wanted)) {
        for (const size_t column : specification_.columns) wanted.column(column)->Prefetch();
        for (const ScanFilter& filter : specification_.filters) wanted.column(filter.column)->Prefetch();
      }
    } catch (const Error&) {
      // Whoever gets there is told; perhaps nobody does.
    }
    next++;
  }
}

bool TableScan::NextMorsel(Position& position) {
  while (true) {
    const size_t morsel = next_morsel_.fetch_add(1, std::memory_order_relaxed);
    if (morsel >= morsel_row_group_.size()) {
      position.block = position.end_block;
      return false;
    }
    const auto& row_group = snapshot_->row_groups[morsel_row_group_[morsel]];
    position.morsel = morsel;
    position.block = morsel_first_block_[morsel];
    position.end_block = std::min(position.block + blocks_per_morsel_, row_group->block_count());
    if (position.row_group != row_group.get()) {
      position.row_group = row_group.get();
      position.readers.clear();
      position.readers.resize(table_types_.size());
    }
    PrefetchAfter(morsel_row_group_[morsel]);
    if (!IsExcluded(*row_group)) return true;
    counters_.blocks_skipped.fetch_add(position.end_block - position.block, std::memory_order_relaxed);
  }
}

bool TableScan::Next(Position& position, DataChunk& output) {
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

bool TableScan::FilterBlock(Position& position, size_t row_count, uint8_t* mask, bool& all_pass) {
  all_pass = true;
  uint8_t filter_mask[kVectorSize];
  for (const ScanFilter& filter : specification_.filters) {
    const PhysicalType type = PhysicalTypeOf(table_types_[filter.column]);
    SegmentReader& reader = ReaderOf(position, filter.column);
    const ZoneMatch match = MatchZone(reader.segment().block_zone(position.block), filter, type);
    if (match == ZoneMatch::kNone) return false;
    if (match == ZoneMatch::kAll) continue;
    uint8_t* target = all_pass ? mask : filter_mask;
    reader.Filter(position.block, row_count, filter, target);
    if (!all_pass) kernels_.mask_and(mask, filter_mask, row_count);
    all_pass = false;
  }
  return true;
}

bool TableScan::ReadBlock(Position& position, DataChunk& output) {
  const size_t row_count = position.row_group->BlockRows(position.block);
  uint8_t mask[kVectorSize];
  bool all_pass = true;
  if (!FilterBlock(position, row_count, mask, all_pass)) {
    counters_.blocks_skipped.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  counters_.blocks_read.fetch_add(1, std::memory_order_relaxed);
  SelectionRef selection;
  size_t count = row_count;
  if (!all_pass) {
    selection = std::make_shared<SelectionVector>();
    count = kernels_.select(mask, row_count, selection->rows);
    if (count == 0) return false;
  }
  for (size_t i = 0; i < specification_.columns.size(); i++) {
    ReaderOf(position, specification_.columns[i]).Read(position.block, row_count, output.column(i));
  }
  output.SetSize(row_count);
  if (count < row_count) output.Slice(selection, count);
  output.batch_index = position.morsel;
  return true;
}

}  // namespace scaup
