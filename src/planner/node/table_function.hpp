// Scan of a table function, and call of a function of the program that returns rows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "function/rows_function.hpp"
#include "function/table_function.hpp"
#include "planner/node/logical_operator.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

/// Bindings as for LogicalGet: {table_index, columns[i]}.
struct LogicalTableFunction final : LogicalOperator {
  LogicalTableFunction(size_t table_index_in, TableFunction function_in,
                       std::shared_ptr<const BoundTableFunction> bound_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  std::string Name() const override { return "TableFunction"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  TableFunction function;
  std::shared_ptr<const BoundTableFunction> bound;
  std::vector<size_t> columns;
  /// Filters that a filter above repeats, for a function that takes filters.
  std::vector<ScanFilter> filters;
};

/// A function of the program over the rows of its child, or without a child. Bindings as for LogicalGet.
struct LogicalRowsCall final : LogicalOperator {
  LogicalRowsCall(size_t table_index_in, std::string name_in, std::shared_ptr<const BoundRowsCall> call_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  std::string Name() const override { return "TableFunction"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::string name;
  std::shared_ptr<const BoundRowsCall> call;
  std::vector<ExpressionPtr> values;     ///< by parameter; they use no columns
  std::vector<ExpressionPtr> arguments;  ///< what is given of each row of the child
  /// The keys by which the rows are sorted, the first `partition_count` of which make partitions.
  std::vector<SortKey> keys;
  size_t partition_count = 0;
  std::vector<size_t> columns;   ///< of the result, those that are wanted
  std::vector<size_t> required;  ///< the parameters of which a NULL value means that there are no rows
};

}  // namespace scaup
