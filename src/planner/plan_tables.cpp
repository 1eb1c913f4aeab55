// The table indexes of plans: which ones a plan makes, which columns it takes from outside, and renumbering.
#include "planner/plan_tables.hpp"

#include "common/stack_bound.hpp"

namespace scaup {

namespace {

/// Calls visit with every table index that a node makes columns under, which may be replaced.
template <typename Visit>
void ForEachOwnTable(LogicalOperator& node, const Visit& visit) {
  switch (node.kind()) {
    case LogicalKind::kGet: return visit(node.As<LogicalGet>().table_index);
    case LogicalKind::kTableFunction: return visit(node.As<LogicalTableFunction>().table_index);
    case LogicalKind::kValues: return visit(node.As<LogicalValues>().table_index);
    case LogicalKind::kProject: return visit(node.As<LogicalProject>().table_index);
    case LogicalKind::kExpand: return visit(node.As<LogicalExpand>().table_index);
    case LogicalKind::kWindow: return visit(node.As<LogicalWindow>().table_index);
    case LogicalKind::kUnnest: return visit(node.As<LogicalUnnest>().table_index);
    case LogicalKind::kUnionAll: return visit(node.As<LogicalUnionAll>().table_index);
    case LogicalKind::kRecursion: return visit(node.As<LogicalRecursion>().table_index);
    case LogicalKind::kExplain: return visit(node.As<LogicalExplain>().table_index);
    case LogicalKind::kAggregate:
      visit(node.As<LogicalAggregate>().group_index);
      return visit(node.As<LogicalAggregate>().aggregate_index);
    case LogicalKind::kJoin:
      if (node.As<LogicalJoin>().join_type == LogicalJoinType::kMark)
        visit(node.As<LogicalJoin>().mark_index);
      return;
    case LogicalKind::kSharedScan:
      for (ColumnBinding& binding : node.As<LogicalSharedScan>().bindings) visit(binding.table_index);
      return;
    case LogicalKind::kInsert:
      if (auto& conflict = node.As<LogicalInsert>().on_conflict) visit(conflict->existing_index);
      return visit(node.As<LogicalWrite>().table_index);
    case LogicalKind::kUpdate:
    case LogicalKind::kDelete:
    case LogicalKind::kMerge: return visit(node.As<LogicalWrite>().table_index);
    case LogicalKind::kFilter:
    case LogicalKind::kDistinct:
    case LogicalKind::kSort:
    case LogicalKind::kTopN:
    case LogicalKind::kLimit:
    case LogicalKind::kMaterialize:
    case LogicalKind::kCreateTableAs:
    case LogicalKind::kCopyTo: return;
  }
}

void AddTables(LogicalOperator& plan, std::set<size_t>& tables) {
  CheckStack();
  ForEachOwnTable(plan, [&](size_t& index) { tables.insert(index); });
  for (const LogicalOperatorPtr& child : plan.children) AddTables(*child, tables);
}

void AddColumns(LogicalOperator& plan, std::set<ColumnBinding>& columns) {
  CheckStack();
  plan.ForEachExpression([&](ExpressionPtr& expression) {
    ForEachColumnRef(*expression, [&](const ColumnRefExpression& column) { columns.insert(column.binding); });
  });
  for (const LogicalOperatorPtr& child : plan.children) AddColumns(*child, columns);
}

}  // namespace

std::set<size_t> TablesOf(const LogicalOperator& plan) {
  std::set<size_t> tables;
  AddTables(const_cast<LogicalOperator&>(plan), tables);
  return tables;
}

std::vector<ColumnBinding> OutsideColumns(LogicalOperator& plan) {
  const std::set<size_t> tables = TablesOf(plan);
  std::set<ColumnBinding> columns;
  AddColumns(plan, columns);
  std::vector<ColumnBinding> outside;
  for (const ColumnBinding& column : columns) {
    if (!tables.contains(column.table_index)) outside.push_back(column);
  }
  return outside;
}

void RenumberTables(LogicalOperator& plan, const std::map<size_t, size_t>& numbers) {
  CheckStack();
  const auto renumber = [&](size_t& index) {
    const auto found = numbers.find(index);
    if (found != numbers.end()) index = found->second;
  };
  ForEachOwnTable(plan, renumber);
  plan.ForEachExpression([&](ExpressionPtr& expression) {
    ForEachColumnRef(expression, [&](ColumnRefExpression& column) { renumber(column.binding.table_index); });
  });
  for (const LogicalOperatorPtr& child : plan.children) RenumberTables(*child, numbers);
}

}  // namespace scaup
