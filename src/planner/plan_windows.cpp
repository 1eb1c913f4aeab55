// Plans window functions, and the offsets of their frames as columns.
#include "planner/plan_windows.hpp"

#include "expression/window_expression.hpp"
#include "planner/node/join.hpp"
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
    input =
        std::make_unique<LogicalWindow>(window.table_index, std::move(input), std::move(window.partition_by),
                                        std::move(window.order_by), std::move(window.functions));
  }
  return input;
}

}  // namespace scaup
