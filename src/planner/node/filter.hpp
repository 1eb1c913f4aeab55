// Rows that pass predicates.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

struct LogicalFilter final : LogicalOperator {
  explicit LogicalFilter(LogicalOperatorPtr child, std::vector<ExpressionPtr> predicates_in);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Filter"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<std::string> Details() const override;
  std::vector<ExpressionPtr> predicates;  ///< ANDed
};

}  // namespace scaup
