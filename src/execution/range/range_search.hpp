// Range search: one thread's searches in a range index, for up to 1024 rows of values at a time.
#pragma once

#include <memory>
#include <vector>

#include "execution/range/range_index.hpp"

namespace scaup {

/// Searches a range index. One thread at a time. Borrows the index.
class RangeSearch {
 public:
  explicit RangeSearch(const RangeIndex& index);

  /// Begins a search, for each of `count` rows of values, for the index rows that satisfy all conditions.
  /// Column i of `wanted` has the values of condition i.
  void Begin(DataChunk& wanted, size_t count);

  /// The range of index positions that contains all results of a row. Empty if one of its values is NULL.
  uint64_t begin(size_t row) const { return begins_[row]; }
  uint64_t end(size_t row) const { return ends_[row]; }
  bool has_null(size_t row) const { return has_null_[row]; }
  /// Whether every position of the range is a result.
  bool finds_stretches() const { return index_.extremes_.empty(); }
  /// Writes the next results in [position, end) in ascending order, at most `most`, and returns their number.
  /// Moves `position` past them, or to `end` if there are no more.
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
  // By tree and row: the bound that codes must reach.
  std::vector<std::unique_ptr<uint64_t[]>> bounds_;
};

}  // namespace scaup
