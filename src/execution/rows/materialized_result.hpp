// Materialized result: a whole result in memory, each column one contiguous array, as host languages want it.
#pragma once

#include <memory>
#include <vector>

#include "common/memory/arena.hpp"
#include "common/memory/memory_tracker.hpp"
#include "execution/run/physical_operator.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// Memory that grows in place where the system allows it: large blocks are remapped, not copied. Movable.
class ContiguousBuffer {
 public:
  explicit ContiguousBuffer(MemoryTracker& memory) : reservation_(memory) {}
  ~ContiguousBuffer();
  ContiguousBuffer(ContiguousBuffer&& other) noexcept;
  ContiguousBuffer& operator=(ContiguousBuffer&& other) noexcept;

  /// Ensures a capacity of at least `size_bytes` and preserves the contents. Throws Error(kOutOfMemory).
  void Reserve(size_t size_bytes);
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }

 private:
  MemoryReservation reservation_;
  std::byte* data_ = nullptr;
  size_t capacity_ = 0;
};

/// One column: an array of values of its physical type, and one byte per row that is 1 for NULL. Strings are
/// StringRefs into the result's heaps.
struct MaterializedColumn {
  MaterializedColumn(LogicalType type_in, MemoryTracker& memory)
      : type(type_in), values(memory), nulls(memory) {}
  LogicalType type;
  ContiguousBuffer values;
  ContiguousBuffer nulls;  ///< valid only if has_nulls
  bool has_nulls = false;
};

/// The columns of a whole result. Immutable once collected.
struct MaterializedResult {
  std::vector<MaterializedColumn> columns;
  std::vector<std::unique_ptr<Arena>> heaps;
  size_t row_count = 0;
};

/// Returns the value of one row, boxed.
Value ValueOf(const MaterializedColumn& column, size_t row);

/// Runs a prepared plan to its end, in parallel, and collects its rows in the order of the source.
MaterializedResult CollectResult(QueryContext& context, const PhysicalOperator& root, SharedState& shared);

/// Appends chunks to columns. One thread at a time.
class ResultAppender {
 public:
  ResultAppender(const std::vector<LogicalType>& types, MemoryTracker& memory);
  void Append(DataChunk& chunk);
  size_t row_count() const { return row_count_; }
  std::vector<MaterializedColumn>& columns() { return columns_; }
  std::unique_ptr<Arena> TakeHeap() { return std::move(heap_); }

 private:
  void AppendColumn(MaterializedColumn& column, Vector& vector, size_t count);

  std::vector<MaterializedColumn> columns_;
  std::unique_ptr<Arena> heap_;
  size_t row_count_ = 0;
};

}  // namespace scaup
