// Plans filters: predicates of columns, and those that call functions of the program.
#include <algorithm>
#include <iterator>

#include "execution/foreign/batched_calls.hpp"
#include "execution/plan/physical_planner.hpp"
#include "execution/plan/planned_expressions.hpp"
#include "execution/scan/scan_operators.hpp"
#include "execution/stream/streaming_operators.hpp"
#include "planner/nodes.hpp"

namespace scaup {

namespace {

/// Filters by predicates that call functions of the program, one after the other.
PhysicalOperatorPtr FilterByCalls(PhysicalOperatorPtr input, std::vector<ExpressionPtr> predicates) {
  const size_t column_count = input->types().size();
  for (ExpressionPtr& predicate : predicates) {
    std::vector<ExpressionPtr> columns;
    for (size_t i = 0; i < column_count; i++)
      columns.push_back(std::make_unique<ReferenceExpression>(input->types()[i], i, ""));
    columns.push_back(std::move(predicate));
    input = BatchForeignCalls(std::move(input), columns);
    predicate = std::move(columns.back());
    columns.pop_back();
    const double rows = input->estimated_rows;
    input = std::make_unique<FilterOperator>(std::move(input), std::move(predicate));
    input->estimated_rows = rows;
    input = ProjectUnlessIdentity(std::move(input), std::move(columns));
  }
  return input;
}

}  // namespace

PhysicalOperatorPtr PhysicalPlanner::PlanFilter(LogicalFilter& filter) {
  const BindingResolver resolver(filter.children[0]->Bindings());
  const LogicalOperator& input = *filter.children[0];
  const bool is_of_documents =
      input.kind() == LogicalKind::kGet && input.As<LogicalGet>().table->is_collection();
  auto child = PlanNode(*filter.children[0]);
  for (auto& predicate : filter.predicates) resolver.Resolve(predicate);
  // Calls of the program's functions cost most, so they are made for the rows that are left.
  const auto costly = std::stable_partition(filter.predicates.begin(), filter.predicates.end(),
                                            [](const auto& each) { return !HasForeignCall(*each); });
  std::vector<ExpressionPtr> calling(std::make_move_iterator(costly),
                                     std::make_move_iterator(filter.predicates.end()));
  filter.predicates.erase(costly, filter.predicates.end());
  if (filter.predicates.empty()) return FilterByCalls(std::move(child), std::move(calling));
  ExpressionPtr predicate = MakeAnd(std::move(filter.predicates));
  // Documents are assembled from many attributes. So the scan tests the predicate itself first, and assembles
  // only the documents of rows that pass.
  if (is_of_documents && IsDeterministic(*predicate))
    static_cast<TableScanOperator&>(*child).SetRowFilter(predicate->Clone());
  // So do scans of files, where each column has to be decompressed.
  if (input.kind() == LogicalKind::kTableFunction && IsDeterministic(*predicate)) {
    if (auto* function = dynamic_cast<TableFunctionOperator*>(child.get()))
      function->SetRowFilter(predicate->Clone());
  }
  return FilterByCalls(std::make_unique<FilterOperator>(std::move(child), std::move(predicate)),
                       std::move(calling));
}

}  // namespace scaup
