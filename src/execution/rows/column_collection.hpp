// Column collection: chunks copied into memory, to be read again by position.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/memory/arena.hpp"
#include "common/memory/large_array.hpp"
#include "common/memory/memory_tracker.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Calls visit(row, length) for all strings in rows[0, count) of the chunk that are not inline.
template <typename Visit>
void ForEachLongString(DataChunk& chunk, const sel_t* rows, size_t count, const Visit& visit) {
  for (Vector& column : chunk.columns()) {
    if (column.physical_type() != PhysicalType::kString) continue;
    const auto view = column.ViewAs<StringRef>(chunk.size());
    for (size_t i = 0; i < count; i++)
      if (view.IsValid(rows[i]) && !view[rows[i]].is_inline()) visit(rows[i], view[rows[i]].size());
  }
}
/// The total size of all strings that are not inline.
size_t LongStringBytes(DataChunk& rows);

/// Materialized rows of a query in columns, in pieces of 1024 rows. One thread appends; afterwards any number
/// of threads may read.
class ColumnCollection {
 public:
  /// `bytes_before` is the size of the collections that this one continues; large memory is used as if they
  /// were one.
  ColumnCollection(std::vector<LogicalType> types, MemoryTracker& memory, size_t bytes_before = 0);
  ColumnCollection(ColumnCollection&&) noexcept = default;

  /// Copies all rows, long strings into an arena of the collection.
  void Append(DataChunk& chunk) { Append(chunk, 0, chunk.size()); }
  /// Appends rows [begin, begin + count).
  void Append(DataChunk& chunk, size_t begin, size_t count);
  size_t row_count() const { return row_count_; }
  /// The bytes that the collection occupies.
  size_t size_bytes() const { return reservation_.size_bytes() + strings_->size_bytes(); }
  /// An upper bound of the bytes of so many rows, without strings and NULLs.
  static size_t MostBytes(const std::vector<LogicalType>& types, size_t row_count);
  /// The bytes that the next piece would allocate, without strings and NULLs.
  size_t NextPieceBytes() const;
  size_t piece_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  size_t PieceRows(size_t piece) const {
    return piece + 1 < piece_count() ? kVectorSize : row_count_ - piece * kVectorSize;
  }
  const std::vector<LogicalType>& types() const { return types_; }
  /// Makes `output` refer to one piece. The collection must outlive `output`.
  void Read(size_t piece, DataChunk& output) const;
  /// Makes `result` refer to one column of a piece; `owner` keeps the collection alive.
  void ReadColumn(size_t column, size_t piece, std::shared_ptr<const void> owner, Vector& result) const;
  /// result[i] = column[rows[i]] for a flat `result` after Reset(). Long strings are not copied.
  void Gather(size_t column, const uint64_t* rows, size_t count, Vector& result) const;
  UnifiedView PieceView(size_t column, size_t piece) const;

 private:
  /// The values of one column, up to 1024.
  struct Piece {
    std::byte* data;
    std::unique_ptr<ValidityWord[]> validity;  // Null if there is no NULL.
  };
  void AddPiece();
  std::vector<LogicalType> types_;
  size_t bytes_before_;
  std::vector<std::vector<Piece>> columns_;
  std::vector<bool> has_nulls_;                             // By column.
  std::vector<std::unique_ptr<std::byte[]>> small_memory_;  // One for each piece.
  std::vector<std::unique_ptr<LargeArray<std::byte>>> large_memory_;
  std::span<std::byte> large_left_;  // The unused rest of the last large memory.
  std::unique_ptr<Arena> strings_;
  MemoryReservation reservation_;
  size_t row_count_ = 0;

  friend void GatherFrom(std::span<const ColumnCollection* const> collections, size_t column,
                         const uint64_t* rows, size_t count, Vector& result);
};

/// A row of one of several collections: the collection's number above the 48 bits of the row's position.
inline constexpr unsigned kCollectionRowBits = 48;
constexpr uint64_t CollectionRow(size_t collection, uint64_t row) {
  return uint64_t{collection} << kCollectionRowBits | row;
}
/// ColumnCollection::Gather over several collections of the same types.
void GatherFrom(std::span<const ColumnCollection* const> collections, size_t column, const uint64_t* rows,
                size_t count, Vector& result);
/// Gathers all columns of the given rows into a chunk. REQUIRES: at most 1024 rows.
void GatherFrom(std::span<const ColumnCollection* const> collections, const uint64_t* rows, size_t count,
                DataChunk& result);

}  // namespace scaup
