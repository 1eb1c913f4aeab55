// Binds the expressions and conditions that indexes of a table are over.
#include "binder/scope/indexed_expressions.hpp"

#include "binder/write/written_row.hpp"

namespace scaup {

IndexedExpressionsRef IndexedExpressionsOf(const BinderContext& context, const TableEntry& table) {
  if (!table.has_hidden_columns()) return nullptr;
  auto expressions = std::make_shared<IndexedExpressions>();
  for (size_t i = 0; i < table.columns.size(); i++) {
    const ColumnDefinition& column = table.columns[i];
    if (!column.is_hidden()) continue;
    IndexedExpression expression{i, nullptr, nullptr};
    expression.key = BindTableText(context, table, IndexedExpression::kTable, column.key_text,
                                   Clause::kIndexExpression, TypeId::kNull);
    if (!column.condition_text.empty()) {
      expression.condition = BindTableText(context, table, IndexedExpression::kTable, column.condition_text,
                                           Clause::kIndexPredicate, TypeId::kBoolean);
    }
    expressions->push_back(std::move(expression));
  }
  return expressions;
}

}  // namespace scaup
