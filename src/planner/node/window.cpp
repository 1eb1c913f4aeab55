// Window functions of one PARTITION BY and ORDER BY.
#include "planner/node/window.hpp"

#include "common/stack_bound.hpp"
#include "expression/window_expression.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalWindow::LogicalWindow(size_t table_index_in, LogicalOperatorPtr child,
                             std::vector<ExpressionPtr> partition_by_in, std::vector<SortKey> order_by_in,
                             std::vector<ExpressionPtr> functions_in)
    : LogicalOperator(LogicalKind::kWindow),
      table_index(table_index_in),
      partition_by(std::move(partition_by_in)),
      order_by(std::move(order_by_in)),
      functions(std::move(functions_in)) {
  children.push_back(std::move(child));
}

std::vector<ColumnBinding> LogicalWindow::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = children[0]->Bindings();
  Append(bindings, NumberedBindings(table_index, functions.size()));
  return bindings;
}

std::vector<LogicalType> LogicalWindow::Types() const {
  CheckStack();
  std::vector<LogicalType> types = children[0]->Types();
  Append(types, TypesOf(functions));
  return types;
}

std::vector<std::string> LogicalWindow::Names() const {
  CheckStack();
  std::vector<std::string> names = children[0]->Names();
  Append(names, NamesOf(functions));
  return names;
}

void LogicalWindow::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(partition_by, visit);
  for (SortKey& key : order_by) visit(key.expression);
  VisitAll(functions, visit);
}

std::vector<std::string> LogicalWindow::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "partition by", Texts(partition_by));
  AddLine(lines, "order by", KeyTexts(order_by));
  std::vector<std::string> calls = Texts(functions);
  constexpr std::string_view kNoFrame = " OVER ()";
  for (std::string& call : calls) {
    if (call.ends_with(kNoFrame)) call.resize(call.size() - kNoFrame.size());
  }
  AddLine(lines, "functions", calls);
  return lines;
}

LogicalOperatorPtr LogicalWindow::Clone() const {
  return std::make_unique<LogicalWindow>(table_index, ClonePlan(*children[0]), CloneAll(partition_by),
                                         CloneKeys(order_by), CloneAll(functions));
}

}  // namespace scaup
