// Random access rows: spillable rows that are read by position, and again.
#pragma once

#include <memory>
#include <mutex>

#include "execution/rows/spillable_rows.hpp"

namespace scaup {

/// Finished rows, and the pieces of them that were read last: these stay in memory. Any number of threads may
/// read.
class RandomAccessRows {
 public:
  explicit RandomAccessRows(std::unique_ptr<SpillableRows> rows) : rows_(std::move(rows)) {}

  const SpillableRows& rows() const { return *rows_; }
  /// target[i] = column[begin + i]; `target` becomes flat. Values are not copied where a whole piece is read,
  /// nor are long strings: what was read keeps them.
  void Read(size_t column, uint64_t begin, size_t count, Vector& target) const;
  /// result[i] = column[rows[i]] for flat `result` after Reset(), likewise. REQUIRES: at most 1024 of them.
  void Gather(size_t column, const uint64_t* rows, size_t count, Vector& result) const;

 private:
  /// The most pieces that are pinned: of rows next to each other, of others far in front, and behind.
  static constexpr size_t kMostHeld = 4;
  struct Held {
    RowsPiece piece;
    size_t index = 0;
    uint64_t last_use = 0;  // 0: none is held.
  };
  RowsPiece Piece(size_t index) const;

  const std::unique_ptr<SpillableRows> rows_;
  mutable std::mutex mutex_;  // Guards what follows.
  mutable Held held_[kMostHeld];
  mutable uint64_t use_count_ = 0;
};

}  // namespace scaup
