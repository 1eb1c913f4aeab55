// Correlated subqueries taken apart: the conjuncts with outer columns, and the rest, which stands alone.
#include <fmt/format.h>

#include <set>

#include "common/throw.hpp"
#include "planner/unnest_subquery.hpp"

namespace scaup {

namespace {

std::set<size_t> TableIndexes(const LogicalOperator& plan) {
  std::set<size_t> indexes;
  for (const ColumnBinding& binding : plan.Bindings()) indexes.insert(binding.table_index);
  return indexes;
}

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

/// LIMIT n with a constant n >= 1, or none: it changes nothing where one row is enough.
bool KeepsOneRow(const BoundSelect& select) {
  if (select.offset) return false;
  if (!select.limit) return true;
  if (select.limit->kind() != ExpressionKind::kConstant) return false;
  const Value& limit = select.limit->As<ConstantExpression>().value;
  return limit.is_null() || limit.GetBigInt() >= 1;
}

/// Aggregates that are 0, not NULL, when there are no rows.
bool IsCount(const Expression& aggregate) {
  return aggregate.As<AggregateExpression>().function.name.find("count") != std::string::npos;
}

/// In an expression over aggregates that an outer join may have made NULL: counts become 0.
void ReplaceCounts(ExpressionPtr& expression, size_t aggregate_index, const std::vector<bool>& is_count) {
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

BoundSelect& SubqueryUnnester::CorrelatedSelect(SubqueryExpression& subquery) {
  const auto refuse = [&](const char* what) {
    ThrowNotSupported(
        fmt::format("a correlated subquery with {} is not supported; rewrite it as a join", what),
        subquery.position);
  };
  if (subquery.query->kind != BoundQueryKind::kSelect) refuse("VALUES, UNION, INTERSECT or EXCEPT");
  auto& select = subquery.query->As<BoundSelect>();
  const bool is_single_row = select.is_grouped && select.groups.empty();
  if (!select.windows.empty() && subquery.subquery != SubqueryKind::kExists) refuse("window functions");
  if (!select.unnested.empty()) refuse("unnest() in its SELECT list");
  if (!KeepsOneRow(select)) refuse("OFFSET or this LIMIT");
  switch (subquery.subquery) {
    case SubqueryKind::kExists:
      if (is_single_row) refuse("aggregates but no GROUP BY inside EXISTS");
      break;
    case SubqueryKind::kAny:
      if (is_single_row) refuse("aggregates but no GROUP BY inside IN, ANY or ALL");
      if (select.limit || !select.distinct_on.empty()) refuse("LIMIT or DISTINCT ON");
      break;
    case SubqueryKind::kScalar:
      if (is_single_row && select.having) refuse("HAVING but no GROUP BY");
      if (!is_single_row && (select.limit || select.distinct || !select.distinct_on.empty()))
        refuse("LIMIT or DISTINCT");
      break;
  }
  return select;
}

std::vector<ExpressionPtr> SubqueryUnnester::TakeConjuncts(SubqueryExpression& subquery,
                                                           BoundSelect& select) {
  std::vector<ExpressionPtr> all, own, taken;
  if (select.where) SplitAnd(std::move(select.where), all);
  for (auto& conjunct : all) {
    const bool is_correlated = HasOuterReference(*conjunct);
    if (is_correlated && HasSubquery(*conjunct)) {
      ThrowNotSupported("a subquery inside a correlated condition of a subquery is not supported",
                        conjunct->position);
    }
    (is_correlated ? taken : own).push_back(std::move(conjunct));
  }
  select.where = own.empty() ? nullptr : MakeAnd(std::move(own));
  // The SELECT list of EXISTS means nothing.
  if (subquery.subquery == SubqueryKind::kExists) {
    select.items.clear();
    select.windows.clear();
  }
  ForEachOuterReference(select, [&](ColumnRefExpression& column, size_t) {
    ThrowNotSupported(
        fmt::format("the outer column \"{}\" can be used only in the WHERE conditions of the subquery",
                    column.name),
        column.position ? column.position : subquery.position);
  });
  for (auto& conjunct : taken) {
    ForEachColumnRef(conjunct, [](ColumnRefExpression& column) {
      if (column.outer_level > 0) column.outer_level--;
    });
  }
  return taken;
}

std::vector<ExpressionPtr> SubqueryUnnester::GroupByKeys(SubqueryExpression& subquery, BoundSelect& select,
                                                         std::vector<ExpressionPtr> conjuncts,
                                                         const LogicalOperator& input) {
  const std::set<size_t> outer_tables = TableIndexes(input);
  std::vector<ExpressionPtr> result;
  for (auto& conjunct : conjuncts) {
    bool fits = false;
    if (conjunct->kind() == ExpressionKind::kComparison) {
      auto& comparison = conjunct->As<ComparisonExpression>();
      const bool is_equality =
          comparison.op == ComparisonOp::kEqual || comparison.op == ComparisonOp::kNotDistinctFrom;
      if (!UsesOnly(*comparison.left, outer_tables)) std::swap(comparison.left, comparison.right);
      fits = is_equality && UsesOnly(*comparison.left, outer_tables) &&
             UsesNone(*comparison.right, outer_tables);
    }
    if (!fits) {
      ThrowNotSupported(
          "in a correlated subquery with aggregates, outer columns can be used only in conditions "
          "inner = outer joined by AND",
          conjunct->position ? conjunct->position : subquery.position);
    }
    auto& comparison = conjunct->As<ComparisonExpression>();
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
  BoundSelect& select = CorrelatedSelect(subquery);
  Inner inner;
  inner.conjuncts = TakeConjuncts(subquery, select);
  if (select.is_grouped) inner.conjuncts = GroupByKeys(subquery, select, std::move(inner.conjuncts), input);
  inner.plan = planner_.PlanGrouping(select, planner_.PlanInput(select));
  if (subquery.subquery != SubqueryKind::kExists) {
    inner.item = std::move(select.items[0]);
    Replace(inner.item, inner.plan);
  }
  return inner;
}

void SubqueryUnnester::ProjectItem(Inner& inner, const LogicalOperator& input) {
  if (inner.item->kind() == ExpressionKind::kColumnRef) return;
  const std::set<size_t> outer_tables = TableIndexes(input);
  const size_t index = planner_.NewTableIndex();
  const LogicalType type = inner.item->type();
  const std::string name = inner.item->ToString();
  std::vector<ExpressionPtr> columns;
  columns.push_back(std::move(inner.item));
  inner.item = std::make_unique<ColumnRefExpression>(type, ColumnBinding{index, 0}, name);
  for (auto& conjunct : inner.conjuncts) {
    ForEachColumnRef(conjunct, [&](ColumnRefExpression& column) {
      if (outer_tables.contains(column.binding.table_index)) return;
      columns.push_back(column.Clone());
      column.binding = {index, columns.size() - 1};
    });
  }
  inner.plan = std::make_unique<LogicalProject>(index, std::move(inner.plan), std::move(columns));
}

ExpressionPtr SubqueryUnnester::ReplaceAggregate(SubqueryExpression& subquery, BoundSelect& select,
                                                 LogicalOperatorPtr& input) {
  std::vector<ExpressionPtr> conjuncts =
      GroupByKeys(subquery, select, TakeConjuncts(subquery, select), *input);
  std::vector<bool> is_count;
  for (const auto& aggregate : select.aggregates) is_count.push_back(IsCount(*aggregate));
  LogicalOperatorPtr plan = planner_.PlanGrouping(select, planner_.PlanInput(select));
  auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kLeft, std::move(input), std::move(plan));
  for (auto& conjunct : conjuncts) AddJoinCondition(*join, std::move(conjunct));
  input = std::move(join);
  // The item is computed above the join: for rows without a match it is what the aggregates over nothing make
  // of it.
  ExpressionPtr item = std::move(select.items[0]);
  ReplaceCounts(item, select.aggregate_index, is_count);
  Replace(item, input);
  return item;
}

}  // namespace scaup
