// A whole result in memory, each column one contiguous array, as hosts want it.
#pragma once

#include <memory>
#include <vector>

#include "common/memory/arena.hpp"
#include "common/memory/memory_tracker.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Memory that grows in place where the system can (large blocks are remapped, not copied). Movable.
class ContiguousBuffer {
 public:
  explicit ContiguousBuffer(MemoryTracker& memory) : reservation_(memory) {}
  ~ContiguousBuffer();
  ContiguousBuffer(ContiguousBuffer&& other) noexcept;
  ContiguousBuffer& operator=(ContiguousBuffer&& other) noexcept;

  /// Makes room for at least `size_bytes`; what is there stays. Throws Error(kOutOfMemory).
  void Reserve(size_t size_bytes);
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }

 private:
  MemoryReservation reservation_;
  std::byte* data_ = nullptr;
  size_t capacity_ = 0;
};

/// One column: values as their physical type (strings as StringRef into the result's heaps), NULLs as one
/// byte a row.
struct MaterializedColumn {
  MaterializedColumn(LogicalType type_in, MemoryTracker& memory)
      : type(type_in), values(memory), nulls(memory) {}
  LogicalType type;
  ContiguousBuffer values;
  ContiguousBuffer nulls;  ///< used where has_nulls
  bool has_nulls = false;
};

/// Immutable once collected.
struct MaterializedResult {
  std::vector<MaterializedColumn> columns;
  std::vector<std::unique_ptr<Arena>> heaps;
  size_t row_count = 0;
};

/// Runs a prepared plan to its end, in parallel, and gathers its rows in the order of the source.
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
