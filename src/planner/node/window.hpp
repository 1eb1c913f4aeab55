// Window functions of one PARTITION BY and ORDER BY.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Window functions with one PARTITION BY and ORDER BY: all of the child's columns, then the functions as
/// {table_index, i}.
struct LogicalWindow final : LogicalOperator {
  LogicalWindow(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> partition_by_in,
                std::vector<SortKey> order_by_in, std::vector<ExpressionPtr> functions_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Window"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  std::vector<ExpressionPtr> functions;  ///< WindowExpressions without PARTITION BY and ORDER BY
};

}  // namespace scaup
