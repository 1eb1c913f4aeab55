// Matched rows: bitmaps of the rows of a join side that have found a partner.
#pragma once

#include <atomic>
#include <memory>

#include "common/memory/memory_tracker.hpp"
#include "execution/join/join_output.hpp"

namespace scaup {

/// One bit for each row. Owned by a join's shared state. Any number of threads may use it after Begin.
class MatchedRows {
 public:
  explicit MatchedRows(MemoryTracker& memory) : reservation_(memory) {}
  /// Starts with `row_count` unmatched rows.
  void Begin(uint64_t row_count);

  bool Has(uint64_t row) const {
    return (words_[row / 64].load(std::memory_order_relaxed) >> row % 64 & 1) != 0;
  }
  /// Marks a row as matched. Returns true if it was unmatched before.
  bool Add(uint64_t row) {
    const uint64_t bit = uint64_t{1} << row % 64;
    // Most rows are matched already; reading first avoids contention for the cache line.
    return !Has(row) && (words_[row / 64].fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }

  /// The unmatched rows of a piece of 1024 rows.
  struct Unmatched {
    size_t piece = 0;
    size_t count = 0;
    sel_t rows[kVectorSize];  ///< within the piece
  };
  /// Returns the unmatched rows of the next piece that has any, each to one caller only; false if there are
  /// no more. Several threads may call it, but only after all calls of Add, which would change the answer.
  bool NextUnmatched(Unmatched& result);

 private:
  MemoryReservation reservation_;
  uint64_t row_count_ = 0;
  std::unique_ptr<std::atomic<uint64_t>[]> words_;
  std::atomic<size_t> next_piece_{0};
};

/// Matches of left rows found in earlier blocks of right rows, two bits for each row. Thread-safe as
/// MatchedRows.
class EarlierMatches {
 public:
  EarlierMatches(uint64_t row_count, MemoryTracker& memory);
  /// Records matches of the rows from `first_row` on. Returns whether a row that matches now had matched
  /// before.
  bool Note(const ProbeMatches& matches, uint64_t first_row, size_t count);
  /// Adds the recorded matches to `matches`.
  void Recall(uint64_t first_row, size_t count, ProbeMatches& matches) const;

 private:
  MatchedRows matched_, unknown_;
};

}  // namespace scaup
