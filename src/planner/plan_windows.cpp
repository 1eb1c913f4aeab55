// Plans window functions, and the offsets of their frames as columns.
#include "planner/plan_windows.hpp"

#include "expression/window_expression.hpp"
#include "planner/node/join.hpp"
#include "planner/node/node_parts.hpp"
#include "planner/node/project.hpp"
#include "planner/node/window.hpp"
#include "planner/query_planner.hpp"
#include "planner/unnest_subquery.hpp"

namespace scaup {

namespace {

/// Makes the offset of a frame an expression over `input`.
void PlanFrameOffset(QueryPlanner& planner, ExpressionPtr& offset, LogicalOperatorPtr& input) {
  if (IsDeterministic(*offset)) return SubqueryUnnester(planner).Replace(offset, input);
  // An offset that is not deterministic is computed once, beside the rows: a frame must have the same offset
  // in all of them.
  LogicalOperatorPtr once = planner.OneRow();
  SubqueryUnnester(planner).Replace(offset, once);
  const size_t index = planner.NewTableIndex();
  const std::string name(WindowFrameBound::kOffsetName);
  ExpressionPtr column = std::make_unique<ColumnRefExpression>(offset->type(), ColumnBinding{index, 0}, name);
  offset->alias = name;
  std::vector<ExpressionPtr> columns;
  columns.push_back(std::exchange(offset, std::move(column)));
  once = std::make_unique<LogicalProject>(index, std::move(once), std::move(columns));
  input = std::make_unique<LogicalJoin>(LogicalJoinType::kSingle, std::move(input), std::move(once));
}

/// Appends a window with one function to `input`. Returns the function's column.
ExpressionPtr AddWindow(QueryPlanner& planner, LogicalOperatorPtr& input,
                        std::vector<ExpressionPtr> partition_by, std::vector<SortKey> order_by,
                        std::unique_ptr<WindowExpression> function) {
  const size_t index = planner.NewTableIndex();
  ExpressionPtr column =
      std::make_unique<ColumnRefExpression>(function->type(), ColumnBinding{index, 0}, function->name);
  std::vector<ExpressionPtr> functions;
  functions.push_back(std::move(function));
  input = std::make_unique<LogicalWindow>(index, std::move(input), std::move(partition_by),
                                          std::move(order_by), std::move(functions));
  return column;
}

/// Returns the function's arguments and condition: what rows must have in common to count once.
std::vector<ExpressionPtr> CountedTogether(const BoundWindow& window, const WindowExpression& function) {
  std::vector<ExpressionPtr> keys = CloneAll(window.partition_by);
  if (function.filter) keys.push_back(function.filter->Clone());
  for (const auto& argument : function.arguments) keys.push_back(argument->Clone());
  return keys;
}

ExpressionPtr RowNumberOver(QueryPlanner& planner, LogicalOperatorPtr& input,
                            std::vector<ExpressionPtr> partition_by, std::vector<SortKey> order_by) {
  return AddWindow(
      planner, input, std::move(partition_by), std::move(order_by),
      std::make_unique<WindowExpression>(WindowFunctionKind::kRowNumber, "row_number", TypeId::kBigInt));
}

void AddCondition(WindowExpression& function, ExpressionPtr condition) {
  if (function.filter) {
    std::vector<ExpressionPtr> conditions;
    conditions.push_back(std::move(function.filter));
    conditions.push_back(std::move(condition));
    condition = std::make_unique<ConjunctionExpression>(true, std::move(conditions));
  }
  function.filter = std::move(condition);
}

/// Returns whether all frames of a window are whole partitions, so that the order of rows does not matter.
bool SpansPartition(const BoundWindow& window, const WindowFrame& frame) {
  return frame.start.kind == FrameBoundKind::kUnboundedPreceding &&
         (frame.end.kind == FrameBoundKind::kUnboundedFollowing ||
          (frame.end.kind == FrameBoundKind::kCurrentRow && frame.unit != FrameUnit::kRows &&
           window.order_by.empty()));
}

/// Replaces the DISTINCT of a window's only function. A row counts in a frame unless one before it in the
/// frame has the same arguments. So further windows find, for each row, the number of the last such row of
/// the partition. Frames that begin with the partition have the rows without one; for others the function
/// compares the number with the frame's begin.
void PlanDistinct(QueryPlanner& planner, BoundWindow& window, LogicalOperatorPtr& input) {
  auto& function = window.functions[0]->As<WindowExpression>();
  function.distinct = false;
  if (SpansPartition(window, function.frame)) {
    ExpressionPtr number = RowNumberOver(planner, input, CountedTogether(window, function), {});
    AddCondition(function, std::make_unique<ComparisonExpression>(ComparisonOp::kEqual, std::move(number),
                                                                  MakeConstant(Value::BigInt(1))));
    return;
  }
  const ExpressionPtr number =
      RowNumberOver(planner, input, CloneAll(window.partition_by), CloneKeys(window.order_by));
  const auto by_number = [&] {
    std::vector<SortKey> keys;
    keys.push_back({number->Clone(), false, false});
    return keys;
  };
  auto lag = std::make_unique<WindowExpression>(WindowFunctionKind::kLag, "lag", TypeId::kBigInt);
  lag->arguments.push_back(number->Clone());
  ExpressionPtr previous =
      AddWindow(planner, input, CountedTogether(window, function), by_number(), std::move(lag));
  // Rows that tie have the order of their numbers where a frame may separate them.
  if (function.frame.unit == FrameUnit::kRows) window.order_by = by_number();
  if (function.frame.start.kind == FrameBoundKind::kUnboundedPreceding) {
    AddCondition(function, std::make_unique<IsNullExpression>(std::move(previous), false));
  } else {
    function.previous = std::move(previous);
  }
}

}  // namespace

LogicalOperatorPtr PlanWindows(QueryPlanner& planner, BoundSelect& select, LogicalOperatorPtr input) {
  SubqueryUnnester unnester(planner);
  for (BoundWindow& window : select.windows) {
    for (auto& key : window.partition_by) unnester.Replace(key, input);
    for (auto& key : window.order_by) unnester.Replace(key.expression, input);
    for (auto& function : window.functions) {
      WindowFrame& frame = function->As<WindowExpression>().frame;
      for (WindowFrameBound* bound : {&frame.start, &frame.end})
        if (bound->offset) PlanFrameOffset(planner, bound->offset, input);
      frame.PutOffsets();
      unnester.Replace(function, input);
    }
    if (window.functions[0]->As<WindowExpression>().distinct) PlanDistinct(planner, window, input);
    input =
        std::make_unique<LogicalWindow>(window.table_index, std::move(input), std::move(window.partition_by),
                                        std::move(window.order_by), std::move(window.functions));
  }
  return input;
}

}  // namespace scaup
