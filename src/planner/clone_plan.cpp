// Copies of plans, and values in the place of parameters.
#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"
#include "planner/planner.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

/// Gives `copy` what all statements that write have.
LogicalOperatorPtr CopyWrite(const LogicalWrite& write, std::unique_ptr<LogicalWrite> copy) {
  for (const RowCheck& check : write.checks) copy->checks.push_back({check.name, check.condition->Clone()});
  for (const ExpressionPtr& expression : write.returning) copy->returning.push_back(expression->Clone());
  return copy;
}

std::vector<ExpressionPtr> CloneAll(const std::vector<ExpressionPtr>& expressions) {
  std::vector<ExpressionPtr> copies;
  copies.reserve(expressions.size());
  for (const auto& expression : expressions) copies.push_back(expression->Clone());
  return copies;
}

ExpressionPtr CloneIfAny(const ExpressionPtr& expression) {
  return expression ? expression->Clone() : nullptr;
}

LogicalOperatorPtr CloneGet(const LogicalGet& get) {
  auto copy = std::make_unique<LogicalGet>(get.table_index, get.table);
  copy->columns = get.columns;
  copy->filters = get.filters;
  copy->parameter_filters = get.parameter_filters;
  copy->text_searches = get.text_searches;
  copy->alternatives = get.alternatives;
  return copy;
}

LogicalOperatorPtr CloneTableFunction(const LogicalTableFunction& scan) {
  auto copy = std::make_unique<LogicalTableFunction>(scan.table_index, scan.function, scan.bound);
  copy->columns = scan.columns;
  copy->filters = scan.filters;
  return copy;
}

LogicalOperatorPtr CloneValues(const LogicalValues& values) {
  auto copy = std::make_unique<LogicalValues>(values.table_index, values.types, values.names);
  copy->rows.reserve(values.rows.size());
  for (const auto& row : values.rows) copy->rows.push_back(CloneAll(row));
  return copy;
}

LogicalOperatorPtr CloneJoin(const LogicalJoin& join) {
  auto copy = std::make_unique<LogicalJoin>(join.join_type, ClonePlan(*join.children[0]),
                                            ClonePlan(*join.children[1]));
  for (const JoinCondition& condition : join.conditions) {
    copy->conditions.push_back({condition.op, condition.left->Clone(), condition.right->Clone()});
  }
  copy->residual = CloneAll(join.residual);
  copy->mark_index = join.mark_index;
  copy->by_index = join.by_index;
  copy->marks_null = join.marks_null;
  return copy;
}

LogicalOperatorPtr CloneUnion(const LogicalUnionAll& all) {
  std::vector<LogicalOperatorPtr> inputs;
  for (const auto& child : all.children) inputs.push_back(ClonePlan(*child));
  return std::make_unique<LogicalUnionAll>(all.table_index, std::move(inputs), all.names);
}

LogicalOperatorPtr CloneAggregate(const LogicalAggregate& aggregate) {
  auto copy = std::make_unique<LogicalAggregate>(aggregate.group_index, aggregate.aggregate_index,
                                                 ClonePlan(*aggregate.children[0]),
                                                 CloneAll(aggregate.groups), CloneAll(aggregate.aggregates));
  copy->empty_sets = aggregate.empty_sets;
  return copy;
}

LogicalOperatorPtr CloneSharedScan(const LogicalSharedScan& scan) {
  auto copy = std::make_unique<LogicalSharedScan>(scan.share, scan.label, 0, scan.types, scan.names);
  copy->columns = scan.columns;
  copy->bindings = scan.bindings;
  return copy;
}

LogicalOperatorPtr CloneCopyTo(const LogicalCopyTo& copy_to) {
  auto copy = std::make_unique<LogicalCopyTo>(copy_to.target, ClonePlan(*copy_to.children[0]));
  copy->column_names = copy_to.column_names;
  return copy;
}

LogicalOperatorPtr CloneNode(const LogicalOperator& node) {
  CheckStack();
  const auto child = [&] { return ClonePlan(*node.children[0]); };
  switch (node.kind()) {
    case LogicalKind::kGet: return CloneGet(node.As<LogicalGet>());
    case LogicalKind::kTableFunction: return CloneTableFunction(node.As<LogicalTableFunction>());
    case LogicalKind::kValues: return CloneValues(node.As<LogicalValues>());
    case LogicalKind::kFilter:
      return std::make_unique<LogicalFilter>(child(), CloneAll(node.As<LogicalFilter>().predicates));
    case LogicalKind::kProject: {
      const auto& project = node.As<LogicalProject>();
      return std::make_unique<LogicalProject>(project.table_index, child(), CloneAll(project.expressions));
    }
    case LogicalKind::kExpand: {
      const auto& expand = node.As<LogicalExpand>();
      return std::make_unique<LogicalExpand>(expand.table_index, child(), CloneAll(expand.columns),
                                             expand.sets);
    }
    case LogicalKind::kAggregate: return CloneAggregate(node.As<LogicalAggregate>());
    case LogicalKind::kDistinct:
      return std::make_unique<LogicalDistinct>(child(), CloneAll(node.As<LogicalDistinct>().on));
    case LogicalKind::kWindow: {
      const auto& window = node.As<LogicalWindow>();
      return std::make_unique<LogicalWindow>(window.table_index, child(), CloneAll(window.partition_by),
                                             CloneKeys(window.order_by), CloneAll(window.functions));
    }
    case LogicalKind::kUnnest: {
      const auto& unnest = node.As<LogicalUnnest>();
      return std::make_unique<LogicalUnnest>(unnest.table_index, child(), CloneAll(unnest.lists),
                                             unnest.has_ordinality, unnest.is_outer);
    }
    case LogicalKind::kJoin: return CloneJoin(node.As<LogicalJoin>());
    case LogicalKind::kSort:
      return std::make_unique<LogicalSort>(child(), CloneKeys(node.As<LogicalSort>().keys));
    case LogicalKind::kTopN: {
      const auto& top = node.As<LogicalTopN>();
      auto copy = std::make_unique<LogicalTopN>(child(), CloneKeys(top.keys), top.limit, top.offset);
      copy->by_index = top.by_index;
      return copy;
    }
    case LogicalKind::kLimit: {
      const auto& limit = node.As<LogicalLimit>();
      return std::make_unique<LogicalLimit>(
          child(), CloneIfAny(limit.limit), CloneIfAny(limit.offset),
          node.children.size() > 1 ? ClonePlan(*node.children[1]) : nullptr);
    }
    case LogicalKind::kUnionAll: return CloneUnion(node.As<LogicalUnionAll>());
    case LogicalKind::kMaterialize: {
      const auto& shared = node.As<LogicalMaterialize>();
      auto copy = std::make_unique<LogicalMaterialize>(shared.share, shared.label, child(),
                                                       ClonePlan(*node.children[1]));
      copy->is_change = shared.is_change;
      copy->is_returning = shared.is_returning;
      copy->is_statement = shared.is_statement;
      return copy;
    }
    case LogicalKind::kSharedScan: return CloneSharedScan(node.As<LogicalSharedScan>());
    case LogicalKind::kRecursion: {
      const auto& recursion = node.As<LogicalRecursion>();
      return std::make_unique<LogicalRecursion>(recursion.table_index, recursion.share, recursion.label,
                                                recursion.is_distinct, child(), ClonePlan(*node.children[1]),
                                                recursion.names);
    }
    case LogicalKind::kInsert: {
      const auto& insert = node.As<LogicalInsert>();
      auto copy = std::make_unique<LogicalInsert>(insert.table_index, insert.table, child());
      if (insert.on_conflict) copy->on_conflict = insert.on_conflict->Clone();
      return CopyWrite(insert, std::move(copy));
    }
    case LogicalKind::kUpdate: {
      const auto& update = node.As<LogicalUpdate>();
      return CopyWrite(
          update, std::make_unique<LogicalUpdate>(update.table_index, update.table, update.columns, child()));
    }
    case LogicalKind::kDelete: {
      const auto& deletion = node.As<LogicalDelete>();
      return CopyWrite(deletion,
                       std::make_unique<LogicalDelete>(deletion.table_index, deletion.table, child()));
    }
    case LogicalKind::kMerge: {
      const auto& merge = node.As<LogicalMerge>();
      auto copy = std::make_unique<LogicalMerge>(merge.table_index, merge.table, child());
      copy->actions = merge.actions;
      copy->row_columns = merge.row_columns;
      return CopyWrite(merge, std::move(copy));
    }
    case LogicalKind::kCreateTableAs: {
      const auto& create = node.As<LogicalCreateTableAs>();
      return std::make_unique<LogicalCreateTableAs>(create.schema, create.table, create.columns, child());
    }
    case LogicalKind::kCopyTo: return CloneCopyTo(node.As<LogicalCopyTo>());
    case LogicalKind::kExplain: {
      const auto& explain = node.As<LogicalExplain>();
      return std::make_unique<LogicalExplain>(explain.table_index, explain.analyze, explain.format, child());
    }
  }
  ThrowInternal("unknown logical operator");
}

void Substitute(ExpressionPtr& expression, std::span<const Value> values, const TimeZone& zone) {
  CheckStack();
  if (expression->kind() != ExpressionKind::kParameter) {
    expression->ForEachChild([&](ExpressionPtr& child) { Substitute(child, values, zone); });
    return;
  }
  auto constant = std::make_unique<ConstantExpression>(
      ParameterValue(expression->As<ParameterExpression>(), values, zone));
  constant->alias = expression->alias;
  constant->position = expression->position;
  expression = std::move(constant);
}

void ForgetPositions(Expression& expression) {
  CheckStack();
  expression.position.reset();
  expression.ForEachChild([](ExpressionPtr& child) { ForgetPositions(*child); });
}

}  // namespace

LogicalOperatorPtr ClonePlan(const LogicalOperator& plan) {
  LogicalOperatorPtr copy = CloneNode(plan);
  copy->estimated_rows = plan.estimated_rows;
  return copy;
}

Value ParameterValue(const ParameterExpression& parameter, std::span<const Value> values,
                     const TimeZone& zone) {
  if (parameter.index >= values.size()) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kUndefinedParameter,
        fmt::format("there is no value for parameter ${}: {} given", parameter.index + 1, values.size()),
        parameter.position);
  }
  Value value;
  if (!CastValue(values[parameter.index], parameter.type(), value, &zone)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               fmt::format("the value of parameter ${} cannot be converted to {}: {}", parameter.index + 1,
                           parameter.type().ToString(), values[parameter.index].ToString()),
               parameter.position);
  }
  return value;
}

void SubstituteParameters(ExpressionPtr& expression, std::span<const Value> values, const TimeZone& zone) {
  CheckStack();
  Substitute(expression, values, zone);
}

void ForgetPositions(LogicalOperator& plan) {
  CheckStack();
  plan.ForEachExpression([](ExpressionPtr& expression) { ForgetPositions(*expression); });
  for (auto& child : plan.children) ForgetPositions(*child);
}

void SubstituteParameters(LogicalOperator& plan, std::span<const Value> values, const TimeZone& zone) {
  CheckStack();
  plan.ForEachExpression([&](ExpressionPtr& expression) { Substitute(expression, values, zone); });
  for (auto& child : plan.children) SubstituteParameters(*child, values, zone);
}

}  // namespace scaup
