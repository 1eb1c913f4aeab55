// LIMIT by the numbers of rows: a window numbers them, a filter takes some.
#include "planner/numbered_limit.hpp"

#include "common/throw.hpp"
#include "expression/window_expression.hpp"
#include "function/function_registry.hpp"
#include "function/scalar/misc/checked_row_count.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/window.hpp"

namespace scaup {

namespace {

/// Returns whether a count is no limit at all. Throws for a negative constant.
bool IsNone(const ExpressionPtr& count, bool is_percent, const char* name, const char* sqlstate) {
  if (!count) return true;
  if (count->kind() != ExpressionKind::kConstant) return false;
  const Value& value = count->As<ConstantExpression>().value;
  if (value.is_null()) return true;
  if (!is_percent && value.GetBigInt() < 0) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate, std::string(name) + " must not be negative",
               count->position);
  }
  return false;
}

/// Returns a count that is checked at execution, unless it is a constant.
ExpressionPtr Checked(ExpressionPtr count, bool is_limit) {
  if (count->kind() == ExpressionKind::kConstant) return count;
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(count));
  return std::make_unique<FunctionExpression>(CheckedRowCount(is_limit), nullptr, std::move(arguments));
}

ExpressionPtr Sum(ExpressionPtr a, ExpressionPtr b) {
  const std::vector<BindArgument> types = {{TypeId::kBigInt, nullptr}, {TypeId::kBigInt, nullptr}};
  ResolvedScalar plus = ResolveScalar(FunctionRegistry::Builtin(), "+", types);
  std::vector<ExpressionPtr> operands;
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  return std::make_unique<FunctionExpression>(std::move(plus.function), std::move(plus.data),
                                              std::move(operands));
}

}  // namespace

ExpressionPtr FirstNotNull(ExpressionPtr first, ExpressionPtr second) {
  const LogicalType type = first->type();
  ExpressionPtr condition = std::make_unique<IsNullExpression>(first->Clone(), true);
  std::vector<CaseExpression::Branch> branches;
  branches.push_back({std::move(condition), std::move(first)});
  return std::make_unique<CaseExpression>(type, std::move(branches), std::move(second));
}

LogicalOperatorPtr LimitByNumber(QueryPlanner& planner, LogicalOperatorPtr input, NumberedLimit limit) {
  const bool has_limit = !IsNone(limit.limit, limit.is_percent, "LIMIT", "2201W");
  const bool has_offset = !IsNone(limit.offset, false, "OFFSET", "2201X");
  if (!has_limit && !has_offset) return input;
  const size_t index = planner.NewTableIndex();
  std::vector<ExpressionPtr> functions;
  const auto number = [&](WindowFunctionKind kind, const char* name) -> ExpressionPtr {
    functions.push_back(std::make_unique<WindowExpression>(kind, name, TypeId::kBigInt));
    return std::make_unique<ColumnRefExpression>(TypeId::kBigInt, ColumnBinding{index, functions.size() - 1},
                                                 name);
  };
  const auto row_count = [&]() -> ExpressionPtr {
    ResolvedAggregate count = ResolveAggregate(FunctionRegistry::Builtin(), "count_star", {});
    auto call =
        std::make_unique<WindowExpression>(WindowFunctionKind::kAggregate, "count_star", TypeId::kBigInt);
    call->aggregate = std::move(count.function);
    call->data = std::move(count.data);
    call->frame.unit = FrameUnit::kRows;
    call->frame.end.kind = FrameBoundKind::kUnboundedFollowing;
    functions.push_back(std::move(call));
    return std::make_unique<ColumnRefExpression>(TypeId::kBigInt, ColumnBinding{index, functions.size() - 1},
                                                 "count");
  };
  std::vector<ExpressionPtr> predicates;
  ExpressionPtr offset;
  if (has_offset) {
    offset = FirstNotNull(Checked(std::move(limit.offset), false),
                          std::make_unique<ConstantExpression>(Value::BigInt(0)));
    predicates.push_back(std::make_unique<ComparisonExpression>(
        ComparisonOp::kGreater, number(WindowFunctionKind::kRowNumber, "row_number"), offset->Clone()));
  }
  if (has_limit) {
    // Rows that tie with the last one have its rank, which is at most its number. So comparing the rank
    // admits all of them.
    ExpressionPtr counted = limit.with_ties ? number(WindowFunctionKind::kRank, "rank")
                                            : number(WindowFunctionKind::kRowNumber, "row_number");
    ExpressionPtr last;
    if (limit.is_percent) {
      std::vector<ExpressionPtr> arguments;
      arguments.push_back(row_count());
      arguments.push_back(std::move(limit.limit));
      last = std::make_unique<FunctionExpression>(PercentOfRows(), nullptr, std::move(arguments));
    } else {
      last = Checked(std::move(limit.limit), true);
    }
    if (offset) last = Sum(std::move(last), std::move(offset));
    auto within =
        std::make_unique<ComparisonExpression>(ComparisonOp::kLessEqual, std::move(counted), std::move(last));
    // A count may be NULL, which means no limit. The comparison is then NULL and must pass.
    predicates.push_back(
        std::make_unique<ComparisonExpression>(ComparisonOp::kDistinctFrom, std::move(within),
                                               std::make_unique<ConstantExpression>(Value::Boolean(false))));
  }
  auto window = std::make_unique<LogicalWindow>(index, std::move(input), std::move(limit.partition_by),
                                                std::move(limit.order_by), std::move(functions));
  return std::make_unique<LogicalFilter>(std::move(window), std::move(predicates));
}

}  // namespace scaup
