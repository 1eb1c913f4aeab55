// Key rows: the rows to be sorted, either all rows of some collections or a list.
#pragma once

#include <span>
#include <vector>

#include "execution/rows/column_collection.hpp"

namespace scaup {

/// One column of up to 1024 rows, flat. Borrowed.
struct KeyBlock {
  const std::byte* data = nullptr;
  const ValidityWord* validity = nullptr;  ///< null: no NULLs

  template <typename T>
  const T* As() const {
    return reinterpret_cast<const T*>(data);
  }
  bool IsValid(size_t row) const { return validity == nullptr || TestValid(validity, row); }
};

/// Rows in blocks of up to 1024. A row's index is 1024 times the number of its block plus its position there.
/// Indexes ascend with the rows but may have gaps. Immutable; borrows all arguments.
class KeyRows {
 public:
  /// All rows, one collection after the other.
  explicit KeyRows(std::span<const ColumnCollection* const> collections);
  /// The rows that are listed as CollectionRows.
  KeyRows(std::span<const ColumnCollection* const> collections, std::span<const uint64_t> rows);

  size_t row_count() const { return row_count_; }
  size_t block_count() const { return block_count_; }
  size_t BlockRows(size_t block) const;
  /// `buffer` may hold the values to which the result refers.
  KeyBlock Read(size_t column, size_t block, Vector& buffer) const;
  /// Returns the CollectionRow of a row's index.
  uint64_t RowAt(uint64_t index) const {
    return rows_.empty() ? first_rows_[index / kVectorSize] + index % kVectorSize : rows_[index];
  }
  std::span<const ColumnCollection* const> collections() const { return collections_; }

 private:
  std::span<const ColumnCollection* const> collections_;
  std::span<const uint64_t> rows_;    // Empty: all rows.
  std::vector<uint64_t> first_rows_;  // First rows of all blocks, if all rows are sorted.
  size_t row_count_ = 0;
  size_t block_count_ = 0;
};

}  // namespace scaup
