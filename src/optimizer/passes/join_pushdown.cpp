// Filter pushdown at joins: which predicates go to which side, into the join, or stay above it.
#include <algorithm>

#include "common/stack_bound.hpp"
#include "optimizer/analysis/null_rejection.hpp"
#include "optimizer/passes/filter_pushdown.hpp"
#include "optimizer/passes/implied_predicates.hpp"
#include "planner/node/aggregate.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/join.hpp"
#include "planner/node/values.hpp"

namespace scaup {
namespace {

using Predicates = std::vector<ExpressionPtr>;

ExpressionPtr ToPredicate(JoinCondition condition) {
  return std::make_unique<ComparisonExpression>(condition.op, std::move(condition.left),
                                                std::move(condition.right));
}

/// Adds a predicate to a join: as a condition if it compares the two sides, otherwise as residual.
void AddToJoin(LogicalJoin& join, ExpressionPtr predicate, const BindingSet& left, const BindingSet& right) {
  if (predicate->kind() == ExpressionKind::kComparison) {
    auto& comparison = predicate->As<ComparisonExpression>();
    const BindingSet a = ColumnsOf(*comparison.left), b = ColumnsOf(*comparison.right);
    if (!a.empty() && !b.empty()) {
      if (Contains(left, a) && Contains(right, b)) {
        join.conditions.push_back({comparison.op, std::move(comparison.left), std::move(comparison.right)});
        return;
      }
      if (Contains(right, a) && Contains(left, b)) {
        join.conditions.push_back(
            {FlipComparison(comparison.op), std::move(comparison.right), std::move(comparison.left)});
        return;
      }
    }
  }
  join.residual.push_back(std::move(predicate));
}

/// The inputs that the columns of a predicate come from.
enum class Side { kNone, kLeft, kRight, kBoth };
Side SideOf(const Expression& predicate, const BindingSet& left, const BindingSet& right) {
  const BindingSet columns = ColumnsOf(predicate);
  if (columns.empty()) return Side::kNone;
  if (Contains(left, columns)) return Side::kLeft;
  if (Contains(right, columns)) return Side::kRight;
  return Side::kBoth;
}

bool AnyRejectsNulls(const Predicates& predicates, const BindingSet& columns) {
  return std::any_of(predicates.begin(), predicates.end(),
                     [&](const auto& p) { return RejectsNulls(*p, columns); });
}

/// The join type that remains if predicates above drop the rows that an outer join has padded with NULLs.
LogicalJoinType WithoutNullRows(LogicalJoinType type, bool drops_null_left, bool drops_null_right) {
  const bool keeps_left =
      (type == LogicalJoinType::kLeft || type == LogicalJoinType::kFull) && !drops_null_right;
  const bool keeps_right =
      (type == LogicalJoinType::kRight || type == LogicalJoinType::kFull) && !drops_null_left;
  if (keeps_left && keeps_right) return LogicalJoinType::kFull;
  if (keeps_left) return LogicalJoinType::kLeft;
  return keeps_right ? LogicalJoinType::kRight : LogicalJoinType::kInner;
}

/// Moves the predicates out of filters on top of `node`, unless some are volatile.
void TakeFilter(LogicalOperatorPtr& node, Predicates& predicates) {
  while (node->kind() == LogicalKind::kFilter) {
    auto& filter = node->As<LogicalFilter>();
    Predicates parts;
    for (ExpressionPtr& predicate : filter.predicates) SplitAnd(std::move(predicate), parts);
    const bool moves =
        std::all_of(parts.begin(), parts.end(), [](const auto& p) { return IsDeterministic(*p); });
    filter.predicates = std::move(parts);
    if (!moves) return;
    for (ExpressionPtr& predicate : filter.predicates) predicates.push_back(std::move(predicate));
    node = LogicalOperatorPtr(std::move(node->children[0]));
  }
}

/// Moves the predicates out of filters and inner joins from `node` down, which leaves joins without
/// conditions.
void GatherRegion(LogicalOperatorPtr& node, Predicates& predicates) {
  CheckStack();
  TakeFilter(node, predicates);
  if (!IsInnerJoin(*node)) return;
  auto& join = node->As<LogicalJoin>();
  for (JoinCondition& condition : join.conditions) predicates.push_back(ToPredicate(std::move(condition)));
  for (ExpressionPtr& predicate : join.residual) SplitAnd(std::move(predicate), predicates);
  join.conditions.clear();
  join.residual.clear();
  for (LogicalOperatorPtr& child : node->children) GatherRegion(child, predicates);
}

/// The join type that an outer join has under `predicates`.
LogicalJoinType TypeUnder(const Predicates& predicates, const LogicalJoin& join) {
  const bool drops_null_left = AnyRejectsNulls(predicates, OutputColumns(*join.children[0]));
  const bool drops_null_right = AnyRejectsNulls(predicates, OutputColumns(*join.children[1]));
  return WithoutNullRows(join.join_type, drops_null_left, drops_null_right);
}

/// Adds outer joins at the leaves of a region that its predicates turn into inner joins. Predicates that
/// cannot be pushed below them count, too. Returns whether there were any.
bool AddOuterJoins(LogicalOperatorPtr& node, Predicates& predicates) {
  CheckStack();
  if (node->kind() != LogicalKind::kJoin) return false;
  auto& join = node->As<LogicalJoin>();
  if (join.join_type == LogicalJoinType::kInner) {
    const bool left = AddOuterJoins(join.children[0], predicates);
    return AddOuterJoins(join.children[1], predicates) || left;
  }
  const bool is_outer = join.join_type == LogicalJoinType::kLeft ||
                        join.join_type == LogicalJoinType::kRight || join.join_type == LogicalJoinType::kFull;
  if (!is_outer) return false;
  join.join_type = TypeUnder(predicates, join);
  if (join.join_type != LogicalJoinType::kInner) return false;
  GatherRegion(node, predicates);
  return true;
}

/// Whether the plan yields exactly one row, judged by its top nodes.
bool GivesOneRow(const LogicalOperator& node) {
  CheckStack();
  if (node.kind() == LogicalKind::kProject) return GivesOneRow(*node.children[0]);
  if (node.kind() == LogicalKind::kAggregate) return node.As<LogicalAggregate>().groups.empty();
  if (node.kind() == LogicalKind::kValues) return node.As<LogicalValues>().rows.size() == 1;
  return node.kind() == LogicalKind::kJoin && node.As<LogicalJoin>().join_type == LogicalJoinType::kSingle &&
         GivesOneRow(*node.children[0]);
}

/// Whether a single join adds the same row to each left row, and predicates use that row.
bool IsUsedAsOneRow(const LogicalJoin& join, const Predicates& predicates) {
  if (!join.conditions.empty() || !join.residual.empty() || GivesOneRow(*join.children[0])) return false;
  const BindingSet right = OutputColumns(*join.children[1]);
  return std::any_of(predicates.begin(), predicates.end(),
                     [&](const auto& predicate) { return Intersects(right, ColumnsOf(*predicate)); });
}

}  // namespace

/// Returns a plan of exactly one row: NULLs if `plan` has none. More rows are an error, as in the single
/// join.
LogicalOperatorPtr FilterPushdown::MakeOneRow(LogicalOperatorPtr plan) {
  if (GivesOneRow(*plan)) return plan;
  auto row = std::make_unique<LogicalValues>(context_.NewTableIndex(), std::vector<LogicalType>(),
                                             std::vector<std::string>());
  row->rows.emplace_back();
  return std::make_unique<LogicalJoin>(LogicalJoinType::kSingle, std::move(row), std::move(plan));
}

LogicalOperatorPtr FilterPushdown::PushJoin(LogicalOperatorPtr plan, Predicates predicates) {
  auto& join = plan->As<LogicalJoin>();
  switch (join.join_type) {
    case LogicalJoinType::kInner: return PushInnerRegion(std::move(plan), std::move(predicates));
    case LogicalJoinType::kLeft:
    case LogicalJoinType::kRight:
    case LogicalJoinType::kFull: {
      join.join_type = TypeUnder(predicates, join);
      if (join.join_type == LogicalJoinType::kInner)
        return PushInnerRegion(std::move(plan), std::move(predicates));
      return PushOuter(std::move(plan), std::move(predicates));
    }
    case LogicalJoinType::kSingle:
      if (!IsUsedAsOneRow(join, predicates)) return PushOuter(std::move(plan), std::move(predicates));
      join.join_type = LogicalJoinType::kInner;
      plan->children[1] = MakeOneRow(std::move(plan->children[1]));
      return PushInnerRegion(std::move(plan), std::move(predicates));
    case LogicalJoinType::kSemi:
    case LogicalJoinType::kAnti:
    case LogicalJoinType::kRightSemi:
    case LogicalJoinType::kRightAnti:
    case LogicalJoinType::kMark: return PushOuter(std::move(plan), std::move(predicates));
    case LogicalJoinType::kAsofLeft:
      if (AnyRejectsNulls(predicates, OutputColumns(*join.children[1])))
        join.join_type = LogicalJoinType::kAsof;
      return PushOuter(std::move(plan), std::move(predicates));
    case LogicalJoinType::kAsof: return PushOuter(std::move(plan), std::move(predicates));
    // A row that a predicate removes below would move all rows behind it.
    case LogicalJoinType::kPositional: break;
  }
  return Stop(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushInnerRegion(LogicalOperatorPtr plan, Predicates predicates) {
  GatherRegion(plan, predicates);
  // An outer join that became an inner one contributes its predicates, which may turn further outer joins
  // into inner ones.
  while (AddOuterJoins(plan, predicates)) {
  }
  AddPredicatesOfDisjunctions(predicates);
  AddTransitivePredicates(predicates);
  return DistributeInner(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::DistributeInner(LogicalOperatorPtr plan, Predicates predicates) {
  CheckStack();
  if (!IsInnerJoin(*plan)) return Push(std::move(plan), std::move(predicates));
  auto& join = plan->As<LogicalJoin>();
  const BindingSet left = OutputColumns(*join.children[0]), right = OutputColumns(*join.children[1]);
  Predicates to_left, to_right, above;
  for (ExpressionPtr& predicate : predicates) {
    // A volatile predicate is evaluated once per pair of rows, so it stays at the join.
    if (!IsDeterministic(*predicate)) {
      AddToJoin(join, std::move(predicate), left, right);
      continue;
    }
    switch (SideOf(*predicate, left, right)) {
      case Side::kNone: above.push_back(std::move(predicate)); break;
      case Side::kLeft: to_left.push_back(std::move(predicate)); break;
      case Side::kRight: to_right.push_back(std::move(predicate)); break;
      case Side::kBoth: AddToJoin(join, std::move(predicate), left, right); break;
    }
  }
  plan->children[0] = DistributeInner(std::move(plan->children[0]), std::move(to_left));
  plan->children[1] = DistributeInner(std::move(plan->children[1]), std::move(to_right));
  return MakeFilter(std::move(plan), std::move(above));
}

/// Pushes predicates over the rows that a subquery is added to below it, so that the subquery does not run
/// for rows that they drop.
LogicalOperatorPtr FilterPushdown::PushOnDemand(LogicalOperatorPtr plan, Predicates predicates) {
  const BindingSet left = OutputColumns(*plan->children[0]), right = OutputColumns(*plan->children[1]);
  Predicates to_left, above;
  for (ExpressionPtr& predicate : predicates) {
    const bool moves = IsDeterministic(*predicate) && SideOf(*predicate, left, right) == Side::kLeft;
    (moves ? to_left : above).push_back(std::move(predicate));
  }
  plan->children[0] = Push(std::move(plan->children[0]), std::move(to_left));
  plan->children[1] = Push(std::move(plan->children[1]), {});
  return MakeFilter(std::move(plan), std::move(above));
}

LogicalOperatorPtr FilterPushdown::PushOuter(LogicalOperatorPtr plan, Predicates predicates) {
  auto& join = plan->As<LogicalJoin>();
  const LogicalJoinType type = join.join_type;
  const BindingSet left = OutputColumns(*join.children[0]), right = OutputColumns(*join.children[1]);
  const bool preserves_right = type == LogicalJoinType::kRight || !EmitsLeft(type);
  const bool preserves_left = !preserves_right && type != LogicalJoinType::kFull;
  Predicates to_left, to_right, above;
  // A filter directly below a preserved side is equivalent to one above, so it implies predicates for the
  // other side, too.
  if (preserves_left) TakeFilter(plan->children[0], to_left);
  if (preserves_right) TakeFilter(plan->children[1], to_right);

  // Predicates from above go to a preserved side, whose rows come out unchanged.
  for (ExpressionPtr& predicate : predicates) {
    const Side side = SideOf(*predicate, left, right);
    if (side == Side::kLeft && preserves_left) {
      to_left.push_back(std::move(predicate));
    } else if (side == Side::kRight && preserves_right) {
      to_right.push_back(std::move(predicate));
    } else {
      above.push_back(std::move(predicate));
    }
  }
  // Predicates of the join go to the other side, where rows that cannot match are useless. Not for a mark
  // join, which considers the NULLs of all rows on the right.
  if (type != LogicalJoinType::kMark) {
    Predicates residual = std::move(join.residual), parts;
    join.residual.clear();
    for (ExpressionPtr& predicate : residual) SplitAnd(std::move(predicate), parts);
    for (ExpressionPtr& predicate : parts) {
      const Side side = IsDeterministic(*predicate) ? SideOf(*predicate, left, right) : Side::kBoth;
      if (side == Side::kRight && preserves_left) {
        to_right.push_back(std::move(predicate));
      } else if (side == Side::kLeft && (preserves_right || type == LogicalJoinType::kSemi)) {
        to_left.push_back(std::move(predicate));
      } else {
        AddToJoin(join, std::move(predicate), left, right);
      }
    }
    if (preserves_left) {
      for (ExpressionPtr& predicate : TransferPredicates(to_left, join.conditions, true))
        to_right.push_back(std::move(predicate));
    } else if (preserves_right) {
      for (ExpressionPtr& predicate : TransferPredicates(to_right, join.conditions, false))
        to_left.push_back(std::move(predicate));
    }
  }
  plan->children[0] = Push(std::move(plan->children[0]), std::move(to_left));
  plan->children[1] = Push(std::move(plan->children[1]), std::move(to_right));
  return MakeFilter(std::move(plan), std::move(above));
}

}  // namespace scaup
