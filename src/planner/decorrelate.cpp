// Decorrelation of simple subqueries: their WHERE conjuncts with outer columns become join conditions.
#include <functional>
#include <set>

#include "planner/unnest_subquery.hpp"

#include "common/stack_bound.hpp"
#include "planner/dependent_plan.hpp"
#include "planner/node/join.hpp"
#include "planner/node/project.hpp"
#include "planner/plan_join.hpp"
#include "planner/plan_tables.hpp"

namespace scaup {

namespace {

bool HasOuterReference(Expression& expression) {
  bool found = false;
  ForEachOuterReference(expression, [&](ColumnRefExpression&, size_t) { found = true; });
  return found;
}

bool UsesOnly(const Expression& expression, const std::set<size_t>& tables) {
  bool only = true;
  ForEachColumnRef(expression, [&](const ColumnRefExpression& column) {
    only = only && tables.contains(column.binding.table_index);
  });
  return only;
}

bool UsesNone(const Expression& expression, const std::set<size_t>& tables) {
  bool none = true;
  ForEachColumnRef(expression, [&](const ColumnRefExpression& column) {
    none = none && !tables.contains(column.binding.table_index);
  });
  return none;
}

/// Returns whether a SELECT may raise an error that its outer rows do not need. Items are left out if they
/// are never evaluated, or above the join.
bool MayFailBesideItems(BoundSelect& select, SubqueryKind kind) {
  bool may_fail = false;
  ForEachQueryExpression(select, [&](ExpressionPtr& expression) {
    const bool is_item = std::any_of(select.items.begin(), select.items.end(),
                                     [&](const ExpressionPtr& item) { return &item == &expression; });
    if (is_item && kind != SubqueryKind::kAny) return;
    may_fail = may_fail || !CannotFail(*expression) || HasSubquery(*expression);
  });
  ForEachDirectQuery(select, [&](BoundQuery&) { may_fail = true; });
  return may_fail;
}

/// Returns whether the query has no LIMIT, or a constant one of at least 1. It then changes nothing if one
/// row is enough.
bool KeepsOneRow(const BoundSelect& select) {
  if (select.offset) return false;
  if (!select.limit) return true;
  if (select.limit_is_percent || select.limit->kind() != ExpressionKind::kConstant) return false;
  const Value& limit = select.limit->As<ConstantExpression>().value;
  return limit.is_null() || limit.GetBigInt() >= 1;
}

/// Returns whether the clauses of a SELECT mean the same for all outer rows at once as for each of them.
bool AllowsJoin(SubqueryKind kind, const BoundSelect& select) {
  // An aggregate without GROUP BY has one row even for outer rows without a match, which no plain join gives.
  const bool is_single_row = select.is_grouped && select.groups.empty();
  // Lists that are turned into rows change their number.
  if (!select.sets.lists.empty() || !select.group_sets.lists.empty()) return false;
  if (select.qualify) return false;
  if (!select.windows.empty() && kind != SubqueryKind::kExists) return false;
  if (!KeepsOneRow(select) || !select.ctes.empty() || !select.grouping_sets.empty()) return false;
  switch (kind) {
    case SubqueryKind::kExists: return !is_single_row;
    case SubqueryKind::kAny: return !is_single_row && !select.limit && select.distinct_on.empty();
    case SubqueryKind::kScalar:
      if (is_single_row) return !select.having;
      return !select.limit && !select.distinct && select.distinct_on.empty();
    case SubqueryKind::kRow: break;
  }
  return false;
}

void ForEachConjunct(Expression& expression, const std::function<void(Expression&)>& visit) {
  CheckStack();
  const bool is_and =
      expression.kind() == ExpressionKind::kConjunction && expression.As<ConjunctionExpression>().is_and;
  if (!is_and) return visit(expression);
  for (auto& child : expression.As<ConjunctionExpression>().children) ForEachConjunct(*child, visit);
}

size_t CountOuterReferences(Expression& expression) {
  size_t count = 0;
  ForEachOuterReference(expression, [&](ColumnRefExpression&, size_t) { count++; });
  return count;
}

/// Returns whether a conjunct has the form inner = outer. Only then can the inner side become a group of an
/// aggregate.
bool IsKeyEquality(Expression& conjunct, const std::set<size_t>& outer_tables) {
  if (conjunct.kind() != ExpressionKind::kComparison) return false;
  const auto& comparison = conjunct.As<ComparisonExpression>();
  if (comparison.op != ComparisonOp::kEqual && comparison.op != ComparisonOp::kNotDistinctFrom) return false;
  const auto fits = [&](const Expression& outer, const Expression& inner) {
    return UsesOnly(outer, outer_tables) && UsesNone(inner, outer_tables);
  };
  return fits(*comparison.left, *comparison.right) || fits(*comparison.right, *comparison.left);
}

/// Returns whether outer columns occur in conjuncts of WHERE only, in a form that can be a join condition.
bool AreConjunctsAlone(SubqueryKind kind, BoundSelect& select, const LogicalOperator& input) {
  const std::set<size_t> outer_tables = OutputTables(input);
  size_t in_conjuncts = 0, elsewhere = 0;
  bool fits = true;
  if (select.where) {
    ForEachConjunct(*select.where, [&](Expression& conjunct) {
      const size_t count = CountOuterReferences(conjunct);
      if (count == 0) return;
      in_conjuncts += count;
      fits = fits && !HasSubquery(conjunct) && (!select.is_grouped || IsKeyEquality(conjunct, outer_tables));
      ForEachOuterReference(conjunct, [&](ColumnRefExpression& column, size_t) {
        fits = fits && outer_tables.contains(column.binding.table_index);
      });
    });
  }
  if (!fits) return false;
  ForEachOuterReference(select, [&](ColumnRefExpression&, size_t) { elsewhere++; });
  // The SELECT list of EXISTS is never evaluated, so outer columns in it do not matter.
  if (kind == SubqueryKind::kExists) {
    for (auto& item : select.items) elsewhere -= CountOuterReferences(*item);
    for (auto& window : select.windows) {
      for (auto& key : window.partition_by) elsewhere -= CountOuterReferences(*key);
      for (auto& key : window.order_by) elsewhere -= CountOuterReferences(*key.expression);
      for (auto& function : window.functions) elsewhere -= CountOuterReferences(*function);
    }
  }
  // `elsewhere` has counted the references in WHERE as well.
  return elsewhere == in_conjuncts;
}

/// Replaces counts by 0 where an outer join has made them NULL.
void ReplaceCounts(ExpressionPtr& expression, size_t aggregate_index, const std::vector<bool>& is_count) {
  CheckStack();
  if (expression->kind() != ExpressionKind::kColumnRef) {
    expression->ForEachChild([&](ExpressionPtr& child) { ReplaceCounts(child, aggregate_index, is_count); });
    return;
  }
  const ColumnBinding binding = expression->As<ColumnRefExpression>().binding;
  if (binding.table_index != aggregate_index || !is_count[binding.column_index]) return;
  const LogicalType type = expression->type();
  std::vector<CaseExpression::Branch> branches;
  branches.push_back({std::make_unique<IsNullExpression>(expression->Clone(), false),
                      AddCast(std::make_unique<ConstantExpression>(Value::BigInt(0)), type)});
  expression = std::make_unique<CaseExpression>(type, std::move(branches), std::move(expression));
}

}  // namespace

bool SubqueryUnnester::CanTakeApart(SubqueryExpression& subquery, const LogicalOperator& input,
                                    const Expression* needed) {
  if (subquery.query->kind != BoundQueryKind::kSelect) return false;
  if (!subquery.rest.empty()) return false;
  // Rows of the subquery that several outer rows match would be computed once for all of them.
  if (!IsDeterministicThroughout(*subquery.query)) return false;
  auto& select = subquery.query->As<BoundSelect>();
  // The plan of the rest would raise its errors for all outer rows.
  if (needed != nullptr && MayFailBesideItems(select, subquery.subquery)) return false;
  return AllowsJoin(subquery.subquery, select) && AreConjunctsAlone(subquery.subquery, select, input);
}

std::vector<ExpressionPtr> SubqueryUnnester::TakeConjuncts(SubqueryExpression& subquery,
                                                           BoundSelect& select) {
  std::vector<ExpressionPtr> all, own, taken;
  if (select.where) SplitAnd(std::move(select.where), all);
  for (auto& conjunct : all) {
    (HasOuterReference(*conjunct) ? taken : own).push_back(std::move(conjunct));
  }
  select.where = own.empty() ? nullptr : MakeAnd(std::move(own));
  // The SELECT list of EXISTS is never evaluated.
  if (subquery.subquery == SubqueryKind::kExists) {
    select.items.clear();
    select.windows.clear();
  }
  for (auto& conjunct : taken) {
    ForEachColumnRef(conjunct, [](ColumnRefExpression& column) {
      // The conjunct moves out of the subquery, so its outer columns are one level closer.
      if (column.outer_level > 0) column.outer_level--;
    });
  }
  return taken;
}

std::vector<ExpressionPtr> SubqueryUnnester::GroupByKeys(BoundSelect& select,
                                                         std::vector<ExpressionPtr> conjuncts,
                                                         const LogicalOperator& input) {
  const std::set<size_t> outer_tables = OutputTables(input);
  std::vector<ExpressionPtr> result;
  for (auto& conjunct : conjuncts) {
    auto& comparison = conjunct->As<ComparisonExpression>();
    // The comparison is an equality, so swapping the sides does not change it.
    if (UsesNone(*comparison.left, outer_tables)) std::swap(comparison.left, comparison.right);
    auto key = std::make_unique<ColumnRefExpression>(comparison.right->type(),
                                                     ColumnBinding{select.group_index, select.groups.size()},
                                                     comparison.right->ToString());
    select.groups.push_back(std::move(comparison.right));
    comparison.right = std::move(key);
    result.push_back(std::move(conjunct));
  }
  return result;
}

SubqueryUnnester::Inner SubqueryUnnester::PlanInner(SubqueryExpression& subquery,
                                                    const LogicalOperator& input) {
  auto& select = subquery.query->As<BoundSelect>();
  Inner inner;
  inner.conjuncts = TakeConjuncts(subquery, select);
  if (select.is_grouped) inner.conjuncts = GroupByKeys(select, std::move(inner.conjuncts), input);
  inner.plan = planner_.PlanGrouping(select, planner_.PlanInput(select));
  if (subquery.subquery != SubqueryKind::kExists) {
    inner.item = std::move(select.items[0]);
    Replace(inner.item, inner.plan);
  }
  return inner;
}

void SubqueryUnnester::ProjectItem(Inner& inner, const LogicalOperator& input) {
  if (inner.item->kind() == ExpressionKind::kColumnRef) return;
  const std::set<size_t> outer_tables = OutputTables(input);
  const size_t index = planner_.NewTableIndex();
  const LogicalType type = inner.item->type();
  const std::string name = inner.item->ToString();
  std::vector<ExpressionPtr> columns;
  const auto pass_on = [&](ColumnRefExpression& column) {
    if (outer_tables.contains(column.binding.table_index)) return;
    columns.push_back(column.Clone());
    column.binding = {index, columns.size() - 1};
  };
  if (CannotFail(*inner.item)) {
    columns.push_back(std::move(inner.item));
    inner.item = std::make_unique<ColumnRefExpression>(type, ColumnBinding{index, 0}, name);
  } else {
    // Rows that match no outer row must not raise errors, so the item is computed above the join, where a
    // constant tells that there was a match.
    columns.push_back(std::make_unique<ConstantExpression>(Value::Boolean(true)));
    ForEachColumnRef(inner.item, pass_on);
    std::vector<CaseExpression::Branch> branches;
    branches.push_back(
        {std::make_unique<ColumnRefExpression>(TypeId::kBoolean, ColumnBinding{index, 0}, "has match"),
         std::move(inner.item)});
    inner.item = std::make_unique<CaseExpression>(type, std::move(branches),
                                                  std::make_unique<ConstantExpression>(Value(type)));
  }
  for (auto& conjunct : inner.conjuncts) ForEachColumnRef(conjunct, pass_on);
  inner.plan = std::make_unique<LogicalProject>(index, std::move(inner.plan), std::move(columns));
}

ExpressionPtr SubqueryUnnester::ReplaceAggregate(SubqueryExpression& subquery, BoundSelect& select,
                                                 LogicalOperatorPtr& input) {
  std::vector<ExpressionPtr> conjuncts = GroupByKeys(select, TakeConjuncts(subquery, select), *input);
  std::vector<bool> is_count;
  for (const auto& aggregate : select.aggregates) is_count.push_back(IsCount(*aggregate));
  LogicalOperatorPtr plan = planner_.PlanGrouping(select, planner_.PlanInput(select));
  auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kLeft, std::move(input), std::move(plan));
  for (auto& conjunct : conjuncts) AddJoinCondition(*join, std::move(conjunct));
  input = std::move(join);
  // The item is computed above the join. For an outer row without a match, it is then computed from
  // aggregates over no rows, as SQL demands.
  ExpressionPtr item = std::move(select.items[0]);
  ReplaceCounts(item, select.aggregate_index, is_count);
  Replace(item, input);
  return item;
}

}  // namespace scaup
