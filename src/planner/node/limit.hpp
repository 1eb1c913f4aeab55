// LIMIT and OFFSET.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// LIMIT and OFFSET. If their counts are computed by a query, children[1] produces one row with them.
struct LogicalLimit final : LogicalOperator {
  LogicalLimit(LogicalOperatorPtr child, ExpressionPtr limit_in, ExpressionPtr offset_in,
               LogicalOperatorPtr counts = nullptr);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Limit"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<std::string> Details() const override;
  /// BIGINT expressions over the columns of children[1]; without it they are constants or parameters. Null if
  /// not given. NULL means none; negative is an error 2201W / 2201X.
  ExpressionPtr limit;
  ExpressionPtr offset;
};

}  // namespace scaup
