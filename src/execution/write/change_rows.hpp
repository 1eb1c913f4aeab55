// Change rows: UPDATE and DELETE of rows of a table, by their row numbers.
#pragma once

#include "execution/write/written_rows.hpp"

namespace scaup {

/// The child's first column has the numbers of the rows to change. The new values of `columns` follow (if
/// there are none, the rows are deleted), then columns for checks and RETURNING. All of the child's rows are
/// collected before anything is changed, so that the statement does not see its own changes. Of several rows
/// with the same number the first is used.
class ChangeRowsOperator final : public PhysicalOperator {
 public:
  ChangeRowsOperator(std::string name, TableEntryRef table, std::vector<size_t> columns,
                     PhysicalOperatorPtr child, WrittenRowRules rules);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  TableEntryRef table_;
  std::vector<size_t> columns_;
  WrittenRowRules rules_;
};

}  // namespace scaup
