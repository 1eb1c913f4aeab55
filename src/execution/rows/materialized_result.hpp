// Materialized result: a whole result, each column one contiguous array, as host languages want it.
#pragma once

#include <memory>
#include <vector>

#include "execution/rows/result_memory.hpp"
#include "execution/run/physical_operator.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// One column: an array of values of its physical type, and one byte per row that is 1 for NULL. Strings are
/// StringRefs into the result's heaps.
struct MaterializedColumn {
  MaterializedColumn(LogicalType type_in, const ResultMemory& memory)
      : type(type_in), values(memory), nulls(memory) {}
  LogicalType type;
  ResultBuffer values;
  ResultBuffer nulls;  ///< valid only if has_nulls
  bool has_nulls = false;
};

/// The columns of a whole result. Immutable once collected.
struct MaterializedResult {
  std::vector<MaterializedColumn> columns;
  std::vector<ResultHeap> heaps;
  size_t row_count = 0;
};

/// Returns the value of one row, boxed.
Value ValueOf(const MaterializedColumn& column, size_t row);

/// Runs a prepared plan to its end, in parallel, and collects its rows in the order of the source.
MaterializedResult CollectResult(QueryContext& context, const PhysicalOperator& root, SharedState& shared);

/// Appends chunks to columns. One thread at a time. Borrows the memory.
class ResultAppender {
 public:
  ResultAppender(const std::vector<LogicalType>& types, const ResultMemory& memory);
  void Append(DataChunk& chunk);
  size_t row_count() const { return row_count_; }
  std::vector<MaterializedColumn>& columns() { return columns_; }
  ResultHeap TakeHeap() { return std::move(heap_); }

 private:
  void AppendColumn(MaterializedColumn& column, Vector& vector, size_t count);

  std::vector<MaterializedColumn> columns_;
  ResultHeap heap_;
  size_t row_count_ = 0;
};

}  // namespace scaup
