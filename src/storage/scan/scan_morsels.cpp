// Divides a table into morsels, and describes them for operators that use their order.
#include "storage/scan/scan_morsels.hpp"

#include <algorithm>

namespace scaup {

ScanMorsels::ScanMorsels(const TableView& view, size_t blocks_per_morsel)
    : view_(view), blocks_per_morsel_(blocks_per_morsel) {
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

size_t ScanMorsels::EndBlock(const Morsel& morsel) const {
  return std::min(morsel.first_block + blocks_per_morsel_, RowGroupOf(morsel).block_count());
}

double ScanMorsels::Progress() const {
  const size_t total = morsels_.size();
  if (total == 0) return 1;
  const size_t taken = std::min(next_.load(std::memory_order_relaxed), total);
  return static_cast<double>(taken) / static_cast<double>(total);
}

bool ScanMorsels::HasVersions() const {
  return std::any_of(view_.parts.begin(), view_.parts.end(), [](const TableView::Part& part) {
    return part.versions && part.versions->has_blocks();
  });
}

std::vector<uint64_t> ScanMorsels::Offsets() const {
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

std::vector<std::pair<int64_t, int64_t>> ScanMorsels::ZoneRanges(size_t column, PhysicalType type) const {
  // As in Offsets, later changes are invisible to this scan's transaction.
  if (HasVersions()) return {};
  switch (type) {
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
    const auto& segment = RowGroupOf(morsel).column(column);
    const size_t end = EndBlock(morsel);
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

}  // namespace scaup
