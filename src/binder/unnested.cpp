// Takes unnest() out of a query's items.
#include "binder/query_binder.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {

void TakeUnnested(BindSession& session, BoundSelect& select, ExpressionPtr& expression) {
  if (expression->kind() != ExpressionKind::kFunction ||
      expression->As<FunctionExpression>().function.name != kUnnestFunction) {
    expression->ForEachChild([&](ExpressionPtr& child) { TakeUnnested(session, select, child); });
    return;
  }
  if (select.unnested.empty()) select.unnest_index = session.NewTableIndex();
  ExpressionPtr& list = expression->As<FunctionExpression>().arguments[0];
  size_t index = 0;
  while (index < select.unnested.size() && !select.unnested[index]->Equals(*list)) index++;
  auto element = std::make_unique<ColumnRefExpression>(
      expression->type(), ColumnBinding{select.unnest_index, index}, kUnnestFunction);
  element->alias = expression->alias;
  element->position = expression->position;
  if (index == select.unnested.size()) select.unnested.push_back(std::move(list));
  expression = std::move(element);
}

}  // namespace scaup
