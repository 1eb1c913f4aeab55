// Extracts window functions from a query's expressions, grouped by PARTITION BY and ORDER BY.
#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/stack_bound.hpp"
#include "expression/window_expression.hpp"

namespace scaup {

namespace {

BoundWindow& FindOrAddWindow(BindSession& session, BoundSelect& select, WindowExpression& function) {
  for (BoundWindow& window : select.windows) {
    // A function of DISTINCT values has a window of its own, as its plan sorts by more.
    if (function.distinct || window.functions[0]->As<WindowExpression>().distinct) continue;
    if (!AllEqual(window.partition_by, function.partition_by) ||
        !AllEqual(window.order_by, function.order_by))
      continue;
    function.partition_by.clear();
    function.order_by.clear();
    return window;
  }
  BoundWindow& window = select.windows.emplace_back();
  window.table_index = session.NewTableIndex();
  window.partition_by = std::move(function.partition_by);
  window.order_by = std::move(function.order_by);
  function.partition_by.clear();
  function.order_by.clear();
  return window;
}

size_t FindOrAddFunction(BoundWindow& window, ExpressionPtr function) {
  for (size_t i = 0; i < window.functions.size(); i++) {
    if (window.functions[i]->Equals(*function) && IsDeterministicThroughout(*function)) return i;
  }
  window.functions.push_back(std::move(function));
  return window.functions.size() - 1;
}

}  // namespace

void TakeWindows(BindSession& session, BoundSelect& select, ExpressionPtr& expression) {
  CheckStack();
  if (expression->kind() != ExpressionKind::kWindow) {
    expression->ForEachChild([&](ExpressionPtr& child) { TakeWindows(session, select, child); });
    return;
  }
  const LogicalType type = expression->type();
  const std::string name = expression->ToString();
  std::string alias = expression->alias;
  const std::optional<size_t> position = expression->position;
  expression->alias = name;  // the function's own text no longer shows its window
  BoundWindow& window = FindOrAddWindow(session, select, expression->As<WindowExpression>());
  const bool is_document_value = IsDocumentValue(session, *expression);
  const DerivedCollation collation = CollationOf(session, *expression);
  const size_t index = FindOrAddFunction(window, std::move(expression));
  if (is_document_value) session.NoteDocumentColumn(window.table_index, index);
  NoteCollation(session, {window.table_index, index}, collation);
  expression = std::make_unique<ColumnRefExpression>(type, ColumnBinding{window.table_index, index}, name);
  expression->alias = std::move(alias);
  expression->position = position;
}

}  // namespace scaup
