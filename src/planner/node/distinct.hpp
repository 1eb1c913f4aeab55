// DISTINCT and DISTINCT ON.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// SELECT DISTINCT over all columns, or DISTINCT ON (on), which returns the first row of each group in the
/// input's order.
struct LogicalDistinct final : LogicalOperator {
  LogicalDistinct(LogicalOperatorPtr child, std::vector<ExpressionPtr> on_in);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Distinct"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<std::string> Details() const override;
  std::vector<ExpressionPtr> on;  ///< empty: all columns
};

}  // namespace scaup
