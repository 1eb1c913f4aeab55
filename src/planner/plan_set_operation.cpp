// Plans set operations: UNION appends its operands, INTERSECT and EXCEPT join them.
#include "planner/plan_set_operation.hpp"

#include "expression/window_expression.hpp"
#include "planner/make_column.hpp"
#include "planner/nodes.hpp"
#include "planner/plan_order_limit.hpp"
#include "planner/query_planner.hpp"

namespace scaup {

namespace {

/// Adds a column that numbers the rows among those that are equal.
LogicalOperatorPtr NumberDuplicates(QueryPlanner& planner, LogicalOperatorPtr input) {
  const auto bindings = input->Bindings();
  const auto types = input->Types();
  const auto names = input->Names();
  std::vector<ExpressionPtr> columns, functions;
  for (size_t i = 0; i < bindings.size(); i++) columns.push_back(MakeColumn(types[i], bindings[i], names[i]));
  functions.push_back(
      std::make_unique<WindowExpression>(WindowFunctionKind::kRowNumber, "row_number", TypeId::kBigInt));
  return std::make_unique<LogicalWindow>(planner.NewTableIndex(), std::move(input), std::move(columns),
                                         std::vector<SortKey>(), std::move(functions));
}

}  // namespace

LogicalOperatorPtr CastColumns(QueryPlanner& planner, LogicalOperatorPtr input,
                               const std::vector<LogicalType>& types) {
  if (input->Types() == types) return input;
  const auto bindings = input->Bindings();
  const auto names = input->Names();
  const auto from = input->Types();
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < types.size(); i++) {
    ExpressionPtr column = MakeColumn(from[i], bindings[i], names[i]);
    columns.push_back(AddCast(std::move(column), types[i]));
  }
  return std::make_unique<LogicalProject>(planner.NewTableIndex(), std::move(input), std::move(columns));
}

LogicalOperatorPtr PlanSetOperation(QueryPlanner& planner, BoundSetOperation& query) {
  std::vector<LogicalOperatorPtr> inputs;
  for (auto& operand : query.operands)
    inputs.push_back(CastColumns(planner, planner.PlanQuery(*operand), query.types));
  LogicalOperatorPtr plan;
  if (query.operation == BoundSetOperationType::kUnion) {
    plan = std::make_unique<LogicalUnionAll>(query.table_index, std::move(inputs), query.names);
  } else {
    // INTERSECT and EXCEPT are semi and anti joins that treat NULLs as equal. With ALL, the nth of several
    // equal rows corresponds to the nth one of the other input, so rows are numbered first.
    std::vector<LogicalType> types = query.types;
    if (query.all) {
      for (LogicalOperatorPtr& input : inputs) input = NumberDuplicates(planner, std::move(input));
      types.emplace_back(TypeId::kBigInt);
    }
    plan = std::move(inputs[0]);
    const bool is_intersect = query.operation == BoundSetOperationType::kIntersect;
    for (size_t i = 1; i < inputs.size(); i++) {
      const auto left = plan->Bindings(), right = inputs[i]->Bindings();
      auto join =
          std::make_unique<LogicalJoin>(is_intersect ? LogicalJoinType::kSemi : LogicalJoinType::kAnti,
                                        std::move(plan), std::move(inputs[i]));
      for (size_t column = 0; column < types.size(); column++) {
        const auto side = [&](const ColumnBinding& binding) {
          return MakeColumn(types[column], binding,
                            column < query.names.size() ? query.names[column] : "row_number()");
        };
        join->conditions.push_back({ComparisonOp::kNotDistinctFrom, side(left[column]), side(right[column])});
      }
      plan = std::move(join);
    }
    const auto bindings = plan->Bindings();
    std::vector<ExpressionPtr> columns;
    for (size_t i = 0; i < query.types.size(); i++) {
      columns.push_back(MakeColumn(query.types[i], bindings[i], query.names[i]));
    }
    plan = std::make_unique<LogicalProject>(query.table_index, std::move(plan), std::move(columns));
  }
  if (!query.all) plan = std::make_unique<LogicalDistinct>(std::move(plan), std::vector<ExpressionPtr>());
  plan = PlanOrder(query, query.table_index, query.types, query.names, std::move(plan));
  return PlanLimit(planner, query, std::move(plan));
}

}  // namespace scaup
