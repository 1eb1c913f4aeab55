// RowRanges: the rows that a commit changed, in memory that does not grow with neighbouring rows.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/version/block_rows.hpp"
#include "storage/version/row_number.hpp"

namespace scaup {

/// A set of row numbers, as ranges. Immutable once Finish was called.
class RowRanges {
 public:
  /// Adds rows of the block that begins at `first`, in any order and more than once.
  void Add(RowNumber first, const BlockRows& rows);
  /// Ends adding: sorts the ranges and joins those that touch.
  void Finish();
  /// Removes the rows of another finished set.
  void Subtract(const RowRanges& other);

  bool empty() const { return ranges_.empty(); }
  const std::vector<RowRange>& ranges() const { return ranges_; }
  /// Returns whether one of `rows`, which ascend, is in the set.
  bool ContainsAny(std::span<const RowNumber> rows) const;
  /// Returns whether test(rows) holds for some of the rows, of which it gets some thousands at a time, as an
  /// ascending std::vector. What `test` requires, such as a mutex, is between it and the caller.
  template <typename Test>
  bool AnyBatch(Test&& test) const SCAUP_NO_THREAD_SAFETY_ANALYSIS {
    std::vector<RowNumber> batch;
    for (const RowRange& range : ranges_) {
      for (RowNumber row = range.begin; row < range.end;) {
        const RowNumber end = std::min<RowNumber>(range.end, row + kBatchRows - batch.size());
        for (; row < end; row++) batch.push_back(row);
        if (batch.size() < kBatchRows) break;
        if (test(std::as_const(batch))) return true;
        batch.clear();
      }
    }
    return !batch.empty() && test(std::as_const(batch));
  }

 private:
  static constexpr size_t kBatchRows = 64 * 1024;
  void AddRange(RowNumber begin, RowNumber end) {
    // Most rows follow those that were added last.
    if (!ranges_.empty() && ranges_.back().end == begin) {
      ranges_.back().end = end;
    } else {
      ranges_.push_back({begin, end});
    }
  }
  std::vector<RowRange> ranges_;
};

}  // namespace scaup
