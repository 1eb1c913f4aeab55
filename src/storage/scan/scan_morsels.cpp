// Divides a table into morsels, and describes them for operators that use their order.
#include "storage/scan/scan_morsels.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

ScanMorsels::ScanMorsels(const TableView& view, size_t blocks_per_morsel)
    : view_(view), blocks_per_morsel_(blocks_per_morsel) {
  for (size_t part = 0; part < view_.parts.size(); part++) {
    const TableSnapshot& snapshot = *view_.parts[part].snapshot;
    for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
      const size_t block_count = snapshot.row_groups[i]->block_count();
      for (size_t block = 0; block < block_count; block += blocks_per_morsel_)
        morsels_.push_back({static_cast<uint32_t>(part), static_cast<uint32_t>(i),
                            static_cast<uint32_t>(block),
                            static_cast<uint32_t>(std::min(block + blocks_per_morsel_, block_count))});
    }
  }
}

ZoneMap ScanMorsels::ZoneOf(const Morsel& morsel, size_t column, PhysicalType type) const {
  const RowGroup& row_group = RowGroupOf(morsel);
  const auto& segment = row_group.column(column);
  if (morsel.first_block == 0 && morsel.end_block == row_group.block_count()) return segment->zone();
  ZoneMap zone = segment->block_zone(morsel.first_block);
  for (size_t block = morsel.first_block + 1; block < morsel.end_block; block++)
    zone.Merge(segment->block_zone(block), type);
  return zone;
}

void ScanMorsels::PutInOrder(const ScanFilter& filter, PhysicalType type) {
  SCAUP_ASSERT(!has_begun() && filter.op == ScanFilter::Op::kTest);
  if (morsels_.empty()) return;
  const auto rank = [&](const Morsel& morsel) {
    return RankOfZone(ZoneOf(morsel, filter.column, type), filter);
  };
  const auto sort = [&](std::vector<Morsel>& morsels) {
    std::vector<std::pair<uint64_t, Morsel>> ranked;
    for (const Morsel& morsel : morsels) ranked.emplace_back(rank(morsel), morsel);
    std::ranges::stable_sort(ranked, {}, &std::pair<uint64_t, Morsel>::first);
    std::ranges::transform(ranked, morsels.begin(), &std::pair<uint64_t, Morsel>::second);
  };
  sort(morsels_);
  std::vector<Morsel> blocks;
  for (Morsel block = morsels_[0]; block.first_block < morsels_[0].end_block; block.first_block++) {
    block.end_block = block.first_block + 1;
    blocks.push_back(block);
  }
  sort(blocks);
  morsels_.erase(morsels_.begin());
  morsels_.insert(morsels_.begin(), blocks.begin(), blocks.end());
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
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt64:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kString:
    case PhysicalType::kInterval: return {};
    case PhysicalType::kInt16:
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32: break;
  }
  std::vector<std::pair<int64_t, int64_t>> ranges;
  ranges.reserve(morsels_.size());
  for (const Morsel& morsel : morsels_) {
    const auto& segment = RowGroupOf(morsel).column(column);
    auto& [least, greatest] = ranges.emplace_back(INT64_MAX, INT64_MIN);
    for (size_t block = morsel.first_block; block < morsel.end_block; block++) {
      const ZoneMap& zone = segment->block_zone(block);
      if (!zone.has_bounds) continue;
      least = std::min(least, static_cast<int64_t>(zone.minimum.integer));
      greatest = std::max(greatest, static_cast<int64_t>(zone.maximum.integer));
    }
  }
  return ranges;
}

}  // namespace scaup
