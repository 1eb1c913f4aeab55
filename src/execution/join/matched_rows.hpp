// Matched rows: which rows of a side of a join have found a partner.
#pragma once

#include <atomic>
#include <memory>

#include "common/memory/memory_tracker.hpp"
#include "execution/join/join_output.hpp"

namespace scaup {

/// A bit for each row. Owned by what a join's threads share, all of which may use it once it has begun.
class MatchedRows {
 public:
  explicit MatchedRows(MemoryTracker& memory) : reservation_(memory) {}
  /// Begins with so many rows, none of which has found a partner.
  void Begin(uint64_t row_count);

  bool Has(uint64_t row) const {
    return (words_[row / 64].load(std::memory_order_relaxed) >> row % 64 & 1) != 0;
  }
  /// Whether it was not there before.
  bool Add(uint64_t row) {
    const uint64_t bit = uint64_t{1} << row % 64;
    // Most have been added before, and are only read.
    return !Has(row) && (words_[row / 64].fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }

  /// Rows without a partner in a piece of 1024.
  struct Unmatched {
    size_t piece = 0;
    size_t count = 0;
    sel_t rows[kVectorSize];  ///< within the piece
  };
  /// The rows of the next piece that has any without a partner, each for one caller only; false where there
  /// are no more. REQUIRES: no more partners are sought.
  bool NextUnmatched(Unmatched& result);

 private:
  MemoryReservation reservation_;
  uint64_t row_count_ = 0;
  std::unique_ptr<std::atomic<uint64_t>[]> words_;
  std::atomic<size_t> next_piece_{0};
};

/// Matches of left rows in blocks of right rows: two bits for each. As MatchedRows.
class EarlierMatches {
 public:
  EarlierMatches(uint64_t row_count, MemoryTracker& memory);
  /// Notes matches of the rows from `first_row` on. Returns whether one that matched now had done so before.
  bool Note(const ProbeMatches& matches, uint64_t first_row, size_t count);
  /// Adds what was noted.
  void Recall(uint64_t first_row, size_t count, ProbeMatches& matches) const;

 private:
  MatchedRows matched_, unknown_;
};

}  // namespace scaup
