// Planned expressions: resolves column bindings, and omits projections that change nothing.
#include "execution/plan/planned_expressions.hpp"

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/foreign/batched_calls.hpp"
#include "execution/stream/streaming_operators.hpp"
#include "planner/node/get.hpp"

namespace scaup {

void BindingResolver::Resolve(ExpressionPtr& expression) const {
  CheckStack();
  if (expression->kind() != ExpressionKind::kColumnRef) {
    expression->ForEachChild([&](ExpressionPtr& child) { Resolve(child); });
    return;
  }
  const auto& column = expression->As<ColumnRefExpression>();
  const auto found = positions_.find(column.binding);
  if (found == positions_.end()) {
    ThrowInternal(fmt::format("column \"{}\" ({}.{}) is not in the operator's input", column.name,
                              column.binding.table_index, column.binding.column_index));
  }
  auto reference = std::make_unique<ReferenceExpression>(column.type(), found->second, column.name);
  reference->alias = column.alias;
  reference->position = column.position;
  expression = std::move(reference);
}

static bool IsIdentity(const std::vector<ExpressionPtr>& expressions, size_t input_columns) {
  if (expressions.size() != input_columns) return false;
  for (size_t i = 0; i < expressions.size(); i++) {
    if (expressions[i]->kind() != ExpressionKind::kReference ||
        expressions[i]->As<ReferenceExpression>().index != i)
      return false;
  }
  return true;
}

PhysicalOperatorPtr ProjectUnlessIdentity(PhysicalOperatorPtr child, std::vector<ExpressionPtr> expressions) {
  child = BatchForeignCalls(std::move(child), expressions);
  if (IsIdentity(expressions, child->types().size())) return child;
  const double rows = child->estimated_rows;
  auto project = std::make_unique<ProjectOperator>(std::move(child), std::move(expressions));
  project->estimated_rows = rows;
  return project;
}

TableScanSpecification ScanOf(const LogicalGet& get) { return {get.columns, get.predicate}; }

}  // namespace scaup
