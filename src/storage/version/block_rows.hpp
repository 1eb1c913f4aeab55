// BlockRows: some of the 1024 rows of a version block, in no more memory than they need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vector/selection_vector.hpp"

namespace scaup {

/// Ascending positions in a block. Those that follow each other, as where a statement changes all rows of a
/// table, take no memory of their own. A value.
class BlockRows {
 public:
  class Iterator;

  BlockRows() = default;
  /// `rows` ascend.
  explicit BlockRows(const std::vector<sel_t>& rows) : size_(rows.size()) {
    if (rows.empty()) return;
    first_ = rows.front();
    if (rows.back() - rows.front() + size_t{1} == rows.size()) return;
    rows_.assign(rows.begin(), rows.end());
  }

  size_t size() const { return size_; }
  sel_t operator[](size_t index) const {
    return rows_.empty() ? static_cast<sel_t>(first_ + index) : rows_[index];
  }
  /// Returns the index of the first row that is not before `row`; size() if there is none.
  size_t LowerBound(size_t row) const {
    if (!rows_.empty())
      return static_cast<size_t>(std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin());
    return row <= first_ ? 0 : std::min(row - first_, size_);
  }
  bool Contains(sel_t row) const {
    const size_t index = LowerBound(row);
    return index < size_ && (*this)[index] == row;
  }
  /// Returns whether both have a row in common.
  bool Meets(const BlockRows& other) const {
    // Searches the longer list for each row of the shorter one.
    if (size_ > other.size_) return other.Meets(*this);
    for (size_t i = 0; i < size_; i++)
      if (other.Contains((*this)[i])) return true;
    return false;
  }
  /// The bytes beside the object.
  size_t size_bytes() const { return rows_.capacity() * sizeof(uint16_t); }

  Iterator begin() const;
  Iterator end() const;

 private:
  std::vector<uint16_t> rows_;  // Empty if they follow each other.
  size_t first_ = 0;
  size_t size_ = 0;
};

/// Visits the rows in order; for range-based loops.
class BlockRows::Iterator {
 public:
  Iterator(const BlockRows& rows, size_t index) : rows_(rows), index_(index) {}
  sel_t operator*() const { return rows_[index_]; }
  Iterator& operator++() {
    index_++;
    return *this;
  }
  bool operator!=(const Iterator& other) const { return index_ != other.index_; }

 private:
  const BlockRows& rows_;
  size_t index_;
};

inline BlockRows::Iterator BlockRows::begin() const { return {*this, 0}; }
inline BlockRows::Iterator BlockRows::end() const { return {*this, size_}; }

}  // namespace scaup
