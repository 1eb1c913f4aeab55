// Subqueries to joins: which join each kind becomes.
#include "planner/unnest_subquery.hpp"

#include "common/throw.hpp"
#include "function/function_registry.hpp"

namespace scaup {

namespace {

bool IsCorrelated(BoundQuery& query) {
  bool found = false;
  ForEachOuterReference(query, [&](ColumnRefExpression&, size_t) { found = true; });
  return found;
}

/// A copy of a subquery shares its query, and a query can be planned once.
void CheckUnshared(const SubqueryExpression& subquery) {
  if (!subquery.query || subquery.query.use_count() > 1) {
    ThrowNotSupported(
        "a subquery that is needed at two places is not supported; compute it in a derived table",
        subquery.position);
  }
}

ExpressionPtr FirstColumn(const BoundQuery& query) {
  return std::make_unique<ColumnRefExpression>(query.types[0], ColumnBinding{query.table_index, 0},
                                               query.names[0]);
}

ExpressionPtr CountStar() {
  ResolvedAggregate count = ResolveAggregate(FunctionRegistry::Builtin(), "count_star", {});
  return std::make_unique<AggregateExpression>(std::move(count.function), std::move(count.data),
                                               std::vector<ExpressionPtr>(), false, nullptr);
}

ExpressionPtr BooleanConstant(bool value) {
  return std::make_unique<ConstantExpression>(Value::Boolean(value));
}

}  // namespace

LogicalOperatorPtr SubqueryUnnester::Filter(LogicalOperatorPtr input, std::vector<ExpressionPtr> conjuncts) {
  // Plain predicates first: they make the joins smaller.
  std::vector<ExpressionPtr> plain, others;
  for (auto& conjunct : conjuncts) (HasSubquery(*conjunct) ? others : plain).push_back(std::move(conjunct));
  if (!plain.empty()) input = std::make_unique<LogicalFilter>(std::move(input), std::move(plain));
  std::vector<ExpressionPtr> above;
  for (auto& conjunct : others) {
    if (TryJoin(conjunct, input)) continue;
    Replace(conjunct, input);
    above.push_back(std::move(conjunct));
  }
  if (!above.empty()) input = std::make_unique<LogicalFilter>(std::move(input), std::move(above));
  return input;
}

void SubqueryUnnester::Replace(ExpressionPtr& expression, LogicalOperatorPtr& input) {
  if (expression->kind() != ExpressionKind::kSubquery) {
    expression->ForEachChild([&](ExpressionPtr& child) { Replace(child, input); });
    return;
  }
  auto& subquery = expression->As<SubqueryExpression>();
  CheckUnshared(subquery);
  if (subquery.child) Replace(subquery.child, input);
  ExpressionPtr value;
  switch (subquery.subquery) {
    case SubqueryKind::kScalar: value = ReplaceScalar(subquery, input); break;
    case SubqueryKind::kExists: value = ReplaceExists(subquery, input); break;
    case SubqueryKind::kAny: value = ReplaceAny(subquery, input); break;
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
  if (subquery.subquery == SubqueryKind::kScalar) return false;
  CheckUnshared(subquery);
  if (IsCorrelated(*subquery.query)) {
    if (subquery.child) Replace(subquery.child, input);
    JoinCorrelated(subquery, is_negated ? LogicalJoinType::kAnti : LogicalJoinType::kSemi, input);
    return true;
  }
  // NOT IN without correlation needs the mark join's rule about NULL; EXISTS is one value for all rows.
  if (is_negated || subquery.subquery == SubqueryKind::kExists) return false;
  Replace(subquery.child, input);
  LogicalOperatorPtr right = planner_.PlanQuery(*subquery.query);
  auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kSemi, std::move(input), std::move(right));
  join->conditions.push_back({subquery.op, std::move(subquery.child),
                              AddCast(FirstColumn(*subquery.query), subquery.compared_type)});
  input = std::move(join);
  return true;
}

void SubqueryUnnester::JoinCorrelated(SubqueryExpression& subquery, LogicalJoinType type,
                                      LogicalOperatorPtr& input) {
  Inner inner = PlanInner(subquery, *input);
  auto join = std::make_unique<LogicalJoin>(type, std::move(input), std::move(inner.plan));
  for (auto& conjunct : inner.conjuncts) AddJoinCondition(*join, std::move(conjunct));
  if (subquery.subquery == SubqueryKind::kAny) {
    ExpressionPtr compared = std::make_unique<ComparisonExpression>(
        subquery.op, std::move(subquery.child), AddCast(std::move(inner.item), subquery.compared_type));
    if (type == LogicalJoinType::kAnti) {
      // NOT IN is true when no comparison is true or unknown.
      join->residual.push_back(std::make_unique<ComparisonExpression>(
          ComparisonOp::kDistinctFrom, std::move(compared), BooleanConstant(false)));
    } else {
      AddJoinCondition(*join, std::move(compared));
    }
  }
  input = std::move(join);
}

ExpressionPtr SubqueryUnnester::ReplaceExists(SubqueryExpression& subquery, LogicalOperatorPtr& input) {
  const size_t index = planner_.NewTableIndex();
  if (IsCorrelated(*subquery.query)) {
    Inner inner = PlanInner(subquery, *input);
    auto join =
        std::make_unique<LogicalJoin>(LogicalJoinType::kMark, std::move(input), std::move(inner.plan));
    for (auto& conjunct : inner.conjuncts) AddJoinCondition(*join, std::move(conjunct));
    join->mark_index = index;
    input = std::move(join);
    // EXISTS is never NULL, a mark may be.
    auto mark = std::make_unique<ColumnRefExpression>(TypeId::kBoolean, ColumnBinding{index, 0}, "exists");
    return std::make_unique<ComparisonExpression>(ComparisonOp::kNotDistinctFrom, std::move(mark),
                                                  BooleanConstant(true));
  }
  // One row for all: how many of at most one row there are.
  LogicalOperatorPtr plan = planner_.PlanQuery(*subquery.query);
  plan = std::make_unique<LogicalLimit>(std::move(plan),
                                        std::make_unique<ConstantExpression>(Value::BigInt(1)), nullptr);
  std::vector<ExpressionPtr> count;
  count.push_back(CountStar());
  plan = std::make_unique<LogicalAggregate>(planner_.NewTableIndex(), index, std::move(plan),
                                            std::vector<ExpressionPtr>(), std::move(count));
  input = std::make_unique<LogicalJoin>(LogicalJoinType::kInner, std::move(input), std::move(plan));
  auto counted = std::make_unique<ColumnRefExpression>(TypeId::kBigInt, ColumnBinding{index, 0}, "count(*)");
  return std::make_unique<ComparisonExpression>(ComparisonOp::kGreater, std::move(counted),
                                                std::make_unique<ConstantExpression>(Value::BigInt(0)));
}

ExpressionPtr SubqueryUnnester::ReplaceAny(SubqueryExpression& subquery, LogicalOperatorPtr& input) {
  if (IsCorrelated(*subquery.query)) {
    ThrowNotSupported(
        "a correlated IN, ANY or ALL is supported only as a condition of its own in WHERE (joined by AND)",
        subquery.position);
  }
  LogicalOperatorPtr right = planner_.PlanQuery(*subquery.query);
  auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kMark, std::move(input), std::move(right));
  join->conditions.push_back({subquery.op, std::move(subquery.child),
                              AddCast(FirstColumn(*subquery.query), subquery.compared_type)});
  join->mark_index = planner_.NewTableIndex();
  auto mark =
      std::make_unique<ColumnRefExpression>(TypeId::kBoolean, ColumnBinding{join->mark_index, 0}, "mark");
  input = std::move(join);
  return mark;
}

ExpressionPtr SubqueryUnnester::ReplaceScalar(SubqueryExpression& subquery, LogicalOperatorPtr& input) {
  if (!IsCorrelated(*subquery.query)) {
    LogicalOperatorPtr right = planner_.PlanQuery(*subquery.query);
    input = std::make_unique<LogicalJoin>(LogicalJoinType::kSingle, std::move(input), std::move(right));
    return FirstColumn(*subquery.query);
  }
  BoundSelect& select = CorrelatedSelect(subquery);
  if (select.is_grouped && select.groups.empty()) return ReplaceAggregate(subquery, select, input);
  Inner inner = PlanInner(subquery, *input);
  ProjectItem(inner, *input);
  auto join =
      std::make_unique<LogicalJoin>(LogicalJoinType::kSingle, std::move(input), std::move(inner.plan));
  for (auto& conjunct : inner.conjuncts) AddJoinCondition(*join, std::move(conjunct));
  input = std::move(join);
  return std::move(inner.item);
}

}  // namespace scaup
