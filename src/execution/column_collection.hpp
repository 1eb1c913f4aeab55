// Column collection: chunks copied into memory, to be read again by position.
#pragma once

#include <memory>
#include <vector>

#include "common/arena.hpp"
#include "common/memory_tracker.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Rows of a query in columns, in pieces of 1024. Appending is for one thread; afterwards any number may read.
class ColumnCollection {
 public:
  ColumnCollection(std::vector<LogicalType> types, MemoryTracker& memory);
  ColumnCollection(ColumnCollection&&) noexcept = default;

  /// Copies all rows, long strings into an arena of the collection.
  void Append(DataChunk& chunk);
  size_t row_count() const { return row_count_; }
  size_t piece_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  size_t PieceRows(size_t piece) const {
    return piece + 1 < piece_count() ? kVectorSize : row_count_ - piece * kVectorSize;
  }
  const std::vector<LogicalType>& types() const { return types_; }
  /// Makes `output` refer to one piece. The collection must outlive what reads it.
  void Read(size_t piece, DataChunk& output) const;
  /// result[i] = column[rows[i]] for flat `result` after Reset().
  void Gather(size_t column, const uint64_t* rows, size_t count, Vector& result, size_t offset = 0) const;
  UnifiedView PieceView(size_t column, size_t piece) const;

 private:
  struct Piece {
    std::unique_ptr<std::byte[]> data;
    std::unique_ptr<ValidityWord[]> validity;  // Null: no NULLs.
  };
  std::vector<LogicalType> types_;
  std::vector<std::vector<Piece>> columns_;
  std::unique_ptr<Arena> strings_;
  MemoryReservation reservation_;
  size_t row_count_ = 0;
};

}  // namespace scaup
