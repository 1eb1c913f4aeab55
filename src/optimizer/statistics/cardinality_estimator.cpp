// The cardinality estimator: the expected number of rows of each node of a plan.
#include "optimizer/statistics/cardinality_estimator.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/statistics/sampled_rows.hpp"
#include "optimizer/statistics/value_ranges.hpp"
#include "planner/nodes.hpp"
#include "storage/table/table_sampler.hpp"

namespace scaup {
namespace {

constexpr double kUnknownTableFunctionRows = 1000;
/// The lengths of lists are unknown.
constexpr double kUnknownListLength = 4;
constexpr double kUnknownLimit = 1000;
constexpr double kUnknownRounds = 10;  // of a recursion

std::vector<const Expression*> Borrow(const std::vector<ExpressionPtr>& expressions) {
  std::vector<const Expression*> borrowed;
  for (const ExpressionPtr& expression : expressions) borrowed.push_back(expression.get());
  return borrowed;
}

/// The number of a LIMIT or OFFSET; `otherwise` if there is none.
double LimitOf(const ExpressionPtr& expression, double otherwise) {
  if (!expression) return otherwise;
  if (expression->kind() != ExpressionKind::kConstant) return kUnknownLimit;
  const std::optional<double> point = PointOf(expression->As<ConstantExpression>().value);
  return point ? std::max(*point, 0.0) : otherwise;
}

ColumnEstimate ColumnOf(const Expression& expression, const RelationEstimate& input) {
  if (expression.kind() == ExpressionKind::kColumnRef) {
    const auto found = input.columns.find(expression.As<ColumnRefExpression>().binding);
    if (found != input.columns.end()) return found->second;
  }
  ColumnEstimate column;
  column.distinct = SelectivityEstimator(input).Distinct(expression);
  column.base_rows = input.rows;
  return column;
}

RelationEstimate ProjectEstimate(const std::vector<ExpressionPtr>& expressions, size_t table_index,
                                 const RelationEstimate& input) {
  RelationEstimate result;
  result.rows = input.rows;
  for (size_t i = 0; i < expressions.size(); i++)
    result.columns[{table_index, i}] = ColumnOf(*expressions[i], input);
  return result;
}

/// The columns of the sets are estimated like their source columns, so that each set by itself is estimated
/// well.
RelationEstimate ExpandEstimate(const LogicalExpand& expand, RelationEstimate input) {
  const double copies = static_cast<double>(expand.sets.size());
  RelationEstimate columns = ProjectEstimate(expand.columns, expand.table_index, input);
  input.columns.merge(columns.columns);
  input.columns[{expand.table_index, expand.columns.size()}] = {.distinct = copies,
                                                                .base_rows = input.rows * copies};
  input.rows *= copies;
  return input;
}

RelationEstimate AggregateEstimate(const LogicalAggregate& aggregate, const RelationEstimate& input) {
  RelationEstimate result = ProjectEstimate(aggregate.groups, aggregate.group_index, input);
  result.rows = aggregate.groups.empty() ? 1 : EstimateGroups(aggregate.groups, input);
  for (auto& [binding, column] : result.columns) column.base_rows = result.rows;
  for (size_t i = 0; i < aggregate.aggregates.size(); i++) {
    result.columns[{aggregate.aggregate_index, i}] = {.distinct = result.rows, .base_rows = result.rows};
  }
  return result;
}

RelationEstimate UnionEstimate(const LogicalUnionAll& node, const std::vector<RelationEstimate>& inputs) {
  RelationEstimate result;
  for (const RelationEstimate& input : inputs) result.rows += input.rows;
  const size_t column_count = node.names.size();
  for (size_t i = 0; i < column_count; i++) {
    ColumnEstimate& column = result.columns[{node.table_index, i}];
    column.base_rows = result.rows;
    for (size_t child = 0; child < inputs.size(); child++) {
      const auto found = inputs[child].columns.find(node.children[child]->Bindings()[i]);
      if (found != inputs[child].columns.end())
        column.distinct = std::max(column.distinct, found->second.distinct);
    }
  }
  return result;
}

void Merge(RelationEstimate& target, RelationEstimate source) { target.columns.merge(source.columns); }

RelationEstimate FunctionEstimate(const LogicalTableFunction& scan) {
  const BoundTableFunction& bound = *scan.bound;
  RelationEstimate result;
  result.rows =
      bound.estimated_row_count ? static_cast<double>(*bound.estimated_row_count) : kUnknownTableFunctionRows;
  for (size_t i = 0; i < bound.columns.size(); i++) {
    const TableFunctionColumn& known = bound.columns[i];
    ColumnEstimate& column = result.columns[{scan.table_index, i}];
    column.distinct = known.distinct;
    column.null_fraction = known.null_fraction;
    column.base_rows = result.rows;
    if (!known.bounds) continue;
    const auto low = PointOf(known.bounds->first), high = PointOf(known.bounds->second);
    if (low && high) column.bounds = {*low, *high};
  }
  // Other filters stay above the scan, and are estimated there.
  if (!scan.function.applies_filters) return result;
  std::vector<ExpressionPtr> predicates;
  for (const ScanFilter& filter : scan.filters)
    predicates.push_back(PredicateOf(filter, scan.table_index, bound.column_types[filter.column]));
  ApplyPredicates(result, Borrow(predicates));
  return result;
}

/// The fraction of the rows of one side (`kept`) that match a row of the other one.
double MatchingPart(const LogicalJoin& join, const RelationEstimate& kept, const RelationEstimate& other) {
  if (join.conditions.empty() && join.residual.empty()) return other.rows > 0 ? 1 : 0;
  const bool keeps_left = EmitsLeft(join.join_type);
  double part = 1;
  for (const JoinCondition& condition : join.conditions) {
    if (condition.op != ComparisonOp::kEqual && condition.op != ComparisonOp::kNotDistinctFrom) continue;
    const Expression& kept_key = keeps_left ? *condition.left : *condition.right;
    const ColumnEstimate other_key = ColumnOf(keeps_left ? *condition.right : *condition.left, other);
    const double domain = SelectivityEstimator(kept).Distinct(kept_key);
    const double there = other_key.distinct > 0
                             ? RemainingDistinct(other_key.distinct, other_key.base_rows, other.rows)
                             : other.rows;
    part = std::min(part, there / std::max(domain, 1.0));
  }
  if (!join.residual.empty()) part *= 0.8;
  return std::clamp(part, 0.0, 1.0);
}

double UnmatchedPart(const LogicalJoin& join, const RelationEstimate& kept, const RelationEstimate& other) {
  return std::max(1 - MatchingPart(join, kept, other), 0.05);
}

}  // namespace

double EstimateGroups(const std::vector<ExpressionPtr>& keys, const RelationEstimate& input) {
  const double rows = std::max(input.rows, 1.0);
  double groups = 1;
  for (const ExpressionPtr& key : keys) {
    const ColumnEstimate column = ColumnOf(*key, input);
    const double distinct =
        column.distinct > 0 ? RemainingDistinct(column.distinct, column.base_rows, rows) : rows * 0.1;
    groups *= std::max(distinct, 1.0);
    if (groups >= rows) return rows;
  }
  return std::min(groups, rows);
}

double JoinSelectivity(const std::vector<JoinCondition>& conditions, const RelationEstimate& left,
                       const RelationEstimate& right) {
  double left_values = 1, right_values = 1, left_base = 0, right_base = 0, selectivity = 1, separate = 1,
         largest = 1;
  for (const JoinCondition& condition : conditions) {
    switch (condition.op) {
      case ComparisonOp::kEqual:
      case ComparisonOp::kNotDistinctFrom: {
        const ColumnEstimate l = ColumnOf(*condition.left, left), r = ColumnOf(*condition.right, right);
        const double ld = SelectivityEstimator(left).Distinct(*condition.left);
        const double rd = SelectivityEstimator(right).Distinct(*condition.right);
        left_values *= ld;
        right_values *= rd;
        separate *= std::max(ld, rd);
        largest = std::max({largest, ld, rd});
        left_base = std::max(left_base, std::max(l.base_rows, ld));
        right_base = std::max(right_base, std::max(r.base_rows, rd));
        if (condition.op == ComparisonOp::kEqual)
          selectivity *= (1 - l.null_fraction) * (1 - r.null_fraction);
        break;
      }
      case ComparisonOp::kNotEqual:
      case ComparisonOp::kDistinctFrom: selectivity *= 0.9; break;
      case ComparisonOp::kLess:
      case ComparisonOp::kLessEqual:
      case ComparisonOp::kGreater:
      case ComparisonOp::kGreaterEqual: selectivity *= 1.0 / 3; break;
    }
  }
  const double composite =
      CompositeDomain(std::min(left_values, left_base), std::min(right_values, right_base), largest);
  return selectivity / std::max(std::min(separate, composite), 1.0);
}

RelationEstimate CardinalityEstimator::Estimate(LogicalOperator& plan) {
  CheckStack(kRowStackReserve);
  std::vector<RelationEstimate> inputs;
  inputs.reserve(plan.children.size());
  if (plan.kind() == LogicalKind::kMaterialize)
    EstimateShare(plan.As<LogicalMaterialize>().share, *plan.children[0]);
  if (plan.kind() == LogicalKind::kRecursion)
    EstimateShare(plan.As<LogicalRecursion>().share, *plan.children[0]);
  for (const LogicalOperatorPtr& child : plan.children) inputs.push_back(Estimate(*child));
  RelationEstimate result = EstimateNode(plan, std::move(inputs));
  plan.estimated_rows = result.rows;
  return result;
}

void CardinalityEstimator::EstimateShare(size_t share, LogicalOperator& definition) {
  RelationEstimate rows = Estimate(definition);
  ShareEstimate& estimate = context_.shares[share];
  estimate.rows = rows.rows;
  estimate.columns.clear();
  for (const ColumnBinding& binding : definition.Bindings())
    estimate.columns.push_back(rows.columns[binding]);
}

RelationEstimate CardinalityEstimator::EstimateSharedScan(const LogicalSharedScan& scan) const {
  RelationEstimate result;
  const auto share = context_.shares.find(scan.share);
  if (share == context_.shares.end()) return {kUnknownTableFunctionRows, {}};
  result.rows = share->second.rows;
  for (size_t i = 0; i < scan.columns.size(); i++) {
    if (scan.columns[i] < share->second.columns.size())
      result.columns[scan.bindings[i]] = share->second.columns[scan.columns[i]];
  }
  return result;
}

RelationEstimate CardinalityEstimator::EstimateGet(const LogicalGet& get) const {
  RelationEstimate result;
  if (!get.table->storage) return result;
  const Transaction& transaction = context_.optimizer.transaction;
  result.rows = static_cast<double>(get.table->storage->sampler().EstimateRowCount(transaction));
  const auto statistics = get.table->storage->Statistics(transaction, get.table->StorageColumns());
  for (size_t i = 0; i < get.table->columns.size(); i++) {
    result.columns[{get.table_index, i}] =
        EstimateColumn((*statistics)[i], get.table->columns[i].type, result.rows);
  }
  if (auto rows = get.table->storage->sampler().View(transaction)) {
    result.sample =
        std::make_shared<const SampledRows>(context_.optimizer.functions, std::move(rows->view),
                                            get.table->StorageColumns(), get.table_index, rows->is_whole);
  }
  std::vector<ExpressionPtr> predicates;
  for (const ScanFilter& filter : get.predicate.filters) {
    predicates.push_back(PredicateOf(filter, get.table_index, get.table->columns[filter.column].type));
  }
  ApplyPredicates(result, Borrow(predicates));
  return result;
}

RelationEstimate CardinalityEstimator::EstimateJoin(const LogicalJoin& join, RelationEstimate left,
                                                    RelationEstimate right) const {
  left.sample = right.sample = nullptr;  // join results are not rows of a table
  RelationEstimate result = left;
  Merge(result, right);
  result.rows = left.rows * right.rows * JoinSelectivity(join.conditions, left, right);
  if (!join.residual.empty()) ApplyPredicates(result, Borrow(join.residual));
  switch (join.join_type) {
    case LogicalJoinType::kInner: return result;
    case LogicalJoinType::kLeft: result.rows = std::max(result.rows, left.rows); return result;
    case LogicalJoinType::kRight: result.rows = std::max(result.rows, right.rows); return result;
    case LogicalJoinType::kFull: result.rows = std::max({result.rows, left.rows, right.rows}); return result;
    case LogicalJoinType::kSemi: left.rows *= MatchingPart(join, left, right); return left;
    case LogicalJoinType::kRightSemi: right.rows *= MatchingPart(join, right, left); return right;
    case LogicalJoinType::kAnti: left.rows *= UnmatchedPart(join, left, right); return left;
    case LogicalJoinType::kRightAnti: right.rows *= UnmatchedPart(join, right, left); return right;
    case LogicalJoinType::kMark:
      left.columns[{join.mark_index, 0}] = {.distinct = 2, .base_rows = left.rows};
      return left;
    case LogicalJoinType::kSingle:
    case LogicalJoinType::kAsofLeft: result.rows = left.rows; return result;
    case LogicalJoinType::kAsof: result.rows = left.rows * MatchingPart(join, left, right); return result;
    case LogicalJoinType::kPositional: result.rows = std::max(left.rows, right.rows); return result;
  }
  return result;
}

RelationEstimate CardinalityEstimator::EstimateNode(LogicalOperator& plan,
                                                    std::vector<RelationEstimate> inputs) const {
  switch (plan.kind()) {
    case LogicalKind::kGet: return EstimateGet(plan.As<LogicalGet>());
    case LogicalKind::kRowsCall:
      return {inputs.empty() ? static_cast<double>(kUnknownTableFunctionRows) : inputs[0].rows, {}};
    case LogicalKind::kTableFunction: return FunctionEstimate(plan.As<LogicalTableFunction>());
    case LogicalKind::kValues: return {static_cast<double>(plan.As<LogicalValues>().rows.size()), {}};
    case LogicalKind::kFilter:
      ApplyPredicates(inputs[0], Borrow(plan.As<LogicalFilter>().predicates));
      return std::move(inputs[0]);
    case LogicalKind::kProject:
      return ProjectEstimate(plan.As<LogicalProject>().expressions, plan.As<LogicalProject>().table_index,
                             inputs[0]);
    case LogicalKind::kAggregate: return AggregateEstimate(plan.As<LogicalAggregate>(), inputs[0]);
    case LogicalKind::kDistinct: {
      const auto& on = plan.As<LogicalDistinct>().on;
      inputs[0].rows = EstimateGroups(on.empty() ? ReferenceColumns(plan) : CloneExpressions(on), inputs[0]);
      return std::move(inputs[0]);
    }
    case LogicalKind::kJoin:
      return EstimateJoin(plan.As<LogicalJoin>(), std::move(inputs[0]), std::move(inputs[1]));
    case LogicalKind::kOnDemand: Merge(inputs[0], std::move(inputs[1])); return std::move(inputs[0]);
    case LogicalKind::kSort:
    case LogicalKind::kWindow:
    case LogicalKind::kExplain: return std::move(inputs[0]);
    case LogicalKind::kUnnest: inputs[0].rows *= kUnknownListLength; return std::move(inputs[0]);
    case LogicalKind::kTopN:
      inputs[0].rows = std::min(inputs[0].rows, static_cast<double>(plan.As<LogicalTopN>().limit));
      return std::move(inputs[0]);
    case LogicalKind::kLimit: {
      const auto& limit = plan.As<LogicalLimit>();
      const double rest = std::max(inputs[0].rows - LimitOf(limit.offset, 0), 0.0);
      inputs[0].rows = std::min(rest, LimitOf(limit.limit, rest));
      return std::move(inputs[0]);
    }
    case LogicalKind::kUnionAll: return UnionEstimate(plan.As<LogicalUnionAll>(), inputs);
    case LogicalKind::kExpand: return ExpandEstimate(plan.As<LogicalExpand>(), std::move(inputs[0]));
    case LogicalKind::kMaterialize: return std::move(inputs[1]);
    case LogicalKind::kSharedScan: return EstimateSharedScan(plan.As<LogicalSharedScan>());
    case LogicalKind::kRecursion: return {kUnknownRounds * (inputs[0].rows + inputs[1].rows), {}};
    case LogicalKind::kInsert:
    case LogicalKind::kUpdate:
    case LogicalKind::kMerge:
    case LogicalKind::kDelete:
    case LogicalKind::kCreateTableAs:
    case LogicalKind::kCopyTo: return {inputs[0].rows, {}};
  }
  return {};
}

}  // namespace scaup
