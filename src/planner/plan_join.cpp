// Plans joins of FROM: conditions go to the join, or with their subqueries above it, or over numbered pairs.
#include "planner/plan_join.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "binder/bound/subquery_expression.hpp"
#include "common/stack_bound.hpp"
#include "expression/window_expression.hpp"
#include "planner/dependent_plan.hpp"
#include "planner/make_column.hpp"
#include "planner/nodes.hpp"
#include "planner/plan_matched_join.hpp"
#include "planner/plan_tables.hpp"
#include "planner/query_planner.hpp"
#include "planner/unnest_subquery.hpp"

namespace scaup {

namespace {

/// The columns that an expression uses: any at all, and only those of one side. A value.
struct Usage {
  bool uses_any = false;
  bool is_within = true;
};
Usage UsageOf(const Expression& expression, const std::set<size_t>& tables) {
  Usage usage;
  ForEachColumnRef(expression, [&](const ColumnRefExpression& column) {
    usage.uses_any = true;
    if (!tables.contains(column.binding.table_index)) usage.is_within = false;
  });
  return usage;
}

bool IsAlwaysTrue(const std::vector<ExpressionPtr>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [](const ExpressionPtr& condition) {
    return condition->kind() == ExpressionKind::kConstant &&
           condition->As<ConstantExpression>().value == Value::Boolean(true);
  });
}

/// Returns whether `plan` is unnest() of lists in the rows of `input`. It then needs no join, as it can read
/// the input itself.
bool IsUnnestOf(const LogicalOperator& input, LogicalOperator& plan) {
  return plan.kind() == LogicalKind::kUnnest && plan.children[0]->kind() == LogicalKind::kValues &&
         !UsedColumns(input, plan).empty();
}

/// Returns the side of an outer join on which the subqueries of its condition can be evaluated; none if they
/// use both.
std::optional<size_t> SideOfSubqueries(Expression& condition, const LogicalOperator& left,
                                       const LogicalOperator& right) {
  std::set<size_t> used;
  const std::function<void(Expression&)> collect = [&](Expression& expression) {
    if (expression.kind() == ExpressionKind::kSubquery) {
      auto& subquery = expression.As<SubqueryExpression>();
      subquery.ForEachChild([&](ExpressionPtr& compared) {
        ForEachColumnRef(*compared,
                         [&](const ColumnRefExpression& column) { used.insert(column.binding.table_index); });
      });
      ForEachOuterReference(*subquery.query, [&](ColumnRefExpression& column, size_t) {
        used.insert(column.binding.table_index);
      });
    }
    expression.ForEachChild([&](ExpressionPtr& child) { collect(*child); });
  };
  collect(condition);
  for (const size_t side : {size_t{1}, size_t{0}}) {
    const auto tables = OutputTables(side == 0 ? left : right);
    if (std::includes(tables.begin(), tables.end(), used.begin(), used.end())) return side;
  }
  return std::nullopt;
}

/// Plans an inner join. The right child may use columns of the left one (LATERAL).
LogicalOperatorPtr PlanPairs(QueryPlanner& planner, LogicalOperatorPtr left, LogicalOperatorPtr right,
                             std::vector<ExpressionPtr> conditions) {
  LogicalJoin& join = JoinDependent(planner, LogicalJoinType::kInner, left, std::move(right), nullptr);
  // The condition of an inner join may as well be a filter above it, where subqueries can use both sides.
  std::vector<ExpressionPtr> above;
  for (auto& condition : conditions) {
    if (HasSubquery(*condition)) {
      above.push_back(std::move(condition));
    } else {
      AddJoinCondition(join, std::move(condition));
    }
  }
  return SubqueryUnnester(planner).Filter(std::move(left), std::move(above));
}

/// Numbered rows, materialized for two readers that both use the former bindings. Lives during planning.
struct NumberedRows {
  LogicalOperatorPtr definition;
  size_t share = 0;
  LogicalOperatorPtr paired, kept;    ///< the two readers
  ColumnBinding number;               ///< binding of the number in both
  std::map<size_t, size_t> in_pairs;  ///< final table indexes of `paired`, by the former ones
};

NumberedRows NumberRows(QueryPlanner& planner, LogicalOperatorPtr plan) {
  NumberedRows rows;
  const size_t index = planner.NewTableIndex();
  std::vector<ExpressionPtr> functions;
  functions.push_back(
      std::make_unique<WindowExpression>(WindowFunctionKind::kRowNumber, "row_number", TypeId::kBigInt));
  rows.definition = std::make_unique<LogicalWindow>(index, std::move(plan), std::vector<ExpressionPtr>(),
                                                    std::vector<SortKey>(), std::move(functions));
  rows.share = planner.NewTableIndex();
  rows.number = {index, 0};
  const std::vector<ColumnBinding> bindings = rows.definition->Bindings();
  const std::vector<LogicalType> types = rows.definition->Types();
  const std::vector<std::string> names = rows.definition->Names();
  for (LogicalOperatorPtr* scan : {&rows.paired, &rows.kept}) {
    auto made = std::make_unique<LogicalSharedScan>(rows.share, "numbered rows", planner.NewTableIndex(),
                                                    types, names);
    made->bindings = bindings;
    *scan = std::move(made);
  }
  // Both readers use the former bindings, which must be unique in the plan. So the definition gets new ones.
  std::map<size_t, size_t> numbers;
  for (const size_t table : TablesOf(*rows.definition)) numbers[table] = planner.NewTableIndex();
  RenumberTables(*rows.definition, numbers);
  for (const ColumnBinding& binding : bindings) rows.in_pairs.try_emplace(binding.table_index, 0);
  for (auto& [table, in_pairs] : rows.in_pairs) in_pairs = planner.NewTableIndex();
  return rows;
}

/// Plans an outer join with subqueries in its condition that use columns of both sides. Finds the matching
/// pairs as for an inner join, with the number of each row that must appear. Then it outer-joins the rows
/// with the pairs by number.
LogicalOperatorPtr PlanOuterJoinOfPairs(QueryPlanner& planner, LogicalJoinType type, LogicalOperatorPtr left,
                                        LogicalOperatorPtr right, std::vector<ExpressionPtr> conditions) {
  std::optional<NumberedRows> kept_left, kept_right;
  if (type != LogicalJoinType::kRight) {
    kept_left = NumberRows(planner, std::move(left));
    left = std::move(kept_left->paired);
  }
  const bool is_full = type == LogicalJoinType::kRight || type == LogicalJoinType::kFull;
  if (is_full) {
    kept_right = NumberRows(planner, std::move(right));
    right = std::move(kept_right->paired);
  }
  LogicalOperatorPtr plan = PlanPairs(planner, std::move(left), std::move(right), std::move(conditions));
  if (kept_left) RenumberTables(*plan, kept_left->in_pairs);
  if (kept_right) RenumberTables(*plan, kept_right->in_pairs);
  const auto join_kept = [&](LogicalJoinType join_type, NumberedRows& rows, bool is_left) {
    ExpressionPtr number = MakeColumn(TypeId::kBigInt, {rows.number.table_index, 0}, "row number");
    ExpressionPtr paired =
        MakeColumn(TypeId::kBigInt, {rows.in_pairs.at(rows.number.table_index), 0}, "row number");
    if (is_left) std::swap(plan, rows.kept);
    auto join = std::make_unique<LogicalJoin>(join_type, std::move(plan), std::move(rows.kept));
    if (!is_left) std::swap(number, paired);
    join->conditions.push_back({ComparisonOp::kEqual, std::move(number), std::move(paired)});
    plan = std::move(join);
  };
  if (kept_left) join_kept(is_full ? LogicalJoinType::kLeft : type, *kept_left, true);
  if (kept_right) join_kept(type, *kept_right, false);
  for (auto* rows : {&kept_right, &kept_left}) {
    if (!*rows) continue;
    plan = std::make_unique<LogicalMaterialize>((*rows)->share, "numbered rows",
                                                std::move((*rows)->definition), std::move(plan));
  }
  return plan;
}

}  // namespace

void AddJoinCondition(LogicalJoin& join, ExpressionPtr condition) {
  if (condition->kind() == ExpressionKind::kComparison) {
    auto& comparison = condition->As<ComparisonExpression>();
    const auto left = OutputTables(*join.children[0]), right = OutputTables(*join.children[1]);
    const auto belongs = [](const Expression& side, const std::set<size_t>& tables) {
      const Usage usage = UsageOf(side, tables);
      return usage.uses_any && usage.is_within;
    };
    if (belongs(*comparison.left, left) && belongs(*comparison.right, right)) {
      join.conditions.push_back({comparison.op, std::move(comparison.left), std::move(comparison.right)});
      return;
    }
    if (belongs(*comparison.left, right) && belongs(*comparison.right, left)) {
      join.conditions.push_back(
          {FlipComparison(comparison.op), std::move(comparison.right), std::move(comparison.left)});
      return;
    }
  }
  join.residual.push_back(std::move(condition));
}

LogicalOperatorPtr PlanJoin(QueryPlanner& planner, BoundJoin& bound) {
  CheckStack();
  LogicalJoinType type = LogicalJoinType::kInner;
  switch (bound.type) {
    case BoundJoinType::kInner: break;
    case BoundJoinType::kLeft: type = LogicalJoinType::kLeft; break;
    case BoundJoinType::kRight: type = LogicalJoinType::kRight; break;
    case BoundJoinType::kFull: type = LogicalJoinType::kFull; break;
    case BoundJoinType::kSemi: type = LogicalJoinType::kSemi; break;
    case BoundJoinType::kAnti: type = LogicalJoinType::kAnti; break;
    case BoundJoinType::kPositional: return PlanPositionalJoin(planner, bound);
    case BoundJoinType::kAsof:
    case BoundJoinType::kAsofLeft: return PlanAsofJoin(planner, bound);
  }
  LogicalOperatorPtr left = planner.PlanTable(*bound.left);
  LogicalOperatorPtr right = planner.PlanTable(*bound.right);
  const bool is_semi = type == LogicalJoinType::kSemi || type == LogicalJoinType::kAnti;
  if (!is_semi && IsUnnestOf(*left, *right) &&
      (type == LogicalJoinType::kInner || IsAlwaysTrue(bound.conditions))) {
    right->As<LogicalUnnest>().is_outer = type == LogicalJoinType::kLeft;
    right->children[0] = std::move(left);
    if (type == LogicalJoinType::kLeft) return right;
    return SubqueryUnnester(planner).Filter(std::move(right), std::move(bound.conditions));
  }
  if (type == LogicalJoinType::kInner)
    return PlanPairs(planner, std::move(left), std::move(right), std::move(bound.conditions));
  const bool uses_both =
      std::any_of(bound.conditions.begin(), bound.conditions.end(), [&](const ExpressionPtr& condition) {
        return HasSubquery(*condition) && !SideOfSubqueries(*condition, *left, *right);
      });
  if (uses_both)
    return PlanOuterJoinOfPairs(planner, type, std::move(left), std::move(right),
                                std::move(bound.conditions));
  // The right child may use columns of the left one (LATERAL).
  LogicalJoin* join = &JoinDependent(planner, type, left, std::move(right), nullptr);
  for (auto& condition : bound.conditions) {
    if (HasSubquery(*condition)) {
      const size_t side = SideOfSubqueries(*condition, *join->children[0], *join->children[1]).value();
      SubqueryUnnester(planner).Replace(condition, join->children[side]);
    }
    AddJoinCondition(*join, std::move(condition));
  }
  return left;
}

}  // namespace scaup
