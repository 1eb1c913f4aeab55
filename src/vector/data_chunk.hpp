// DataChunk: vectors of equal length, the unit of data between operators.
#pragma once

#include <span>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {

/// A batch of rows: up to 1024 rows, column by column. Movable; one thread at a time.
class DataChunk {
 public:
  DataChunk() = default;
  explicit DataChunk(const std::vector<LogicalType>& types) { Initialize(types); }
  DataChunk(DataChunk&&) noexcept = default;
  DataChunk& operator=(DataChunk&&) noexcept = default;

  /// Makes one empty vector per type. Memory is allocated only at the first write.
  void Initialize(const std::vector<LogicalType>& types);

  size_t size() const { return size_; }
  void SetSize(size_t size) { size_ = size; }
  size_t column_count() const { return columns_.size(); }
  Vector& column(size_t index) { return columns_[index]; }
  const Vector& column(size_t index) const { return columns_[index]; }
  std::vector<Vector>& columns() { return columns_; }
  std::vector<LogicalType> types() const;

  /// Sets zero rows and releases the memory of every vector. Operators call it on their output before they
  /// pull their input, so that the input's buffers can be reused.
  void Release();
  /// Sets zero rows and makes every vector flat and writable.
  void ResetForWriting();
  /// Becomes the same rows as `other`, sharing its memory.
  void Reference(DataChunk& other);
  /// Becomes the rows selection[0 .. count) of `other`, sharing its memory.
  void Slice(DataChunk& other, const SelectionRef& selection, size_t count);
  /// Keeps only the rows selection[0 .. count) of this chunk.
  void Slice(const SelectionRef& selection, size_t count);
  /// Becomes the rows [begin, begin + count) of `other`, sharing its memory.
  void SliceRange(DataChunk& other, size_t begin, size_t count);
  void Flatten();

  /// The position of this chunk in the source's order. Results are sorted by it, so that rows come back in
  /// the order of the table or file however many threads read it. Streaming operators pass it on.
  uint64_t batch_index = 0;

 private:
  std::vector<Vector> columns_;
  size_t size_ = 0;
};

}  // namespace scaup
