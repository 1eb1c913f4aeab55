// Expressions of rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Output column i is expressions[i], bound as {table_index, i}; its name is the expression's alias.
struct LogicalProject final : LogicalOperator {
  LogicalProject(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> expressions_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Project"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> expressions;
};

}  // namespace scaup
