// Key rows: blocks of the rows to be sorted.
#include "execution/sort/key_rows.hpp"

#include <algorithm>

namespace scaup {

namespace {
constexpr uint64_t kRowMask = CollectionRow(1, 0) - 1;
}

KeyRows::KeyRows(std::span<const ColumnCollection* const> collections) : collections_(collections) {
  for (size_t i = 0; i < collections.size(); i++) {
    row_count_ += collections[i]->row_count();
    for (size_t piece = 0; piece < collections[i]->piece_count(); piece++)
      first_rows_.push_back(CollectionRow(i, piece * kVectorSize));
  }
  block_count_ = first_rows_.size();
}

KeyRows::KeyRows(std::span<const ColumnCollection* const> collections, std::span<const uint64_t> rows)
    : collections_(collections),
      rows_(rows),
      row_count_(rows.size()),
      block_count_((rows.size() + kVectorSize - 1) / kVectorSize) {}

size_t KeyRows::BlockRows(size_t block) const {
  if (!rows_.empty()) return std::min(kVectorSize, row_count_ - block * kVectorSize);
  const uint64_t first = first_rows_[block];
  return collections_[first >> kCollectionRowBits]->PieceRows((first & kRowMask) / kVectorSize);
}

KeyBlock KeyRows::Read(size_t column, size_t block, Vector& buffer) const {
  if (rows_.empty()) {
    const uint64_t first = first_rows_[block];
    const UnifiedView view =
        collections_[first >> kCollectionRowBits]->PieceView(column, (first & kRowMask) / kVectorSize);
    return {view.data, view.validity};
  }
  buffer.Reset();
  GatherFrom(collections_, column, rows_.data() + block * kVectorSize, BlockRows(block), buffer);
  return {buffer.Data<std::byte>(), buffer.Validity()};
}

}  // namespace scaup
