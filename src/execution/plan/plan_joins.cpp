// Physical planner: chooses between hash joins, index joins, range joins and nested-loop joins.
#include <algorithm>
#include <utility>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/aggregate/hash_aggregate.hpp"
#include "execution/join/hash_join.hpp"
#include "execution/join/index_join.hpp"
#include "execution/join/nested_loop_join.hpp"
#include "execution/join/range_join.hpp"
#include "execution/plan/physical_planner.hpp"
#include "execution/plan/plan_asof_join.hpp"
#include "execution/plan/planned_expressions.hpp"
#include "execution/stream/positional_join.hpp"
#include "planner/indexed_scan.hpp"
#include "planner/node/aggregate.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "planner/node/values.hpp"

namespace scaup {

namespace {

bool IsHashable(const JoinCondition& condition) {
  return condition.op == ComparisonOp::kEqual || condition.op == ComparisonOp::kNotDistinctFrom;
}

bool IsInequality(const JoinCondition& condition) {
  return condition.op == ComparisonOp::kLess || condition.op == ComparisonOp::kLessEqual ||
         condition.op == ComparisonOp::kGreater || condition.op == ComparisonOp::kGreaterEqual;
}

/// Returns whether the plan is a scalar subquery: a single join whose left side is one row without columns.
bool IsScalarSubquery(const LogicalOperator& plan) {
  CheckStack();
  if (plan.kind() == LogicalKind::kProject || plan.kind() == LogicalKind::kFilter)
    return IsScalarSubquery(*plan.children[0]);
  return plan.kind() == LogicalKind::kJoin && plan.As<LogicalJoin>().join_type == LogicalJoinType::kSingle &&
         plan.children[0]->kind() == LogicalKind::kValues && plan.children[0]->Types().empty();
}

/// Returns whether the plan certainly has so few rows that a nested-loop join is cheaper than a range join.
bool HasFewRows(const LogicalOperator& plan) {
  constexpr size_t kFewRows = 4;
  if (plan.kind() == LogicalKind::kProject || plan.kind() == LogicalKind::kFilter)
    return HasFewRows(*plan.children[0]);
  if (plan.kind() == LogicalKind::kValues) return plan.As<LogicalValues>().rows.size() <= kFewRows;
  // An aggregation without groups has one row, and a single join has as many rows as its left side.
  if (plan.kind() == LogicalKind::kAggregate) return plan.As<LogicalAggregate>().groups.empty();
  return plan.kind() == LogicalKind::kJoin && plan.As<LogicalJoin>().join_type == LogicalJoinType::kSingle &&
         HasFewRows(*plan.children[0]);
}

/// Returns the type of an index join as seen from its input, which is the left side of the operator. A semi
/// join that emits the rows it looks up becomes an inner join: its input has each key once, so no row is
/// emitted twice.
LogicalJoinType TypeByIndex(const LogicalJoin& join) {
  if (join.join_type == LogicalJoinType::kRight) return LogicalJoinType::kLeft;
  const bool gives_found = join.join_type == LogicalJoinType::kSemi && join.by_index->looks_up_left;
  return gives_found ? LogicalJoinType::kInner : join.join_type;
}

}  // namespace

// A semi join that emits the rows it looks up needs only the distinct keys of its input. They are computed by
// an aggregation, and get bindings of their own.
PhysicalOperatorPtr PhysicalPlanner::PlanLookupInput(LogicalJoin& join,
                                                     std::vector<ColumnBinding>& bindings) {
  LogicalOperator& input = *join.children[join.by_index->looks_up_left ? 1 : 0];
  bindings = input.Bindings();
  if (join.join_type != LogicalJoinType::kSemi || !join.by_index->looks_up_left) return PlanNode(input);
  constexpr size_t kKeysIndex = SIZE_MAX;  // a table index that no logical operator has
  const BindingResolver resolver(bindings);
  bindings.clear();
  std::vector<ExpressionPtr> keys;
  std::vector<LogicalType> types;
  for (JoinCondition& condition : join.conditions) {
    bindings.push_back({kKeysIndex, keys.size()});
    types.push_back(condition.right->type());
    auto name = std::make_unique<ColumnRefExpression>(types.back(), bindings.back(), "");
    resolver.Resolve(condition.right);
    keys.push_back(std::exchange(condition.right, std::move(name)));
  }
  const size_t key_count = keys.size();
  return std::make_unique<HashAggregate>(ProjectUnlessIdentity(PlanNode(input), std::move(keys)), key_count,
                                         std::vector<AggregateSpecification>{}, std::move(types));
}

PhysicalOperatorPtr PhysicalPlanner::PlanIndexJoin(LogicalJoin& join) {
  const JoinByIndex by_index = *join.by_index;
  const bool looks_up_left = by_index.looks_up_left;
  const IndexedScan scan = AsIndexedScan(*join.children[looks_up_left ? 0 : 1]).value();
  const LogicalGet& get = *scan.get;
  const std::vector<ColumnBinding> wanted = join.Bindings();
  const std::vector<LogicalType> wanted_types = join.Types();
  // The columns of a pair are the input's first, then the scan's, whichever sides of the join they are.
  std::vector<ColumnBinding> input_bindings;
  PhysicalOperatorPtr input = PlanLookupInput(join, input_bindings);
  const BindingResolver input_resolver(input_bindings);
  BindingResolver pair_resolver(input_bindings);
  pair_resolver.Add(get.Bindings());
  for (size_t i = 0; scan.project != nullptr && i < scan.project->expressions.size(); i++) {
    pair_resolver.AddAlias({scan.project->table_index, i},
                           scan.project->expressions[i]->As<ColumnRefExpression>().binding);
  }
  IndexJoin::Specification specification;
  specification.join_type = TypeByIndex(join);
  specification.table = get.table;
  specification.scan = ScanOf(get);
  specification.index = by_index.index;
  specification.scan_types = get.Types();
  std::vector<LookupKey> keys = LookupKeysOf(join, scan, looks_up_left, by_index.index->columns());
  keys.resize(by_index.key_count);
  std::vector<bool> is_key(join.conditions.size());
  for (size_t i = 0; i < keys.size(); i++) {
    if (!keys[i].condition) {
      specification.keys.push_back(
          std::make_unique<ConstantExpression>(get.predicate.filters[*keys[i].filter].constant));
      continue;
    }
    JoinCondition& condition = join.conditions[*keys[i].condition];
    is_key[*keys[i].condition] = true;
    ExpressionPtr key = std::move(looks_up_left ? condition.right : condition.left);
    input_resolver.Resolve(key);
    // The index has keys of the column's type. TRY_CAST turns a number that this type lacks into NULL, which
    // equals nothing, so the row finds no match.
    const LogicalType& type = get.table->columns[by_index.index->columns()[i]].type;
    specification.keys.push_back(key->type() == type ? std::move(key) : AddCast(std::move(key), type, true));
  }
  std::vector<ExpressionPtr> residual = std::move(join.residual);
  for (size_t i = 0; i < join.conditions.size(); i++) {
    JoinCondition& condition = join.conditions[i];
    if (is_key[i]) continue;
    residual.push_back(std::make_unique<ComparisonExpression>(condition.op, std::move(condition.left),
                                                              std::move(condition.right)));
  }
  if (scan.filter != nullptr) {
    for (ExpressionPtr& predicate : scan.filter->predicates) residual.push_back(std::move(predicate));
  }
  for (ExpressionPtr& predicate : residual) pair_resolver.Resolve(predicate);
  if (!residual.empty()) specification.residual = MakeAnd(std::move(residual));
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < wanted.size(); i++) {
    columns.push_back(
        std::make_unique<ReferenceExpression>(wanted_types[i], pair_resolver.At(wanted[i]), ""));
  }
  std::vector<LogicalType> types = input->types();
  if (EmitsRight(specification.join_type)) {
    types.insert(types.end(), specification.scan_types.begin(), specification.scan_types.end());
  }
  auto result = std::make_unique<IndexJoin>(std::move(input), std::move(specification), std::move(types));
  return ProjectUnlessIdentity(std::move(result), std::move(columns));
}

PhysicalOperatorPtr PhysicalPlanner::PlanJoin(LogicalJoin& join) {
  if (join.by_index) return PlanIndexJoin(join);
  const auto left_bindings = join.children[0]->Bindings(), right_bindings = join.children[1]->Bindings();
  const BindingResolver left_resolver(left_bindings), right_resolver(right_bindings);
  BindingResolver pair_resolver(left_bindings);
  pair_resolver.Add(right_bindings);
  // Bindings, types and the check of the subquery need the logical plan, whose expressions PlanNode moves
  // away.
  std::vector<LogicalType> types = join.Types();
  const bool right_is_scalar =
      join.join_type == LogicalJoinType::kSingle ||
      (join.join_type == LogicalJoinType::kInner && IsScalarSubquery(*join.children[1]));
  auto left = PlanNode(*join.children[0]);
  auto right = PlanNode(*join.children[1]);
  if (join.join_type == LogicalJoinType::kPositional)
    return std::make_unique<PositionalJoin>(std::move(left), std::move(right), std::move(types));
  if (IsAsof(join.join_type)) {
    return MakeAsofJoin(join, left_resolver, right_resolver, std::move(left), std::move(right),
                        std::move(types));
  }

  // A mark join over several conditions (row IN) needs three-valued logic over all of them together. So only
  // conditions that are never NULL can be hash keys; the others are tested for each pair.
  const bool is_compound_mark = join.join_type == LogicalJoinType::kMark && join.marks_null &&
                                (join.conditions.size() != 1 || !join.residual.empty());
  const auto is_key = [&](const JoinCondition& condition) {
    return is_compound_mark ? condition.op == ComparisonOp::kNotDistinctFrom : IsHashable(condition);
  };
  const bool use_hash = std::any_of(join.conditions.begin(), join.conditions.end(), is_key);
  const bool use_range = !use_hash && !is_compound_mark && !HasFewRows(*join.children[1]) &&
                         std::any_of(join.conditions.begin(), join.conditions.end(), IsInequality);

  std::vector<HashJoinKey> keys;
  std::vector<RangeJoinCondition> inequalities;
  std::vector<ExpressionPtr> residual = std::move(join.residual);
  for (auto& condition : join.conditions) {
    if (use_hash && is_key(condition)) {
      left_resolver.Resolve(condition.left);
      right_resolver.Resolve(condition.right);
      keys.push_back({std::move(condition.left), std::move(condition.right),
                      condition.op == ComparisonOp::kNotDistinctFrom});
    } else if (use_range && IsInequality(condition)) {
      left_resolver.Resolve(condition.left);
      right_resolver.Resolve(condition.right);
      inequalities.push_back({condition.op, std::move(condition.left), std::move(condition.right)});
    } else {
      residual.push_back(std::make_unique<ComparisonExpression>(condition.op, std::move(condition.left),
                                                                std::move(condition.right)));
    }
  }
  for (auto& predicate : residual) pair_resolver.Resolve(predicate);
  ExpressionPtr rest = residual.empty() ? nullptr : MakeAnd(std::move(residual));
  if (use_hash) {
    auto result = std::make_unique<HashJoin>(join.join_type, std::move(left), std::move(right),
                                             std::move(keys), std::move(rest), std::move(types));
    result->right_is_scalar = right_is_scalar;
    return result;
  }
  SCAUP_ASSERT(EmitsLeft(join.join_type));
  if (use_range) {
    return std::make_unique<RangeJoin>(join.join_type, std::move(left), std::move(right),
                                       std::move(inequalities), std::move(rest), std::move(types));
  }
  auto result = std::make_unique<NestedLoopJoin>(join.join_type, std::move(left), std::move(right),
                                                 std::move(rest), std::move(types));
  result->right_is_scalar = right_is_scalar;
  return result;
}

PhysicalOperatorPtr JoinOnDemand(LogicalOnDemand& node, const BindingResolver& left_columns,
                                 PhysicalOperatorPtr left, PhysicalOperatorPtr right) {
  if (node.needed) left_columns.Resolve(node.needed);
  std::vector<LogicalType> types = left->types();
  types.insert(types.end(), right->types().begin(), right->types().end());
  auto result = std::make_unique<NestedLoopJoin>(node.join_type, std::move(left), std::move(right), nullptr,
                                                 std::move(types));
  result->RunRightOnDemand(std::move(node.needed));
  return result;
}

}  // namespace scaup
