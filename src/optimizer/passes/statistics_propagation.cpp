// Pass: propagates proven value ranges from the scans, to remove checks, widths and filters.
#include "optimizer/passes/statistics_propagation.hpp"

#include <algorithm>

#include "catalog/table_reading.hpp"
#include "common/stack_bound.hpp"
#include "planner/nodes.hpp"

namespace scaup {
namespace {

bool IsEmpty(const LogicalOperator& node) {
  return node.kind() == LogicalKind::kValues && node.As<LogicalValues>().rows.empty();
}

/// Whether a join of these inputs has no rows.
bool JoinIsEmpty(const LogicalJoin& join) {
  const bool left = IsEmpty(*join.children[0]), right = IsEmpty(*join.children[1]);
  switch (join.join_type) {
    case LogicalJoinType::kInner:
    case LogicalJoinType::kSemi:
    case LogicalJoinType::kRightSemi:
    case LogicalJoinType::kAsof: return left || right;
    case LogicalJoinType::kLeft:
    case LogicalJoinType::kAnti:
    case LogicalJoinType::kMark:
    case LogicalJoinType::kSingle:
    case LogicalJoinType::kAsofLeft: return left;
    case LogicalJoinType::kRight:
    case LogicalJoinType::kRightAnti: return right;
    case LogicalJoinType::kFull:
    case LogicalJoinType::kPositional: return left && right;
  }
  return false;
}

bool KeepsChildTypes(LogicalKind kind, bool keeps_types) {
  switch (kind) {
    // These nodes pass their children's columns on.
    case LogicalKind::kFilter:
    case LogicalKind::kDistinct:
    case LogicalKind::kWindow:
    case LogicalKind::kUnnest:
    case LogicalKind::kJoin:
    case LogicalKind::kOnDemand:
    case LogicalKind::kSort:
    case LogicalKind::kTopN:
    case LogicalKind::kExpand:
    case LogicalKind::kMaterialize:
    case LogicalKind::kLimit: return keeps_types;
    case LogicalKind::kProject:
    case LogicalKind::kAggregate:
    case LogicalKind::kGet:
    case LogicalKind::kTableFunction:
    case LogicalKind::kSharedScan:
    case LogicalKind::kValues: return false;
    // Columns that are stored, written or combined by position must have their exact type.
    default: return true;
  }
}

}  // namespace

LogicalOperatorPtr StatisticsPropagation::Propagate(LogicalOperatorPtr plan, bool keeps_types) {
  CheckStack(kRowStackReserve);
  const bool child_keeps = KeepsChildTypes(plan->kind(), keeps_types);
  if (plan->kind() == LogicalKind::kMaterialize) return PropagateShare(std::move(plan), keeps_types);
  for (size_t i = 0; i < plan->children.size(); i++) {
    const bool is_count = plan->kind() == LogicalKind::kLimit && i == 1;
    plan->children[i] = Propagate(std::move(plan->children[i]), child_keeps || is_count);
  }
  RenameColumns(*plan, renamed_);
  switch (plan->kind()) {
    case LogicalKind::kGet: return PropagateGet(std::move(plan));
    case LogicalKind::kFilter: return PropagateFilter(std::move(plan));
    case LogicalKind::kJoin: return PropagateJoin(std::move(plan));
    case LogicalKind::kUnionAll: return PropagateUnion(std::move(plan));
    case LogicalKind::kExpand:
      if (IsEmpty(*plan->children[0])) return MakeEmpty(*plan);
      PropagateExpand(plan->As<LogicalExpand>());
      return plan;
    case LogicalKind::kSharedScan: return PropagateSharedScan(std::move(plan));
    case LogicalKind::kRecursion: return IsEmpty(*plan->children[0]) ? MakeEmpty(*plan) : std::move(plan);
    case LogicalKind::kProject:
      PropagateProject(plan->As<LogicalProject>(), keeps_types);
      return IsEmpty(*plan->children[0]) ? MakeEmpty(*plan) : std::move(plan);
    case LogicalKind::kAggregate:
      PropagateAggregate(plan->As<LogicalAggregate>(), keeps_types);
      return IsEmpty(*plan->children[0]) && !plan->As<LogicalAggregate>().groups.empty() &&
                     plan->As<LogicalAggregate>().empty_sets.empty()
                 ? MakeEmpty(*plan)
                 : std::move(plan);
    case LogicalKind::kSort:
    case LogicalKind::kTopN:
    case LogicalKind::kDistinct:
      // Narrow values have the same order as wide ones.
      plan->ForEachExpression(
          [&](ExpressionPtr& expression) { expression = narrowing_.Narrow(std::move(expression)); });
      return IsEmpty(*plan->children[0]) ? std::move(plan->children[0]) : std::move(plan);
    case LogicalKind::kWindow: PropagateWindow(plan->As<LogicalWindow>()); return plan;
    case LogicalKind::kOnDemand:
      for (const ColumnBinding& binding : plan->children[1]->Bindings()) facts_[binding].may_be_null = true;
      plan->ForEachExpression(
          [&](ExpressionPtr& needed) { needed = narrowing_.RewriteKeepingType(std::move(needed)); });
      return plan;
    case LogicalKind::kUnnest:
      for (ExpressionPtr& list : plan->As<LogicalUnnest>().lists)
        list = narrowing_.RewriteKeepingType(std::move(list));
      return plan;
    case LogicalKind::kMaterialize:
    case LogicalKind::kLimit: return plan;  // an invalid LIMIT fails even without rows
    default: return plan;
  }
}

void StatisticsPropagation::LogReads(const LogicalOperator& plan) {
  CheckStack();
  if (plan.kind() == LogicalKind::kGet && plan.As<LogicalGet>().table->storage) {
    const auto& get = plan.As<LogicalGet>();
    ReaderOf(context_.optimizer.transaction, *get.table, get.table->StorageColumns())
        .ConcludeFromStatistics(get.columns, {get.predicate.filters});
  }
  for (const LogicalOperatorPtr& child : plan.children) LogReads(*child);
}

LogicalOperatorPtr StatisticsPropagation::MakeEmpty(const LogicalOperator& plan) {
  // The result depends on the tables being read, although no scan will read them; so the reads must be logged
  // for serializability.
  LogReads(plan);
  auto empty = std::make_unique<LogicalValues>(context_.NewTableIndex(), plan.Types(), plan.Names());
  const std::vector<ColumnBinding> bindings = plan.Bindings();
  BindingMap original_of;
  for (const auto& [original, current] : renamed_) original_of[current] = original;
  for (size_t i = 0; i < bindings.size(); i++) {
    const auto original = original_of.find(bindings[i]);
    const ColumnBinding fresh{empty->table_index, i};
    renamed_[original == original_of.end() ? bindings[i] : original->second] = fresh;
    narrowing_.SetColumnType(fresh, empty->types[i]);
  }
  return empty;
}

LogicalOperatorPtr StatisticsPropagation::PropagateGet(LogicalOperatorPtr plan) {
  auto& get = plan->As<LogicalGet>();
  if (!get.table->storage) return plan;
  facts_.AddTable(
      get.table_index, get.table,
      get.table->storage->Statistics(context_.optimizer.transaction, get.table->StorageColumns()));
  std::vector<ScanFilter> kept;
  for (const ScanFilter& filter : get.predicate.filters) {
    const ExpressionPtr predicate =
        PredicateOf(filter, get.table_index, get.table->columns[filter.column].type);
    const std::optional<bool> outcome = OutcomeOf(*predicate, facts_);
    if (outcome == false) return MakeEmpty(*plan);
    NarrowByPredicate(*predicate, facts_);
    if (!outcome) kept.push_back(filter);
  }
  // That all rows pass the filter depends on its column, which the scan may no longer read; so the read must
  // be logged for serializability.
  if (kept.size() != get.predicate.filters.size())
    ReaderOf(context_.optimizer.transaction, *get.table, get.table->StorageColumns())
        .ConcludeFromStatistics({}, {get.predicate.filters});
  get.predicate.filters = std::move(kept);
  return plan;
}

bool StatisticsPropagation::SimplifyPredicates(std::vector<ExpressionPtr>& predicates,
                                               std::span<const LogicalOperatorPtr> inputs) {
  std::vector<ExpressionPtr> kept;
  for (ExpressionPtr& predicate : predicates) {
    const std::optional<bool> outcome = OutcomeOf(*predicate, facts_);
    if (outcome == false) return false;
    if (outcome == true) continue;
    kept.push_back(narrowing_.RewriteKeepingType(std::move(predicate)));
  }
  if (kept.size() != predicates.size()) {
    for (const LogicalOperatorPtr& input : inputs) LogReads(*input);
  }
  predicates = std::move(kept);
  return true;
}

LogicalOperatorPtr StatisticsPropagation::PropagateFilter(LogicalOperatorPtr plan) {
  auto& predicates = plan->As<LogicalFilter>().predicates;
  std::vector<ExpressionPtr> before = CloneExpressions(predicates);
  if (IsEmpty(*plan->children[0]) || !SimplifyPredicates(predicates, plan->children))
    return MakeEmpty(*plan->children[0]);
  // Conjuncts may be evaluated in any order, so none may rely on the others. Nodes above may rely on all.
  for (const ExpressionPtr& predicate : before) NarrowByPredicate(*predicate, facts_);
  return MakeFilter(std::move(plan->children[0]), std::move(predicates));
}

LogicalOperatorPtr StatisticsPropagation::PropagateJoin(LogicalOperatorPtr plan) {
  auto& join = plan->As<LogicalJoin>();
  const bool is_inner = join.join_type == LogicalJoinType::kInner;
  if (JoinIsEmpty(join)) return MakeEmpty(*plan);
  if (join.join_type == LogicalJoinType::kAnti && IsEmpty(*join.children[1]))
    return std::move(join.children[0]);
  for (JoinCondition& condition : join.conditions) narrowing_.NarrowPair(condition.left, condition.right);
  if (is_inner) {
    if (!SimplifyPredicates(join.residual, join.children)) return MakeEmpty(*plan);
  } else {
    for (ExpressionPtr& predicate : join.residual)
      predicate = narrowing_.RewriteKeepingType(std::move(predicate));
  }
  if (is_inner || join.join_type == LogicalJoinType::kSemi) {
    for (const JoinCondition& condition : join.conditions) {
      const bool are_columns = condition.left->kind() == ExpressionKind::kColumnRef &&
                               condition.right->kind() == ExpressionKind::kColumnRef;
      if (condition.op != ComparisonOp::kEqual || !are_columns) continue;
      NarrowByEquality(condition.left->As<ColumnRefExpression>().binding,
                       condition.right->As<ColumnRefExpression>().binding, facts_);
    }
  }
  const auto make_nullable = [&](const LogicalOperator& side) {
    for (const ColumnBinding& binding : side.Bindings()) facts_[binding].may_be_null = true;
  };
  switch (join.join_type) {
    case LogicalJoinType::kLeft:
    case LogicalJoinType::kSingle:
    case LogicalJoinType::kAsofLeft: make_nullable(*join.children[1]); break;
    case LogicalJoinType::kRight: make_nullable(*join.children[0]); break;
    case LogicalJoinType::kFull:
    case LogicalJoinType::kPositional:
      make_nullable(*join.children[0]);
      make_nullable(*join.children[1]);
      break;
    case LogicalJoinType::kInner:
    case LogicalJoinType::kSemi:
    case LogicalJoinType::kAnti:
    case LogicalJoinType::kRightSemi:
    case LogicalJoinType::kRightAnti:
    case LogicalJoinType::kAsof:
    case LogicalJoinType::kMark: break;
  }
  return plan;
}

LogicalOperatorPtr StatisticsPropagation::PropagateUnion(LogicalOperatorPtr plan) {
  auto& node = plan->As<LogicalUnionAll>();
  const std::vector<LogicalType> types = node.Types();
  if (std::all_of(node.children.begin(), node.children.end(),
                  [](const auto& child) { return IsEmpty(*child); }))
    return MakeEmpty(*plan);
  std::erase_if(node.children, [](const LogicalOperatorPtr& child) { return IsEmpty(*child); });
  for (size_t i = 0; i < types.size(); i++) {
    std::optional<ValueFacts> all;
    for (const LogicalOperatorPtr& child : node.children) {
      const ValueFacts& facts = facts_[child->Bindings()[i]];
      if (!all) {
        all = facts;
        continue;
      }
      all->may_be_null = all->may_be_null || facts.may_be_null;
      if (all->bounds && facts.bounds) {
        all->bounds = {std::min(all->bounds->minimum, facts.bounds->minimum),
                       std::max(all->bounds->maximum, facts.bounds->maximum)};
      } else {
        all->bounds.reset();
      }
    }
    facts_[{node.table_index, i}] = *all;
  }
  if (node.children.size() > 1) return plan;
  // A single input is left: a projection gives its columns the names of the union's.
  std::vector<ExpressionPtr> references = ReferenceColumns(*node.children[0]);
  for (size_t i = 0; i < references.size(); i++) references[i]->alias = node.names[i];
  return std::make_unique<LogicalProject>(node.table_index, std::move(node.children[0]),
                                          std::move(references));
}

LogicalOperatorPtr StatisticsPropagation::PropagateShare(LogicalOperatorPtr plan, bool keeps_types) {
  // The definition first, so that its scans find its facts. Its types stay, because the scans were planned
  // with them.
  plan->children[0] = Propagate(std::move(plan->children[0]), true);
  Share& share = shares_[plan->As<LogicalMaterialize>().share];
  share.is_empty = IsEmpty(*plan->children[0]);
  for (const ColumnBinding& binding : plan->children[0]->Bindings()) share.columns.push_back(facts_[binding]);
  plan->children[1] = Propagate(std::move(plan->children[1]), keeps_types);
  return plan;
}

LogicalOperatorPtr StatisticsPropagation::PropagateSharedScan(LogicalOperatorPtr plan) {
  const auto& scan = plan->As<LogicalSharedScan>();
  const auto share = shares_.find(scan.share);
  if (share == shares_.end()) return plan;  // the rows of a recursion change
  if (share->second.is_empty) return MakeEmpty(*plan);
  for (size_t i = 0; i < scan.columns.size(); i++)
    facts_[scan.bindings[i]] = share->second.columns[scan.columns[i]];
  return plan;
}

void StatisticsPropagation::PropagateExpand(LogicalExpand& expand) {
  for (size_t i = 0; i < expand.columns.size(); i++) {
    ValueFacts facts = FactsOf(*expand.columns[i], facts_);
    facts.may_be_null = true;
    facts_[{expand.table_index, i}] = facts;
    expand.columns[i] = narrowing_.RewriteKeepingType(std::move(expand.columns[i]));
  }
}

void StatisticsPropagation::PropagateProject(LogicalProject& project, bool keeps_types) {
  for (size_t i = 0; i < project.expressions.size(); i++) {
    ExpressionPtr& expression = project.expressions[i];
    if (&project != root_) facts_[{project.table_index, i}] = FactsOf(*expression, facts_);
    const LogicalType before = expression->type();
    expression = keeps_types ? narrowing_.RewriteKeepingType(std::move(expression))
                             : narrowing_.Narrow(std::move(expression));
    if (!(expression->type() == before))
      narrowing_.SetColumnType({project.table_index, i}, expression->type());
  }
}

void StatisticsPropagation::PropagateWindow(LogicalWindow& window) {
  for (ExpressionPtr& key : window.partition_by) key = narrowing_.Narrow(std::move(key));
  for (SortKey& key : window.order_by) key.expression = narrowing_.Narrow(std::move(key.expression));
  for (ExpressionPtr& function : window.functions) function = narrowing_.Narrow(std::move(function));
}

void StatisticsPropagation::PropagateAggregate(LogicalAggregate& aggregate, bool keeps_types) {
  for (size_t i = 0; i < aggregate.groups.size(); i++) {
    ExpressionPtr& group = aggregate.groups[i];
    facts_[{aggregate.group_index, i}] = FactsOf(*group, facts_);
    const LogicalType before = group->type();
    group =
        keeps_types ? narrowing_.RewriteKeepingType(std::move(group)) : narrowing_.Narrow(std::move(group));
    if (!(group->type() == before)) narrowing_.SetColumnType({aggregate.group_index, i}, group->type());
  }
  for (size_t i = 0; i < aggregate.aggregates.size(); i++) {
    ExpressionPtr& expression = aggregate.aggregates[i];
    facts_[{aggregate.aggregate_index, i}] = FactsOf(*expression, facts_);
    expression = narrowing_.Narrow(std::move(expression));
  }
}

}  // namespace scaup
