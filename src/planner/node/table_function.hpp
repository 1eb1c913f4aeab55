// Scan of a table function.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

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

}  // namespace scaup
