// UPDATE and DELETE: changes rows of a table whose numbers the child gives.
#pragma once

#include "execution/write/written_rows.hpp"

namespace scaup {

/// The child's first column has the numbers of the rows to change, then come the new values of `columns`
/// (none: the rows are deleted), then what checks and RETURNING need besides. All of the child's rows are
/// taken in before anything is changed, so that the statement does not see its own changes. Of rows with one
/// number the first counts.
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
