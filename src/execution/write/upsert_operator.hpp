// Upsert operator: INSERT ... ON CONFLICT, which inserts rows with new keys and updates or skips the others.
#pragma once

#include "execution/write/written_rows.hpp"
#include "planner/statement/insert.hpp"

namespace scaup {

/// A single task takes the child's rows in their order: of several rows with the same new key, the first is
/// inserted. All conflicts are found before anything is changed; the changes follow at the end.
class UpsertOperator final : public PhysicalOperator {
 public:
  /// The expressions of `conflict` refer to the columns of the existing row, followed by the child's.
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
