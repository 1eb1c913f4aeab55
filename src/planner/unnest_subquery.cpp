// Subquery unnesting: chooses the join for each kind of subquery.
#include "planner/unnest_subquery.hpp"

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/function_registry.hpp"
#include "planner/dependent_plan.hpp"
#include "planner/node/aggregate.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/join.hpp"
#include "planner/node/limit.hpp"
#include "planner/plan_join.hpp"
#include "planner/plan_tables.hpp"

namespace scaup {

namespace {

bool IsCorrelated(BoundQuery& query) {
  bool found = false;
  ForEachOuterReference(query, [&](ColumnRefExpression&, size_t) { found = true; });
  return found;
}

/// Throws if the query is shared with a copy of the subquery. A query can be planned only once, since
/// planning consumes it.
void CheckUnshared(const SubqueryExpression& subquery) {
  if (!subquery.query || subquery.query.use_count() > 1) {
    ThrowNotSupported(
        "a subquery that is needed at two places is not supported; compute it in a derived table",
        subquery.position);
  }
}

ExpressionPtr ColumnOf(const BoundQuery& query, size_t i) {
  return std::make_unique<ColumnRefExpression>(query.types[i], ColumnBinding{query.table_index, i},
                                               query.names[i]);
}

ExpressionPtr FirstColumn(const BoundQuery& query) { return ColumnOf(query, 0); }

/// Compares two rows by <, <=, > or >=: the first fields that differ decide.
ExpressionPtr CompareInOrder(ComparisonOp op, std::vector<ExpressionPtr> left,
                             std::vector<ExpressionPtr> right) {
  const bool is_less = op == ComparisonOp::kLess || op == ComparisonOp::kLessEqual;
  const ComparisonOp strict = is_less ? ComparisonOp::kLess : ComparisonOp::kGreater;
  ExpressionPtr result =
      std::make_unique<ComparisonExpression>(op, std::move(left.back()), std::move(right.back()));
  for (size_t i = left.size() - 1; i-- > 0;) {
    std::vector<ExpressionPtr> both, either;
    both.push_back(
        std::make_unique<ComparisonExpression>(ComparisonOp::kEqual, left[i]->Clone(), right[i]->Clone()));
    both.push_back(std::move(result));
    either.push_back(std::make_unique<ComparisonExpression>(strict, std::move(left[i]), std::move(right[i])));
    either.push_back(MakeAnd(std::move(both)));
    result = std::make_unique<ConjunctionExpression>(false, std::move(either));
  }
  return result;
}

/// Returns the comparisons of IN, ANY, ALL or a row. `item` stands for the query's first column.
std::vector<ExpressionPtr> Comparisons(SubqueryExpression& subquery, ExpressionPtr item) {
  std::vector<ExpressionPtr> left, right, comparisons;
  left.push_back(std::move(subquery.child));
  right.push_back(AddCast(std::move(item), subquery.compared_type));
  for (size_t i = 0; i < subquery.rest.size(); i++) {
    SubqueryExpression::Compared& compared = subquery.rest[i];
    left.push_back(std::move(compared.child));
    right.push_back(AddCast(ColumnOf(*subquery.query, i + 1), compared.compared_type));
  }
  const bool is_order = subquery.op != ComparisonOp::kEqual && subquery.op != ComparisonOp::kNotEqual;
  if (is_order && left.size() > 1) {
    comparisons.push_back(CompareInOrder(subquery.op, std::move(left), std::move(right)));
    return comparisons;
  }
  for (size_t i = 0; i < left.size(); i++) {
    comparisons.push_back(
        std::make_unique<ComparisonExpression>(subquery.op, std::move(left[i]), std::move(right[i])));
  }
  // Rows are equal if all fields are, but unequal if any field is.
  if (subquery.op != ComparisonOp::kNotEqual || comparisons.size() == 1) return comparisons;
  std::vector<ExpressionPtr> one;
  one.push_back(std::make_unique<ConjunctionExpression>(false, std::move(comparisons)));
  return one;
}

ExpressionPtr CountStar() {
  ResolvedAggregate count = ResolveAggregate(FunctionRegistry::Builtin(), "count_star", {});
  return std::make_unique<AggregateExpression>(std::move(count.function), std::move(count.data),
                                               std::vector<ExpressionPtr>(), false, nullptr);
}

/// Replaces the items of the query of an EXISTS, which are never evaluated, unless they decide about its
/// rows.
void IgnoreItems(BoundQuery& query) {
  if (query.kind != BoundQueryKind::kSelect) return;
  auto& select = query.As<BoundSelect>();
  if (select.distinct || !select.distinct_on.empty() || !select.sets.lists.empty()) return;
  for (ExpressionPtr& item : select.items) {
    if (item->kind() == ExpressionKind::kConstant) continue;
    std::string alias = std::move(item->alias);
    item = std::make_unique<ConstantExpression>(Value(item->type()));
    item->alias = std::move(alias);
  }
  if (!select.qualify) select.windows.clear();
}

ExpressionPtr BooleanConstant(bool value) {
  return std::make_unique<ConstantExpression>(Value::Boolean(value));
}

}  // namespace

LogicalOperatorPtr SubqueryUnnester::Filter(LogicalOperatorPtr input, std::vector<ExpressionPtr> conjuncts) {
  // Plain predicates come first, since they make the inputs of the joins smaller.
  std::vector<ExpressionPtr> plain, others;
  for (auto& conjunct : conjuncts) (HasSubquery(*conjunct) ? others : plain).push_back(std::move(conjunct));
  if (!plain.empty()) input = std::make_unique<LogicalFilter>(std::move(input), std::move(plain));
  for (auto& conjunct : others) {
    if (TryJoin(conjunct, input)) continue;
    Replace(conjunct, input);
    // Rows that it drops do not need the subqueries of the conjuncts after it.
    std::vector<ExpressionPtr> predicate;
    predicate.push_back(std::move(conjunct));
    input = std::make_unique<LogicalFilter>(std::move(input), std::move(predicate));
  }
  return input;
}

void SubqueryUnnester::ReplaceSubquery(ExpressionPtr& expression, LogicalOperatorPtr& input,
                                       const Expression* needed) {
  auto& subquery = expression->As<SubqueryExpression>();
  CheckUnshared(subquery);
  ReplaceChildren(subquery, input, needed);
  ExpressionPtr value;
  switch (subquery.subquery) {
    case SubqueryKind::kScalar: value = ReplaceScalar(subquery, input, needed); break;
    case SubqueryKind::kExists: value = ReplaceExists(subquery, input, needed); break;
    case SubqueryKind::kAny: value = ReplaceAny(subquery, input, needed); break;
    case SubqueryKind::kRow: value = ReplaceRow(subquery, input, needed); break;
  }
  value->alias = expression->alias;
  value->position = expression->position;
  expression = std::move(value);
}

bool SubqueryUnnester::TryJoin(ExpressionPtr& conjunct, LogicalOperatorPtr& input) {
  const bool is_negated = conjunct->kind() == ExpressionKind::kNot;
  Expression& target = is_negated ? *conjunct->As<NotExpression>().child : *conjunct;
  if (target.kind() != ExpressionKind::kSubquery) return false;
  auto& subquery = target.As<SubqueryExpression>();
  if (subquery.subquery == SubqueryKind::kScalar || subquery.subquery == SubqueryKind::kRow) return false;
  CheckUnshared(subquery);
  if (subquery.subquery == SubqueryKind::kExists) IgnoreItems(*subquery.query);
  if (IsCorrelated(*subquery.query)) {
    ReplaceChildren(subquery, input, nullptr);
    const LogicalJoinType type = is_negated ? LogicalJoinType::kAnti : LogicalJoinType::kSemi;
    if (CanTakeApart(subquery, *input, nullptr)) {
      JoinCorrelated(subquery, type, input);
    } else {
      LogicalJoin& join = JoinDependent(planner_, type, input, planner_.PlanQuery(*subquery.query), nullptr);
      if (subquery.subquery == SubqueryKind::kAny)
        AddComparison(subquery, FirstColumn(*subquery.query), join);
    }
    return true;
  }
  // NOT IN without correlation needs a mark join, which distinguishes NULL from false. EXISTS without
  // correlation is one value for all rows, so no join per row is needed.
  if (is_negated || subquery.subquery == SubqueryKind::kExists) return false;
  ReplaceChildren(subquery, input, nullptr);
  LogicalOperatorPtr right = planner_.PlanQuery(*subquery.query);
  auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kSemi, std::move(input), std::move(right));
  AddComparison(subquery, FirstColumn(*subquery.query), *join);
  input = std::move(join);
  return true;
}

void SubqueryUnnester::JoinCorrelated(SubqueryExpression& subquery, LogicalJoinType type,
                                      LogicalOperatorPtr& input) {
  Inner inner = PlanInner(subquery, *input);
  auto join = std::make_unique<LogicalJoin>(type, std::move(input), std::move(inner.plan));
  for (auto& conjunct : inner.conjuncts) AddJoinCondition(*join, std::move(conjunct));
  if (subquery.subquery == SubqueryKind::kAny) AddComparison(subquery, std::move(inner.item), *join);
  input = std::move(join);
}

void SubqueryUnnester::AddComparison(SubqueryExpression& subquery, ExpressionPtr item, LogicalJoin& join) {
  std::vector<ExpressionPtr> compared = Comparisons(subquery, std::move(item));
  if (join.join_type == LogicalJoinType::kAnti) {
    // NOT IN is true only if no comparison is true or NULL. So a NULL comparison must count as a match of the
    // anti join.
    join.residual.push_back(std::make_unique<ComparisonExpression>(
        ComparisonOp::kDistinctFrom, MakeAnd(std::move(compared)), BooleanConstant(false)));
  } else {
    for (ExpressionPtr& condition : compared) {
      if (condition->kind() != ExpressionKind::kComparison) {
        join.residual.push_back(std::move(condition));
        continue;
      }
      auto& comparison = condition->As<ComparisonExpression>();
      join.conditions.push_back({comparison.op, std::move(comparison.left), std::move(comparison.right)});
    }
  }
}

void SubqueryUnnester::ReplaceChildren(SubqueryExpression& subquery, LogicalOperatorPtr& input,
                                       const Expression* needed) {
  if (subquery.child) Replace(subquery.child, input, needed);
  for (auto& compared : subquery.rest) Replace(compared.child, input, needed);
}

void SubqueryUnnester::JoinRow(LogicalOperatorPtr plan, LogicalOperatorPtr& input, const Expression* needed) {
  if (needed != nullptr && OutsideColumns(*plan).empty()) {
    input = std::make_unique<LogicalOnDemand>(LogicalJoinType::kSingle, std::move(input), std::move(plan),
                                              needed->Clone());
    return;
  }
  JoinDependent(planner_, LogicalJoinType::kSingle, input, std::move(plan), nullptr, needed);
}

ExpressionPtr SubqueryUnnester::ReplaceExists(SubqueryExpression& subquery, LogicalOperatorPtr& input,
                                              const Expression* needed) {
  const size_t index = planner_.NewTableIndex();
  IgnoreItems(*subquery.query);
  if (IsCorrelated(*subquery.query)) {
    LogicalJoin* join = nullptr;
    if (CanTakeApart(subquery, *input, needed)) {
      Inner inner = PlanInner(subquery, *input);
      auto made =
          std::make_unique<LogicalJoin>(LogicalJoinType::kMark, std::move(input), std::move(inner.plan));
      for (auto& conjunct : inner.conjuncts) AddJoinCondition(*made, std::move(conjunct));
      join = made.get();
      input = std::move(made);
    } else {
      join = &JoinDependent(planner_, LogicalJoinType::kMark, input, planner_.PlanQuery(*subquery.query),
                            nullptr, needed);
    }
    join->mark_index = index;
    join->marks_null = false;
    // EXISTS is never NULL, but a mark may be.
    auto mark = std::make_unique<ColumnRefExpression>(TypeId::kBoolean, ColumnBinding{index, 0}, "exists");
    return std::make_unique<ComparisonExpression>(ComparisonOp::kNotDistinctFrom, std::move(mark),
                                                  BooleanConstant(true));
  }
  // An uncorrelated EXISTS is computed once: it counts at most one row of the subquery.
  LogicalOperatorPtr plan = planner_.PlanQuery(*subquery.query);
  plan = std::make_unique<LogicalLimit>(std::move(plan),
                                        std::make_unique<ConstantExpression>(Value::BigInt(1)), nullptr);
  std::vector<ExpressionPtr> count;
  count.push_back(CountStar());
  plan = std::make_unique<LogicalAggregate>(planner_.NewTableIndex(), index, std::move(plan),
                                            std::vector<ExpressionPtr>(), std::move(count));
  if (needed != nullptr) {
    JoinRow(std::move(plan), input, needed);
  } else {
    input = std::make_unique<LogicalJoin>(LogicalJoinType::kInner, std::move(input), std::move(plan));
  }
  auto counted = std::make_unique<ColumnRefExpression>(TypeId::kBigInt, ColumnBinding{index, 0}, "count(*)");
  return std::make_unique<ComparisonExpression>(ComparisonOp::kGreater, std::move(counted),
                                                std::make_unique<ConstantExpression>(Value::BigInt(0)));
}

ExpressionPtr SubqueryUnnester::ReplaceAny(SubqueryExpression& subquery, LogicalOperatorPtr& input,
                                           const Expression* needed) {
  LogicalJoin& join = JoinDependent(planner_, LogicalJoinType::kMark, input,
                                    planner_.PlanQuery(*subquery.query), nullptr, needed);
  AddComparison(subquery, FirstColumn(*subquery.query), join);
  join.mark_index = planner_.NewTableIndex();
  return std::make_unique<ColumnRefExpression>(TypeId::kBoolean, ColumnBinding{join.mark_index, 0}, "mark");
}

/// Compares with the row of a subquery. Without a row, its columns and thus the comparison are NULL.
ExpressionPtr SubqueryUnnester::ReplaceRow(SubqueryExpression& subquery, LogicalOperatorPtr& input,
                                           const Expression* needed) {
  JoinRow(planner_.PlanQuery(*subquery.query), input, needed);
  return MakeAnd(Comparisons(subquery, FirstColumn(*subquery.query)));
}

ExpressionPtr SubqueryUnnester::ReplaceScalar(SubqueryExpression& subquery, LogicalOperatorPtr& input,
                                              const Expression* needed) {
  if (!IsCorrelated(*subquery.query) || !CanTakeApart(subquery, *input, needed)) {
    JoinRow(planner_.PlanQuery(*subquery.query), input, needed);
    return FirstColumn(*subquery.query);
  }
  auto& select = subquery.query->As<BoundSelect>();
  if (select.is_grouped && select.groups.empty()) return ReplaceAggregate(subquery, select, input);
  Inner inner = PlanInner(subquery, *input);
  ProjectItem(inner, *input);
  auto join =
      std::make_unique<LogicalJoin>(LogicalJoinType::kSingle, std::move(input), std::move(inner.plan));
  for (auto& conjunct : inner.conjuncts) AddJoinCondition(*join, std::move(conjunct));
  // A second match is an error only where the value is needed.
  if (needed != nullptr) join->residual.push_back(needed->Clone());
  input = std::move(join);
  return std::move(inner.item);
}

}  // namespace scaup
