// A result part by part: rows that are pulled out of a plan as they are asked for, or that were kept.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "execution/rows/materialized_result.hpp"
#include "execution/rows/shared_rows.hpp"

namespace scaup {

/// Gives the rows of a prepared plan out in the order of its source. One thread at a time. Borrows all three,
/// the states until Keep or its own end.
class ResultParts {
 public:
  ResultParts(QueryContext& context, const PhysicalOperator& root, SharedState& shared);

  /// Runs the plan to its end, in parallel, and keeps its rows, in temporary storage where memory is short.
  /// Called before the first rows are taken.
  void Keep();
  /// The next rows, at most so many; none at the end, however often it is called. Where it throws, rows that
  /// were kept can be asked for again. REQUIRES: most_rows > 0.
  MaterializedResult Next(size_t most_rows);

 private:
  void AppendPulled(ResultAppender& part, size_t most_rows);
  void AppendKept(ResultAppender& part, size_t most_rows);

  QueryContext& context_;
  const PhysicalOperator& root_;
  SharedState& shared_;
  std::unique_ptr<LocalState> local_;
  DataChunk chunk_;           // The one pulled last,
  size_t next_in_chunk_ = 0;  // and the first of its rows that is left.
  bool is_kept_ = false;
  KeptRowsReader kept_;
  std::vector<size_t> columns_;  // All of them.
  uint64_t next_kept_ = 0;
};

}  // namespace scaup
