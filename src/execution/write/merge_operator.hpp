// Merge operator: MERGE, which inserts, updates and deletes rows of a table as the child's rows say.
#pragma once

#include <optional>

#include "execution/write/written_rows.hpp"
#include "planner/statement/merge.hpp"

namespace scaup {

/// The child's columns are those of LogicalMerge. All rows are collected before anything is changed, so that
/// the statement does not see its own changes. Then rows are deleted, updated and inserted, in this order.
class MergeOperator final : public PhysicalOperator {
 public:
  MergeOperator(TableEntryRef table, std::vector<MergeAction> actions,
                std::vector<std::optional<size_t>> row_columns, PhysicalOperatorPtr child,
                WrittenRowRules rules);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  class Run;
  TableEntryRef table_;
  std::vector<MergeAction> actions_;
  std::vector<std::optional<size_t>> row_columns_;
  WrittenRowRules rules_;
};

}  // namespace scaup
