// GROUP BY and aggregates.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// GROUP BY: the groups are bound as {group_index, i}, the aggregates as {aggregate_index, i}. Without groups
/// there is one row.
struct LogicalAggregate final : LogicalOperator {
  LogicalAggregate(size_t group_index_in, size_t aggregate_index_in, LogicalOperatorPtr child,
                   std::vector<ExpressionPtr> groups_in, std::vector<ExpressionPtr> aggregates_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Aggregate"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override {
    visit(group_index);
    visit(aggregate_index);
  }
  std::vector<std::string> Details() const override;
  size_t group_index;
  size_t aggregate_index;
  std::vector<ExpressionPtr> groups;
  std::vector<ExpressionPtr> aggregates;  ///< AggregateExpressions
  /// Above LogicalExpand: the numbers of the grouping sets without columns. Each of them has a row even for
  /// no input, in which the last group is the number of the set and the others are NULL.
  std::vector<int32_t> empty_sets;
};

}  // namespace scaup
