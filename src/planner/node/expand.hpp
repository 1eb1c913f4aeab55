// Rows once for each grouping set.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Repeats each row for each grouping set, for GROUP BY with several. The output has all of the child's
/// columns, then `columns` as {table_index, i}, with NULL in those that the set lacks, then the number of the
/// set as an INTEGER.
struct LogicalExpand final : LogicalOperator {
  LogicalExpand(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> columns_in,
                std::vector<std::vector<size_t>> sets_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "GroupingSets"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> columns;
  std::vector<std::vector<size_t>> sets;  ///< for each set the numbers of its columns, ascending
};

}  // namespace scaup
