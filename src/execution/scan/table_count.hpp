// Table count: count(*) of a table without reading its rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "execution/run/physical_operator.hpp"
#include "planner/node/aggregate.hpp"

namespace scaup {

/// A source of one row: each column is the number of rows of a table that the query's transaction sees. The
/// count is the sum of the row groups' row counts, minus the deleted rows that their versions show.
class TableCountOperator final : public PhysicalOperator {
 public:
  /// REQUIRES: all `types` are BIGINT.
  TableCountOperator(TableEntryRef table, std::vector<LogicalType> types);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  TableEntryRef table_;
};

/// Returns whether an aggregation does nothing but count all rows of a table.
bool CountsTable(const LogicalAggregate& aggregate);

}  // namespace scaup
