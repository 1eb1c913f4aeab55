// What every statement that writes does with its rows: constraints, and RETURNING.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "execution/rows/spillable_rows.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression_executor.hpp"
#include "planner/statement/write.hpp"

namespace scaup {

/// Over the columns of the rows that the child gives. Part of a plan: immutable.
struct WrittenRowRules {
  std::vector<RowCheck> checks;
  std::vector<ExpressionPtr> returning;
  bool counts_rows = true;  ///< false in WITH: the statement tells of the rows of its main part

  std::vector<LogicalType> ReturnedTypes() const;
};

/// Rows that a statement gives back once it has written everything; where memory is short, they wait in
/// temporary storage. One thread at a time.
class ReturningShared final : public SharedState {
 public:
  /// No types: there are no rows.
  ReturningShared(QueryContext& context, const std::vector<LogicalType>& types);
  void Add(DataChunk& chunk) { rows_->Append(chunk); }
  /// The next rows, if there are any left. Nobody adds any more.
  void Give(DataChunk& output);

 private:
  std::unique_ptr<SpillableRows> rows_;
  bool is_given_ = false;
  size_t next_piece_ = 0;
};

/// Checks rows and collects what RETURNING makes of them. One task; with RETURNING there may be only one.
class WrittenRowHandler {
 public:
  WrittenRowHandler(QueryContext& context, const WrittenRowRules& rules, ReturningShared& returning);
  /// Both, of rows that are to be written.
  void Handle(DataChunk& rows);
  /// Throws Error(kConstraint, 23514) for a row that a CHECK refuses.
  void Check(DataChunk& rows);
  void Return(DataChunk& rows);

 private:
  const WrittenRowRules& rules_;
  ReturningShared& returning_;
  std::vector<ExpressionExecutor> checks_;
  ExpressionExecutor returning_executor_;
  DataChunk returned_;
};

/// Throws Error(kConstraint, 23502) if a value is NULL that must not be.
void CheckNotNull(const ColumnDefinition& column, Vector& values, size_t count);
/// Throws Error(kTransaction, 25006) in a transaction that only reads.
void RequireWritable(const Transaction& transaction, const char* statement);

}  // namespace scaup
