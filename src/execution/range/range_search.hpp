// Range search: what one thread looks for in a range index, for up to 1024 rows of values at a time.
#pragma once

#include <memory>
#include <vector>

#include "execution/range/range_index.hpp"

namespace scaup {

/// One thread at a time. Borrows the index.
class RangeSearch {
 public:
  explicit RangeSearch(const RangeIndex& index);

  /// Looks for the rows of the index that fulfil all conditions for each of `count` rows of values; column i
  /// of `wanted` is what condition i compares.
  void Begin(DataChunk& wanted, size_t count);

  /// The range of the index that has all that one of these rows finds. Empty where a value is NULL.
  uint64_t begin(size_t row) const { return begins_[row]; }
  uint64_t end(size_t row) const { return ends_[row]; }
  bool has_null(size_t row) const { return has_null_[row]; }
  /// Whether all rows of a stretch are found.
  bool finds_stretches() const { return index_.extremes_.empty(); }
  /// Writes the next rows that are found in [position, end), ascending, `most` of them at most; returns how
  /// many. Moves `position` behind them, or to `end` where there are no more.
  size_t Find(size_t row, uint64_t& position, uint64_t end, size_t most, uint64_t* found) const;

 private:
  void NarrowStretches(ComparisonOp op, size_t count);
  void RaiseBounds(size_t condition, size_t count);
  template <bool kOneTree>
  size_t FindByTrees(size_t row, uint64_t& position, uint64_t end, size_t most, uint64_t* found) const;

  const RangeIndex& index_;
  uint64_t begins_[kVectorSize];
  uint64_t ends_[kVectorSize];
  bool has_null_[kVectorSize];
  bool finds_none_[kVectorSize];
  uint64_t codes_[kVectorSize];
  uint64_t places_[kVectorSize];
  // By extremes and row: what their numbers must reach.
  std::vector<std::unique_ptr<uint64_t[]>> bounds_;
};

}  // namespace scaup
