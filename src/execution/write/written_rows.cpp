// Written rows: checking constraints, and RETURNING.
#include "execution/write/written_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/throw.hpp"
#include "execution/write/row_changes.hpp"
#include "planner/statement/write.hpp"
#include "transaction/transaction_manager.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

std::vector<LogicalType> WrittenRowRules::ReturnedTypes() const {
  std::vector<LogicalType> types;
  for (const ExpressionPtr& expression : returning) types.push_back(expression->type());
  return types;
}

ReturningShared::ReturningShared(QueryContext& context, const std::vector<LogicalType>& types) {
  if (!types.empty()) rows_ = std::make_unique<SpillableRows>(context, types);
}

void ReturningShared::Give(DataChunk& output) {
  if (!rows_) return;
  if (!std::exchange(is_given_, true)) rows_->Finish();
  if (next_piece_ == rows_->piece_count()) return;
  const RowsPiece piece = rows_->Piece(next_piece_);
  for (size_t i = 0; i < output.column_count(); i++) piece.ReadColumn(i, output.column(i));
  output.SetSize(piece.row_count());
  output.batch_index = next_piece_++;
}

WrittenRowHandler::WrittenRowHandler(QueryContext& context, const WrittenRowRules& rules,
                                     ReturningShared& returning)
    : rules_(rules),
      returning_(returning),
      returning_executor_(context.functions, rules.returning),
      returned_(rules.ReturnedTypes()) {
  for (const RowCheck& check : rules.checks) checks_.emplace_back(context.functions, *check.condition);
}

void WrittenRowHandler::Handle(DataChunk& rows) {
  Check(rows);
  Return(rows);
}

void WrittenRowHandler::Check(DataChunk& rows) {
  for (size_t i = 0; i < checks_.size(); i++) {
    Vector holds{LogicalType(TypeId::kBoolean)};
    checks_[i].Execute(0, rows, holds);
    const auto view = holds.ViewAs<uint8_t>(rows.size());
    // By the SQL standard a CHECK that is NULL is satisfied.
    for (size_t row = 0; row < rows.size(); row++) {
      if (!view.IsValid(row) || view[row] != 0) continue;
      const RowCheck& check = rules_.checks[i];
      ThrowError(ErrorKind::kConstraint, check.state,
                 check.refusal.empty() ? fmt::format("a row violates the check constraint \"{}\"", check.name)
                                       : check.refusal);
    }
  }
}

void WrittenRowHandler::Return(DataChunk& rows) {
  if (rules_.returning.empty()) return;
  returned_.Release();
  returning_executor_.Execute(rows, returned_);
  returning_.Add(returned_);
}

void NoteTarget(QueryContext& context, const TableEntryRef& table, uint8_t event,
                const std::vector<size_t>& columns) {
  if (context.row_changes != nullptr && !table->constraints.triggers.empty())
    context.row_changes->AddTarget(table, event, columns);
}

void CheckNotNull(const ColumnDefinition& column, Vector& values, size_t count) {
  if (!column.not_null) return;
  const UnifiedView view = values.View(count);
  if (view.validity == nullptr) return;
  for (size_t row = 0; row < count; row++) {
    if (view.IsValid(row)) continue;
    ThrowError(ErrorKind::kConstraint, sqlstate::kNotNullViolation,
               fmt::format("null value in column \"{}\" violates its NOT NULL constraint", column.name));
  }
}

void RequireWritable(const Transaction& transaction, const char* statement) {
  if (transaction.is_read_only()) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kReadOnlyTransaction,
               fmt::format("cannot execute {} in a read-only transaction", statement));
  }
  RequireWritableDatabase(transaction, statement);
  // Before anything is done, though every change asks again.
  transaction.RequireNoOtherChanges();
}

void RequireWritableDatabase(const Transaction& transaction, const char* statement) {
  const TransactionManager* const manager = transaction.manager();
  if (manager == nullptr || !manager->database().is_read_only) return;
  ThrowError(ErrorKind::kTransaction, sqlstate::kReadOnlyTransaction,
             fmt::format("cannot execute {} in database \"{}\", which is attached read-only", statement,
                         manager->database().name));
}

void RequireWritable(const Transaction& transaction, const TableEntry& table, const char* statement) {
  if (!IsTemporarySchema(table.schema))
    RequireWritable(transaction.In(table.storage->transactions()), statement);
}

}  // namespace scaup
