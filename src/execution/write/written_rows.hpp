// Written rows: constraints and RETURNING, for all statements that write rows.
#pragma once

#include <memory>
#include <vector>

#include "common/check.hpp"
#include "execution/rows/spillable_rows.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression_executor.hpp"
#include "planner/statement/write.hpp"

namespace scaup {

/// The checks and RETURNING expressions of a statement, over the columns of the child's rows. Part of a plan:
/// immutable.
struct WrittenRowRules {
  std::vector<RowCheck> checks;
  std::vector<ExpressionPtr> returning;
  std::vector<size_t> assigned;  ///< the columns that UPDATE sets
  bool is_in_order = false;      ///< see LogicalWrite
  bool counts_rows = true;       ///< false in WITH: only the main part of a statement counts rows

  std::vector<LogicalType> ReturnedTypes() const;
};

/// The RETURNING rows of a statement, output once it has written everything. They are spilled if memory is
/// short. One thread at a time.
class ReturningShared final : public SharedState {
 public:
  /// Without `types` there are no rows.
  ReturningShared(QueryContext& context, const std::vector<LogicalType>& types);
  /// REQUIRES: Give was not called.
  void Add(DataChunk& chunk) {
    SCAUP_ASSERT(!is_given_);
    rows_->Append(chunk);
  }
  /// Outputs the next rows, if any are left. Ends adding.
  void Give(DataChunk& output);

 private:
  std::unique_ptr<SpillableRows> rows_;
  bool is_given_ = false;
  size_t next_piece_ = 0;
};

/// Checks rows and collects their RETURNING rows. Used by one task; with RETURNING it must be the only one.
class WrittenRowHandler {
 public:
  WrittenRowHandler(QueryContext& context, const WrittenRowRules& rules, ReturningShared& returning);
  /// Checks rows that are to be written, and collects their RETURNING rows.
  void Handle(DataChunk& rows);
  /// Throws Error(kConstraint, 23514) if a row violates a CHECK.
  void Check(DataChunk& rows);
  void Return(DataChunk& rows);

 private:
  const WrittenRowRules& rules_;
  ReturningShared& returning_;
  std::vector<ExpressionExecutor> checks_;
  ExpressionExecutor returning_executor_;
  DataChunk returned_;
};

/// Notes for AFTER triggers that a statement changes a table, be it no row of it. `columns` are those that an
/// UPDATE sets.
void NoteTarget(QueryContext& context, const TableEntryRef& table, uint8_t event,
                const std::vector<size_t>& columns = {});
/// Throws Error(kConstraint, 23502) if a value of a NOT NULL column is NULL.
void CheckNotNull(const ColumnDefinition& column, Vector& values, size_t count);
/// Throws Error(kTransaction, 25006) in a read-only transaction, and in a database that is attached
/// read-only; 25000 if the transaction has changed another database.
void RequireWritable(const Transaction& transaction, const char* statement);
/// Throws Error(kTransaction, 25006) if the database of a transaction is attached read-only.
void RequireWritableDatabase(const Transaction& transaction, const char* statement);
/// Throws the same for a statement that writes into a table, in its database; all may write temporary tables.
void RequireWritable(const Transaction& transaction, const TableEntry& table, const char* statement);

}  // namespace scaup
