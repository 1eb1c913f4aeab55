// RowRanges: joining, subtracting and searching ranges.
#include "storage/version/row_ranges.hpp"

namespace scaup {

void RowRanges::Add(RowNumber first, const BlockRows& rows) {
  for (const sel_t row : rows) AddRange(first + row, first + row + 1);
}

void RowRanges::Finish() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const RowRange& a, const RowRange& b) { return a.begin < b.begin; });
  size_t count = 0;
  for (const RowRange& range : ranges_) {
    if (count != 0 && range.begin <= ranges_[count - 1].end) {
      ranges_[count - 1].end = std::max(ranges_[count - 1].end, range.end);
    } else {
      ranges_[count++] = range;
    }
  }
  ranges_.resize(count);
  ranges_.shrink_to_fit();
}

void RowRanges::Subtract(const RowRanges& other) {
  if (other.empty()) return;
  const std::vector<RowRange> all = std::exchange(ranges_, {});
  auto gone = other.ranges_.begin();
  for (RowRange range : all) {
    while (gone != other.ranges_.end() && gone->end <= range.begin) ++gone;
    for (auto part = gone; part != other.ranges_.end() && part->begin < range.end; ++part) {
      if (range.begin < part->begin) AddRange(range.begin, part->begin);
      range.begin = std::max(range.begin, part->end);
    }
    if (range.begin < range.end) AddRange(range.begin, range.end);
  }
}

bool RowRanges::ContainsAny(std::span<const RowNumber> rows) const {
  auto range = ranges_.begin();
  for (const RowNumber row : rows) {
    while (range != ranges_.end() && range->end <= row) ++range;
    if (range == ranges_.end()) return false;
    if (range->begin <= row) return true;
  }
  return false;
}

}  // namespace scaup
