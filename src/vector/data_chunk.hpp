// DataChunk: vectors of equal length, the unit in which operators pass data.
#pragma once

#include <span>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {

/// A horizontal slice of a table: up to 1024 rows. Movable; one thread at a time.
class DataChunk {
 public:
  DataChunk() = default;
  explicit DataChunk(const std::vector<LogicalType>& types) { Initialize(types); }
  DataChunk(DataChunk&&) noexcept = default;
  DataChunk& operator=(DataChunk&&) noexcept = default;

  /// One empty vector per type; no memory is taken before something is written.
  void Initialize(const std::vector<LogicalType>& types);

  size_t size() const { return size_; }
  void SetSize(size_t size) { size_ = size; }
  size_t column_count() const { return columns_.size(); }
  Vector& column(size_t index) { return columns_[index]; }
  const Vector& column(size_t index) const { return columns_[index]; }
  std::vector<Vector>& columns() { return columns_; }
  std::vector<LogicalType> types() const;

  /// Zero rows; every vector lets go of its memory. Operators call it on their output before they pull
  /// their input, so that the input's buffers can be written again.
  void Release();
  /// Zero rows, every vector flat and writable.
  void ResetForWriting();
  /// Makes it the same rows as `other`, sharing memory.
  void Reference(DataChunk& other);
  /// The rows selection[0 .. count) of `other`, sharing memory.
  void Slice(DataChunk& other, const SelectionRef& selection, size_t count);
  /// Keeps the given rows of this chunk.
  void Slice(const SelectionRef& selection, size_t count);
  void Flatten();

  /// Where this chunk stands in the source's order: the collector of a result sorts by it, so that rows come
  /// back in the order of the table or file however many threads read it. Operators that stream pass it on.
  uint64_t batch_index = 0;

 private:
  std::vector<Vector> columns_;
  size_t size_ = 0;
};

}  // namespace scaup
