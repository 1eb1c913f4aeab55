// Plans POSITIONAL JOIN and ASOF JOIN: conditions of both sides become keys, those of one side filters.
#include "planner/plan_matched_join.hpp"

#include <algorithm>
#include <set>

#include "binder/bound/subquery_expression.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "planner/dependent_plan.hpp"
#include "planner/node/filter.hpp"
#include "planner/plan_tables.hpp"
#include "planner/query_planner.hpp"

namespace scaup {

namespace {

bool IsInequality(ComparisonOp op) {
  return op == ComparisonOp::kLess || op == ComparisonOp::kLessEqual || op == ComparisonOp::kGreater ||
         op == ComparisonOp::kGreaterEqual;
}

std::set<size_t> TablesIn(const Expression& expression) {
  std::set<size_t> used;
  ForEachColumnRef(expression,
                   [&](const ColumnRefExpression& column) { used.insert(column.binding.table_index); });
  return used;
}

bool Includes(const std::set<size_t>& tables, const std::set<size_t>& used) {
  return std::includes(tables.begin(), tables.end(), used.begin(), used.end());
}

bool Overlaps(const std::set<size_t>& tables, const std::set<size_t>& used) {
  return std::any_of(used.begin(), used.end(), [&](size_t table) { return tables.contains(table); });
}

/// The conditions of an ASOF JOIN, sorted by what becomes of them. Lives during planning.
struct AsofConditions {
  std::vector<JoinCondition> equalities;
  std::vector<JoinCondition> inequalities;
  std::vector<ExpressionPtr> of_left, of_right;

  /// Adds a condition that compares both sides; false if this one does not. Outer columns belong to the left.
  bool AddComparison(Expression& condition, const std::set<size_t>& right) {
    if (condition.kind() != ExpressionKind::kComparison) return false;
    auto& comparison = condition.As<ComparisonExpression>();
    const std::set<size_t> a = TablesIn(*comparison.left), b = TablesIn(*comparison.right);
    if (a.empty() || b.empty()) return false;
    JoinCondition made{comparison.op, nullptr, nullptr};
    const bool is_equality = made.op == ComparisonOp::kEqual || made.op == ComparisonOp::kNotDistinctFrom;
    if (!is_equality && !IsInequality(made.op)) return false;
    if (!Overlaps(right, a) && Includes(right, b)) {
      made.left = std::move(comparison.left);
      made.right = std::move(comparison.right);
    } else if (Includes(right, a) && !Overlaps(right, b)) {
      made = {FlipComparison(made.op), std::move(comparison.right), std::move(comparison.left)};
    } else {
      return false;
    }
    (is_equality ? equalities : inequalities).push_back(std::move(made));
    return true;
  }

  void Add(ExpressionPtr condition, const std::set<size_t>& right) {
    if (HasSubquery(*condition))
      ThrowNotSupported("a subquery in the condition of an ASOF JOIN; join with its result instead",
                        condition->position);
    if (AddComparison(*condition, right)) return;
    const std::set<size_t> used = TablesIn(*condition);
    if (!used.empty() && Includes(right, used)) {
      of_right.push_back(std::move(condition));
    } else if (!Overlaps(right, used)) {
      of_left.push_back(std::move(condition));  // or of outer rows
    } else {
      ThrowNotSupported(
          "this condition of an ASOF JOIN: it may have equalities of both sides, one inequality (<, <=, > "
          "or >=) of both, and predicates on one side; test anything else in WHERE",
          condition->position);
    }
  }
};

ExpressionPtr NotNull(const Expression& value) {
  return std::make_unique<IsNullExpression>(value.Clone(), true);
}

}  // namespace

LogicalOperatorPtr PlanPositionalJoin(QueryPlanner& planner, BoundJoin& bound) {
  CheckStack();
  LogicalOperatorPtr left = planner.PlanTable(*bound.left);
  return std::make_unique<LogicalJoin>(LogicalJoinType::kPositional, std::move(left),
                                       planner.PlanTable(*bound.right));
}

LogicalOperatorPtr PlanAsofJoin(QueryPlanner& planner, BoundJoin& bound) {
  CheckStack();
  LogicalOperatorPtr left = planner.PlanTable(*bound.left);
  LogicalOperatorPtr right = planner.PlanTable(*bound.right);
  const std::set<size_t> right_tables = OutputTables(*right);
  AsofConditions conditions;
  for (ExpressionPtr& condition : bound.conditions) conditions.Add(std::move(condition), right_tables);
  if (conditions.inequalities.size() != 1) {
    const bool is_missing = conditions.inequalities.empty();
    std::optional<size_t> position;
    if (!is_missing) position = conditions.inequalities[1].left->position;
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               is_missing ? "an ASOF JOIN needs an inequality (<, <=, > or >=) that compares a column of its "
                            "left side with one of its right side"
                          : "an ASOF JOIN has one inequality; test others in WHERE",
               position);
  }
  // NULLs on the right never match. Without them, NULLs of both sides cannot meet when rows are sorted.
  for (const auto* list : {&conditions.equalities, &conditions.inequalities}) {
    for (const JoinCondition& condition : *list) {
      if (condition.op != ComparisonOp::kNotDistinctFrom)
        conditions.of_right.push_back(NotNull(*condition.right));
    }
  }
  right = std::make_unique<LogicalFilter>(std::move(right), std::move(conditions.of_right));
  const bool is_left = bound.type == BoundJoinType::kAsofLeft;
  if (!is_left && !conditions.of_left.empty())
    left = std::make_unique<LogicalFilter>(std::move(left), std::move(conditions.of_left));
  LogicalJoin& join = JoinDependent(planner, is_left ? LogicalJoinType::kAsofLeft : LogicalJoinType::kAsof,
                                    left, std::move(right), nullptr);
  for (JoinCondition& condition : conditions.equalities) join.conditions.push_back(std::move(condition));
  join.conditions.push_back(std::move(conditions.inequalities[0]));
  if (is_left) {
    // Left rows that fail a predicate of their own have no match: it is a key that equals TRUE.
    for (ExpressionPtr& predicate : conditions.of_left)
      join.conditions.push_back({ComparisonOp::kEqual, std::move(predicate),
                                 std::make_unique<ConstantExpression>(Value::Boolean(true))});
  }
  return left;
}

}  // namespace scaup
