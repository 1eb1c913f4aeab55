// Write operators: INSERT and CREATE TABLE AS.
#pragma once

#include "execution/write/written_rows.hpp"

namespace scaup {

/// Inserts the child's rows into a table, which exists or is created by the same statement.
class InsertOperator final : public PhysicalOperator {
 public:
  InsertOperator(TableEntryRef table, PhysicalOperatorPtr child, WrittenRowRules rules);
  /// CREATE [OR REPLACE] TABLE AS: the table is created when the query runs, in the session's database if
  /// `database` is "".
  InsertOperator(std::string database, std::string schema, std::string table, bool or_replace,
                 CommitAction on_commit, std::vector<ColumnDefinition> columns, PhysicalOperatorPtr child);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  WrittenRowRules rules_;
  TableEntryRef table_;  // Null if the statement creates it.
  /// Creates the table in its database.
  TableEntryRef Create(QueryContext& context) const;

  std::string database_;
  std::string schema_;
  std::string name_;
  bool or_replace_ = false;
  CommitAction on_commit_ = CommitAction::kPreserveRows;
  std::vector<ColumnDefinition> columns_;
};

}  // namespace scaup
