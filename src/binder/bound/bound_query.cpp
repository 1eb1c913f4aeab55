// Visitors over bound queries.
#include "binder/bound/bound_query.hpp"

#include "common/stack_bound.hpp"

namespace scaup {

void ForEachTableExpression(BoundTableRef& table, const std::function<void(ExpressionPtr&)>& visit) {
  CheckStack();
  if (table.kind == BoundTableRefKind::kUnnest) {
    for (auto& list : table.As<BoundUnnest>().lists) visit(list);
  }
  if (table.kind == BoundTableRefKind::kRowsFunction) {
    auto& call = table.As<BoundRowsFunction>();
    for (auto& value : call.values) visit(value);
    for (auto& argument : call.arguments) visit(argument);
    for (auto& key : call.partition_by) visit(key);
    for (auto& key : call.order_by) visit(key.expression);
  }
  if (table.kind != BoundTableRefKind::kJoin) return;
  auto& join = table.As<BoundJoin>();
  ForEachTableExpression(*join.left, visit);
  ForEachTableExpression(*join.right, visit);
  for (auto& condition : join.conditions) visit(condition);
}

void ForEachTableQuery(BoundTableRef& table, const std::function<void(BoundQuery&)>& visit) {
  CheckStack();
  if (table.kind == BoundTableRefKind::kQuery) visit(*table.As<BoundQueryTable>().query);
  if (table.kind == BoundTableRefKind::kRowsFunction && table.As<BoundRowsFunction>().input)
    visit(*table.As<BoundRowsFunction>().input);
  if (table.kind != BoundTableRefKind::kJoin) return;
  ForEachTableQuery(*table.As<BoundJoin>().left, visit);
  ForEachTableQuery(*table.As<BoundJoin>().right, visit);
}

void ForEachQueryExpression(BoundQuery& query, const std::function<void(ExpressionPtr&)>& visit) {
  if (query.kind == BoundQueryKind::kSelect) {
    auto& select = query.As<BoundSelect>();
    if (select.from) ForEachTableExpression(*select.from, visit);
    if (select.where) visit(select.where);
    for (auto& group : select.groups) visit(group);
    for (auto& aggregate : select.aggregates) visit(aggregate);
    if (select.having) visit(select.having);
    for (auto& window : select.windows) {
      for (auto& key : window.partition_by) visit(key);
      for (auto& key : window.order_by) visit(key.expression);
      for (auto& function : window.functions) visit(function);
    }
    if (select.qualify) visit(select.qualify);
    for (auto& list : select.group_sets.lists) visit(list);
    for (auto& list : select.sets.lists) visit(list);
    for (auto& item : select.items) visit(item);
  } else if (query.kind == BoundQueryKind::kValues) {
    for (auto& row : query.As<BoundValues>().rows) {
      for (auto& value : row) visit(value);
    }
  }
  if (query.limit) visit(query.limit);
  if (query.offset) visit(query.offset);
}

void ForEachDirectQuery(BoundQuery& query, const std::function<void(BoundQuery&)>& visit) {
  for (const auto& cte : query.ctes) {
    if (cte->query) visit(*cte->query);
    if (cte->next) visit(*cte->next);
  }
  if (query.kind == BoundQueryKind::kSelect) {
    auto& select = query.As<BoundSelect>();
    if (select.from) ForEachTableQuery(*select.from, visit);
  } else if (query.kind == BoundQueryKind::kSetOperation) {
    for (auto& operand : query.As<BoundSetOperation>().operands) visit(*operand);
  }
}

}  // namespace scaup
