// INSERT ... ON CONFLICT: inserts rows whose keys nobody has, and updates or leaves those that are there.
#pragma once

#include "execution/write/written_rows.hpp"
#include "planner/statement/insert.hpp"

namespace scaup {

/// The child's rows are taken in their order, by one task: of several rows with one new key the first is
/// inserted. What it conflicts with is decided before anything is changed; the changes come at the end.
class UpsertOperator final : public PhysicalOperator {
 public:
  /// `conflict`: its expressions are over the columns of the row that is there, followed by the child's.
  UpsertOperator(TableEntryRef table, InsertConflict conflict, PhysicalOperatorPtr child,
                 WrittenRowRules rules);
  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  class Sink;
  /// The types of the columns that DO UPDATE sets.
  std::vector<LogicalType> SetTypes() const;
  TableEntryRef table_;
  InsertConflict conflict_;
  WrittenRowRules rules_;
};

}  // namespace scaup
