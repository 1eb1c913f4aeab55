// count(*) of a table without reading its rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "execution/run/physical_operator.hpp"
#include "planner/node/aggregate.hpp"

namespace scaup {

/// A source of one row: in each column the number of rows of a table that the query's transaction sees. Row
/// groups know how many rows they have; only versions are looked at, for rows that were deleted.
class TableCountOperator final : public PhysicalOperator {
 public:
  /// `types`: all BIGINT.
  TableCountOperator(TableEntryRef table, std::vector<LogicalType> types);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  TableEntryRef table_;
};

/// Whether an aggregation does nothing but count all rows of a table.
bool CountsTable(const LogicalAggregate& aggregate);

}  // namespace scaup
