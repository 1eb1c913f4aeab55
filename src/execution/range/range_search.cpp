// Range search: binary searches for all rows at once, and descents in trees of extremes.
#include "execution/range/range_search.hpp"

#include <algorithm>
#include <numeric>

#include "common/throw.hpp"
#include "execution/range/count_below.hpp"

namespace scaup {

RangeSearch::RangeSearch(const RangeIndex& index) : index_(index) {
  for (size_t i = 0; i < index.extremes_.size(); i++)
    bounds_.push_back(std::make_unique<uint64_t[]>(kVectorSize));
}

void RangeSearch::Begin(DataChunk& wanted, size_t count) {
  std::fill(begins_, begins_ + count, 0);
  std::fill(ends_, ends_ + count, index_.keyed_count_);
  std::fill(has_null_, has_null_ + count, false);
  std::fill(finds_none_, finds_none_ + count, false);
  for (const auto& bounds : bounds_) std::fill(bounds.get(), bounds.get() + count, 0);
  const std::vector<RangeCondition>& conditions = index_.schema_.conditions;
  for (size_t i = 0; i < conditions.size(); i++) {
    const UnifiedView values = wanted.column(i).View(count);
    for (size_t row = 0; values.validity != nullptr && row < count; row++)
      has_null_[row] |= !values.IsValid(row);
    index_.codes_[conditions[i].key].Encode(values, count, codes_);
    if (conditions[i].key == 0) {
      NarrowStretches(conditions[i].op, count);
    } else {
      RaiseBounds(i, count);
    }
  }
  for (size_t row = 0; row < count; row++) {
    if (has_null_[row] || finds_none_[row] || begins_[row] > ends_[row]) begins_[row] = ends_[row] = 0;
  }
}

void RangeSearch::NarrowStretches(ComparisonOp op, size_t count) {
  const auto from_place = [&](const auto& count_below) {
    count_below(index_.first_codes_, codes_, count, places_);
    for (size_t row = 0; row < count; row++) begins_[row] = std::max(begins_[row], places_[row]);
  };
  const auto to_place = [&](const auto& count_below) {
    count_below(index_.first_codes_, codes_, count, places_);
    for (size_t row = 0; row < count; row++) ends_[row] = std::min(ends_[row], places_[row]);
  };
  switch (op) {
    case ComparisonOp::kLess: return from_place(CountBelow<true>);
    case ComparisonOp::kLessEqual: return from_place(CountBelow<false>);
    case ComparisonOp::kGreater: return to_place(CountBelow<false>);
    case ComparisonOp::kGreaterEqual: return to_place(CountBelow<true>);
    case ComparisonOp::kEqual:
    case ComparisonOp::kNotEqual:
    case ComparisonOp::kDistinctFrom:
    case ComparisonOp::kNotDistinctFrom: ThrowInternal("no inequality");
  }
}

void RangeSearch::RaiseBounds(size_t condition, size_t count) {
  const size_t extremes = index_.extremes_of_[condition];
  const bool is_strict = index_.schema_.conditions[condition].is_strict();
  const uint64_t complement = index_.extremes_[extremes].of_complements ? ~uint64_t{0} : 0;
  uint64_t* bounds = bounds_[extremes].get();
  for (size_t row = 0; row < count; row++) {
    const uint64_t code = codes_[row] ^ complement;
    finds_none_[row] |= is_strict && code == UINT64_MAX;  // No code is greater.
    bounds[row] = std::max(bounds[row], code + (is_strict ? 1 : 0));
  }
}

size_t RangeSearch::Find(size_t row, uint64_t& position, uint64_t end, size_t most, uint64_t* found) const {
  if (!finds_stretches()) {
    return bounds_.size() == 1 ? FindByTrees<true>(row, position, end, most, found)
                               : FindByTrees<false>(row, position, end, most, found);
  }
  const size_t count = std::min<uint64_t>(most, end - position);
  std::iota(found, found + count, position);
  position += count;
  return count;
}

template <bool kOneTree>
size_t RangeSearch::FindByTrees(size_t row, uint64_t& position, uint64_t end, size_t most,
                                uint64_t* found) const {
  const size_t levels = index_.extremes_[0].tree.level_count();
  const uint64_t first_bound = bounds_[0][row];
  const auto reaches = [&](size_t level, uint64_t place) {
    if (index_.extremes_[0].tree.level(level)[place] < first_bound) return false;
    for (size_t i = 1; !kOneTree && i < bounds_.size(); i++)
      if (index_.extremes_[i].tree.level(level)[place] < bounds_[i][row]) return false;
    return true;
  };
  size_t count = 0;
  size_t level = 0;
  uint64_t place = position;
  // Climb as long as `place` is the first child of its parent: the parent then covers only unvisited places.
  const auto climb = [&] {
    for (; level + 1 < levels && place % GreatestTree::kFan == 0; level++) place >>= GreatestTree::kFanBits;
  };
  climb();
  while (place << (level * GreatestTree::kFanBits) < end) {
    if (!reaches(level, place)) {
      place++;
      climb();
    } else if (level != 0) {
      level--;
      place <<= GreatestTree::kFanBits;
    } else {
      found[count++] = place++;
      if (count == most) {
        position = place;
        return count;
      }
      climb();
    }
  }
  position = end;
  return count;
}

}  // namespace scaup
