// Physical planner: ORDER BY, LIMIT by an order, and DISTINCT.
#include <algorithm>

#include "execution/aggregate/hash_aggregate.hpp"
#include "execution/plan/physical_planner.hpp"
#include "execution/plan/planned_expressions.hpp"
#include "execution/scan/index_top_n.hpp"
#include "execution/sort/distinct_on_operator.hpp"
#include "execution/sort/sort_operators.hpp"
#include "execution/stream/streaming_operators.hpp"
#include "planner/indexed_scan.hpp"
#include "planner/nodes.hpp"

namespace scaup {

namespace {

/// If the input is sorted by all keys first, brings them into its order, and returns their orders.
std::vector<SortOrder> SortedOrders(const LogicalOperator& input, std::vector<ExpressionPtr>& keys) {
  if (input.kind() != LogicalKind::kSort) return {};
  std::vector<SortOrder> orders;
  for (const SortKey& sorted : input.As<LogicalSort>().keys) {
    if (orders.size() == keys.size()) break;
    const auto is_sorted = [&](const ExpressionPtr& key) { return key->Equals(*sorted.expression); };
    const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(orders.size());
    if (std::any_of(keys.begin(), begin, is_sorted)) continue;  // Named twice.
    const auto key = std::find_if(begin, keys.end(), is_sorted);
    if (key == keys.end()) return {};
    std::iter_swap(begin, key);
    orders.push_back({sorted.expression->type(), sorted.descending, sorted.nulls_first});
  }
  return orders.size() == keys.size() ? orders : std::vector<SortOrder>();
}

}  // namespace

PhysicalOperatorPtr PhysicalPlanner::PlanDistinct(LogicalDistinct& distinct) {
  const BindingResolver resolver(distinct.children[0]->Bindings());
  std::vector<SortOrder> orders = SortedOrders(*distinct.children[0], distinct.on);
  auto child = PlanNode(*distinct.children[0]);
  if (distinct.on.empty()) {
    std::vector<LogicalType> types = child->types();
    const size_t column_count = types.size();
    if (column_count == 0) {  // Rows without columns are all equal, so one of them remains.
      return std::make_unique<LimitOperator>(std::move(child),
                                             std::make_unique<ConstantExpression>(Value::BigInt(1)), nullptr);
    }
    return std::make_unique<HashAggregate>(std::move(child), column_count,
                                           std::vector<AggregateSpecification>{}, std::move(types));
  }
  for (auto& key : distinct.on) resolver.Resolve(key);
  return std::make_unique<DistinctOnOperator>(std::move(child), std::move(distinct.on), std::move(orders));
}

PhysicalOperatorPtr PhysicalPlanner::PlanSort(LogicalOperator& child_node, std::vector<SortKey>& keys,
                                              uint64_t limit, uint64_t offset) {
  const BindingResolver resolver(child_node.Bindings());
  auto child = PlanNode(child_node);
  std::vector<ExpressionPtr> expressions;
  std::vector<SortOrder> orders;
  for (SortKey& key : keys) {
    resolver.Resolve(key.expression);
    orders.push_back({key.expression->type(), key.descending, key.nulls_first});
    expressions.push_back(std::move(key.expression));
  }
  return std::make_unique<SortOperator>(std::move(child), std::move(expressions), std::move(orders), limit,
                                        offset);
}

PhysicalOperatorPtr PhysicalPlanner::PlanTopN(LogicalTopN& top_n) {
  if (top_n.by_index) return PlanIndexTopN(top_n);
  return PlanSort(*top_n.children[0], top_n.keys, top_n.limit, top_n.offset);
}

PhysicalOperatorPtr PhysicalPlanner::PlanIndexTopN(LogicalTopN& top_n) {
  LogicalOperator& input = *top_n.children[0];
  const bool is_filter = input.kind() == LogicalKind::kFilter;
  const auto& get = (is_filter ? *input.children[0] : input).As<LogicalGet>();
  const TopNByIndex& by_index = *top_n.by_index;
  IndexTopN::Specification specification{get.table,           ScanOf(get),           by_index.index,
                                         by_index.descending, by_index.first_column, nullptr,
                                         top_n.limit,         top_n.offset,          by_index.most_entries};
  if (is_filter) {
    const BindingResolver resolver(get.Bindings());
    std::vector<ExpressionPtr> predicates;
    // The predicates are cloned, because planning the fallback moves the originals away.
    for (const ExpressionPtr& predicate : input.As<LogicalFilter>().predicates) {
      predicates.push_back(predicate->Clone());
      resolver.Resolve(predicates.back());
    }
    specification.filter = MakeAnd(std::move(predicates));
  }
  std::vector<LogicalType> types = get.Types();
  // The fallback, which runs if too few rows pass. It is not needed if every row of the index range counts.
  PhysicalOperatorPtr sort;
  if (by_index.most_entries) sort = PlanSort(input, top_n.keys, top_n.limit, top_n.offset);
  return std::make_unique<IndexTopN>(std::move(specification), std::move(types), std::move(sort));
}

}  // namespace scaup
