// Result parts: a result returned part by part, either pulled from the plan on demand or materialized.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "execution/rows/materialized_result.hpp"
#include "execution/rows/shared_rows.hpp"

namespace scaup {

/// Returns the rows of a prepared plan in the order of its source. One thread at a time. Borrows all three
/// arguments; the shared state only until Keep returns.
class ResultParts {
 public:
  ResultParts(QueryContext& context, const PhysicalOperator& root, SharedState& shared);

  /// Runs the plan to its end, in parallel, and materializes its rows, spilled if memory is short. REQUIRES:
  /// no rows have been taken yet.
  void Keep();
  /// Returns the next rows, at most `most_rows`; no rows at the end, however often it is called. If it
  /// throws, materialized rows can be requested again. REQUIRES: most_rows > 0.
  MaterializedResult Next(size_t most_rows);
  /// Returns whether it is known that there are no more rows.
  bool is_at_end() const { return !is_kept_ && local_ != nullptr && local_->is_at_end; }

 private:
  void AppendPulled(ResultAppender& part, size_t most_rows);
  void AppendKept(ResultAppender& part, size_t most_rows);

  QueryContext& context_;
  const PhysicalOperator& root_;
  SharedState& shared_;
  std::unique_ptr<LocalState> local_;
  DataChunk chunk_;           // The chunk that was pulled last.
  size_t next_in_chunk_ = 0;  // The first row of it not yet returned.
  bool is_kept_ = false;
  KeptRowsReader kept_;
  std::vector<size_t> columns_;  // The indexes of all columns.
  uint64_t next_kept_ = 0;
};

}  // namespace scaup
