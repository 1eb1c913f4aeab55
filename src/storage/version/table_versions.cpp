// The directory of version blocks, and reads through it.
#include "storage/version/table_versions.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

TableVersions::BlockRef TableVersions::Find(RowNumber row) const {
  // Checked without the lock, since most tables have no versions.
  if (!has_blocks()) return nullptr;
  const size_t index = (row - first_row_) / kVectorSize;
  ReaderLock lock(mutex_);
  return index < blocks_.size() ? blocks_[index] : nullptr;
}

TableVersions::BlockRef TableVersions::Require(RowNumber row) {
  const size_t index = (row - first_row_) / kVectorSize;
  WriterLock lock(mutex_);
  // Grows by half, so that a table updated from front to back does not move the directory each time.
  if (index >= blocks_.size()) blocks_.resize(std::max(index + 1, blocks_.size() + blocks_.size() / 2));
  BlockRef& block = blocks_[index];
  if (!block) {
    block = std::make_shared<VersionBlock>(memory_);
    // Release order: a reader that sees the count finds the block.
    block_count_.fetch_add(1, std::memory_order_release);
  }
  return block;
}

std::vector<std::pair<RowNumber, TableVersions::BlockRef>> TableVersions::Blocks() const {
  return Blocks(first_row_, UINT64_MAX);
}

std::vector<std::pair<RowNumber, TableVersions::BlockRef>> TableVersions::Blocks(RowNumber begin,
                                                                                 RowNumber end) const {
  std::vector<std::pair<RowNumber, BlockRef>> found;
  if (!has_blocks() || begin >= end) return found;
  ReaderLock lock(mutex_);
  const size_t last = std::min<uint64_t>(blocks_.size(), (end - 1 - first_row_) / kVectorSize + 1);
  for (size_t i = (begin - first_row_) / kVectorSize; i < last; i++) {
    if (blocks_[i]) found.emplace_back(first_row_ + i * kVectorSize, blocks_[i]);
  }
  return found;
}

void TableVersions::DropFrom(RowNumber row) noexcept {
  if (!has_blocks()) return;
  const size_t index = (row - first_row_) / kVectorSize;
  const size_t place = (row - first_row_) % kVectorSize;
  BlockRef first;
  {
    WriterLock lock(mutex_);
    for (size_t i = place == 0 ? index : index + 1; i < blocks_.size(); i++) {
      if (!blocks_[i]) continue;
      blocks_[i].reset();
      block_count_.fetch_sub(1, std::memory_order_release);
    }
    // The block at the boundary keeps the versions of its earlier rows.
    if (place != 0 && index < blocks_.size()) first = blocks_[index];
  }
  if (!first) return;
  // Only after the directory's lock: the lock order is a block's mutex, then the directory's.
  MutexLock lock(first->mutex);
  first->DropFrom(place);
}

void TableVersions::Remove(RowNumber row) noexcept {
  const size_t index = (row - first_row_) / kVectorSize;
  WriterLock lock(mutex_);
  if (index >= blocks_.size() || !blocks_[index]) return;
  blocks_[index].reset();
  block_count_.fetch_sub(1, std::memory_order_release);
}

void VersionReader::Load(RowNumber first, size_t count) {
  loaded_ = {first, first + count};
  parts_.clear();
  blocks_.clear();
  if (versions_ && versions_->has_blocks()) blocks_ = versions_->Blocks(first, first + count);
}

bool VersionReader::Seek(RowNumber first, size_t count) {
  parts_.clear();
  const RowNumber end = first + count;
  if (first < loaded_.begin || end > loaded_.end) {
    // Without Load, each Seek must find the current blocks.
    Load(first, count);
    loaded_ = {0, 0};
  }
  for (const auto& [row, block] : blocks_) {
    if (row >= end) break;
    if (row + kVectorSize <= first) continue;
    const RowNumber begin = std::max(first, row);
    const RowNumber last = std::min(end, row + kVectorSize);
    parts_.push_back({block.get(), begin - row, last - row, begin - first});
  }
  return !parts_.empty();
}

bool VersionReader::ReadDeleted(uint8_t* mask) const {
  bool any = false;
  // Each block is locked by itself: records of a transaction that commits meanwhile are unseen either way.
  for (const Part& part : parts_) {
    MutexLock lock(part.block->mutex);
    any |= part.block->ReadDeleted(view_, part.begin, part.end, mask + part.offset);
  }
  return any;
}

void VersionReader::Read(uint32_t column, RowPatch& patch) const {
  patch.count = 0;
  bool is_reset = false;
  for (const Part& part : parts_) {
    MutexLock lock(part.block->mutex);
    // Most columns have no overlay; their patch vector need not even be reset.
    if (part.block->OverlayZone(column) == nullptr) continue;
    if (!std::exchange(is_reset, true)) patch.values.Reset();
    part.block->ReadColumn(view_, column, part.begin, part.end, part.offset, patch.rows, patch.values,
                           patch.count);
  }
}

bool VersionReader::MayMatch(const ScanFilter& filter, PhysicalType type) const {
  for (const Part& part : parts_) {
    MutexLock lock(part.block->mutex);
    const ZoneMap* zone = part.block->OverlayZone(static_cast<uint32_t>(filter.column));
    if (zone != nullptr && MatchZone(*zone, filter, type) != ZoneMatch::kNone) return true;
  }
  return false;
}

}  // namespace scaup
