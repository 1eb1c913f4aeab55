// Random access rows: spillable rows that are read by position, any number of times.
#pragma once

#include <memory>

#include "common/lock/mutex.hpp"
#include "execution/rows/spillable_rows.hpp"

namespace scaup {

/// Finished rows with a cache of the spilled pieces that were read last. Any number of threads may read.
class RandomAccessRows {
 public:
  explicit RandomAccessRows(std::unique_ptr<SpillableRows> rows) : rows_(std::move(rows)) {}

  const SpillableRows& rows() const { return *rows_; }
  /// target[i] = column[begin + i]; `target` becomes flat. Neither a whole piece nor long strings are copied:
  /// `target` then pins the piece.
  void Read(size_t column, uint64_t begin, size_t count, Vector& target) const;
  /// result[i] = column[rows[i]], likewise, for a flat `result` after Reset(). REQUIRES: at most 1024 rows.
  void Gather(size_t column, const uint64_t* rows, size_t count, Vector& result) const;

 private:
  /// The most cached pieces: for rows next to each other, and for rows far ahead and far behind.
  static constexpr size_t kMostHeld = 4;
  /// A cache entry.
  struct Held {
    RowsPiece piece;
    size_t index = 0;
    uint64_t last_use = 0;  // 0: the entry is empty.
  };
  RowsPiece Piece(size_t index) const;

  const std::unique_ptr<SpillableRows> rows_;
  mutable Mutex mutex_;
  // Cached pieces; the least recently used one is replaced.
  mutable Held held_[kMostHeld] SCAUP_GUARDED_BY(mutex_);
  mutable uint64_t use_count_ SCAUP_GUARDED_BY(mutex_) = 0;
};

}  // namespace scaup
