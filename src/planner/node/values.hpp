// Constant rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Constant rows. With no columns and one empty row it is the input of SELECT without FROM.
struct LogicalValues final : LogicalOperator {
  LogicalValues(size_t table_index_in, std::vector<LogicalType> types_in, std::vector<std::string> names_in)
      : LogicalOperator(LogicalKind::kValues),
        table_index(table_index_in),
        types(std::move(types_in)),
        names(std::move(names_in)) {}
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override { return types; }
  std::vector<std::string> Names() const override { return names; }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Values"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<LogicalType> types;
  std::vector<std::string> names;
  std::vector<std::vector<ExpressionPtr>>
      rows;  ///< each of types.size() expressions without column references
};

}  // namespace scaup
