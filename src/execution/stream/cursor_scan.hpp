// CursorScan: reads a range of materialized rows, forward or backward.
#pragma once

#include <memory>
#include <vector>

#include "execution/rows/shared_rows.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Rows that follow one another in a cursor's rows.
struct CursorRange {
  uint64_t begin = 0;  ///< the first row, from 0
  uint64_t count = 0;
  bool is_backward = false;  ///< the last row is returned first
};

/// Returns a range of materialized rows, in one task, as their order is the point of it.
class CursorScan final : public PhysicalOperator {
 public:
  /// REQUIRES: the range is within the rows.
  CursorScan(std::vector<LogicalType> types, std::shared_ptr<const MaterializedRows> rows, CursorRange range);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  const std::shared_ptr<const MaterializedRows> rows_;
  const CursorRange range_;
  std::vector<size_t> columns_;  // the indexes of all columns
};

}  // namespace scaup
