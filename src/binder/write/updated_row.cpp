// Builds the rows that an UPDATE writes.
#include "binder/write/updated_row.hpp"

#include "binder/bound/subquery_expression.hpp"
#include "binder/write/written_row.hpp"

namespace scaup {

UpdatedRow::UpdatedRow(BindSession& session, const ast::UpdateStatement& statement)
    : session_(session),
      statement_(statement),
      source_(session, statement.with, statement.table, statement.from, statement.where),
      update_(std::make_unique<BoundUpdate>()) {
  update_->table = source_.table();
  update_->row_index = session.NewTableIndex();
  update_->projection.push_back(source_.ReferTo(0));
}

void UpdatedRow::SetColumn(size_t column, ExpressionPtr value, const std::string& name) {
  places_.emplace(ColumnBinding{source_.target_index(), column}, update_->projection.size());
  update_->columns.push_back(column);
  update_->projection.push_back(std::move(value));
  update_->projection.back()->alias = name;
}

void UpdatedRow::MoveToRow(ExpressionPtr& expression) {
  ForEachOwnReference(*expression, [&](ColumnRefExpression& reference) {
    if (reference.binding.table_index == update_->row_index) return;
    const auto [place, is_new] = places_.try_emplace(reference.binding, update_->projection.size());
    if (is_new) {
      const size_t item = source_.PassThrough(reference.binding, reference.type(), reference.name);
      update_->projection.push_back(source_.ReferTo(item));
      update_->projection.back()->alias = reference.name;
    }
    reference.binding = {update_->row_index, place->second};
  });
}

BoundStatementPtr UpdatedRow::Finish() {
  if (!statement_.returning.empty()) {
    update_->returning = BindReturning(session_, source_.level(), statement_.returning);
    for (ExpressionPtr& item : update_->returning->items) MoveToRow(item);
  }
  update_->source = source_.Finish();
  return std::move(update_);
}

}  // namespace scaup
