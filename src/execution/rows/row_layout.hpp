// Row layout: how the columns of a hash table entry lie side by side in one row.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "common/memory/arena.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The space that an aggregate state takes in a row. The alignment is 8 or 16 bytes.
struct StateSpace {
  size_t size_bytes;
  size_t alignment;
};

/// The layout of a row: [header][validity bytes][columns][states], padded to 8 bytes, or to 16 if a column or
/// a state requires it. The validity bit of column i is set if the value is not NULL. Strings are StringRefs
/// whose long bytes lie in the table's arena. A value; immutable once made.
class RowLayout {
 public:
  RowLayout() = default;
  /// `header_bytes` come first (hash, next pointer, flags); `states` follow the columns.
  RowLayout(std::vector<LogicalType> types, size_t header_bytes, std::span<const StateSpace> states = {});

  size_t row_bytes() const { return row_bytes_; }
  size_t column_count() const { return types_.size(); }
  const std::vector<LogicalType>& types() const { return types_; }
  const LogicalType& type(size_t column) const { return types_[column]; }
  PhysicalType physical_type(size_t column) const { return physical_types_[column]; }
  size_t offset(size_t column) const { return offsets_[column]; }
  size_t state_offset(size_t state) const { return state_offsets_[state]; }
  size_t validity_offset() const { return validity_offset_; }
  bool has_strings() const { return has_strings_; }

  bool IsValid(const std::byte* row, size_t column) const {
    return (static_cast<uint8_t>(row[validity_offset_ + column / 8]) >> (column % 8)) & 1;
  }
  void InitializeValidity(std::byte* row) const;

  /// Writes column `column` of rows[i] from row source_rows[i] of the vector, for i < count. Strings are
  /// copied to `arena`.
  void Scatter(size_t column, const UnifiedView& view, const sel_t* source_rows, size_t count,
               std::byte* const* rows, Arena& arena) const;
  /// Reads column `column` of rows[i] into row offset + i of the flat `result`. Long strings are not copied.
  void Gather(size_t column, const std::byte* const* rows, size_t count, Vector& result,
              size_t offset = 0) const;
  /// Selects the candidates c for which rows[c] equals row c of the vector in this column; NULL equals NULL
  /// if `nulls_equal`. Matches stay in `candidates`, all others are appended to `mismatches`. Returns the
  /// number of matches.
  size_t Match(size_t column, const UnifiedView& view, bool nulls_equal, const std::byte* const* rows,
               sel_t* candidates, size_t count, sel_t* mismatches, size_t& mismatch_count) const;

 private:
  std::vector<LogicalType> types_;
  std::vector<PhysicalType> physical_types_;
  std::vector<size_t> offsets_;
  std::vector<size_t> state_offsets_;
  size_t validity_offset_ = 0;
  size_t row_bytes_ = 0;
  bool has_strings_ = false;
};

/// Rows of one layout in blocks that never move. One thread at a time; movable.
class RowCollection {
 public:
  RowCollection(const RowLayout& layout, MemoryTracker& memory);
  /// Allocates one more row, uninitialized.
  std::byte* AddRow() {
    if (next_ == end_) AddBlock();
    std::byte* row = next_;
    next_ += row_bytes_;
    row_count_++;
    return row;
  }
  size_t row_count() const { return row_count_; }
  /// The bytes allocated for rows and for the data that they point to.
  size_t size_bytes() const { return arena_->size_bytes(); }
  /// An upper bound of the bytes that adding `count` rows reserves, plus one arena block for their strings
  /// and states.
  size_t MostAddBytes(size_t count) const;
  /// The arena of the rows' strings and states.
  Arena& arena() { return *arena_; }
  /// Calls visit(first_row, row_count) for every block.
  template <typename F>
  void ForEachBlock(F&& visit) const {
    for (size_t i = 0; i < blocks_.size(); i++) {
      const size_t rows =
          i + 1 < blocks_.size() ? block_rows_[i] : static_cast<size_t>(next_ - blocks_[i]) / row_bytes_;
      if (rows != 0) visit(blocks_[i], rows);
    }
  }

 private:
  static constexpr size_t kMostBlockBytes = size_t{512} << 10;
  void AddBlock();
  size_t RowsOfBlock(size_t previous, size_t row_count) const;
  size_t row_bytes_;
  std::unique_ptr<Arena> arena_;  // Owns the rows and the data that they point to.
  std::vector<std::byte*> blocks_;
  std::vector<size_t> block_rows_;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  size_t row_count_ = 0;
};

}  // namespace scaup
