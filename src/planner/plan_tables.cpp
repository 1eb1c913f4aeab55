// Table indexes of plans: collecting and renumbering.
#include "planner/plan_tables.hpp"

#include "common/stack_bound.hpp"
#include "planner/nodes.hpp"

namespace scaup {

namespace {

void AddTables(LogicalOperator& plan, std::set<size_t>& tables) {
  CheckStack();
  plan.ForEachTableIndex([&](size_t& index) { tables.insert(index); });
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
  // ForEachTableIndex allows changes, but AddTables makes none.
  AddTables(const_cast<LogicalOperator&>(plan), tables);
  return tables;
}

std::set<size_t> OutputTables(const LogicalOperator& plan) {
  std::set<size_t> tables;
  for (const ColumnBinding& binding : plan.Bindings()) tables.insert(binding.table_index);
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
  plan.ForEachTableIndex(renumber);
  plan.ForEachExpression([&](ExpressionPtr& expression) {
    ForEachColumnRef(expression, [&](ColumnRefExpression& column) { renumber(column.binding.table_index); });
  });
  for (const LogicalOperatorPtr& child : plan.children) RenumberTables(*child, numbers);
}

}  // namespace scaup
