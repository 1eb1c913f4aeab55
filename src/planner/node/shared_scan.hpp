// Scan of materialized rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Scan of the rows materialized under `share`. Output column i is their column columns[i], bound as
/// bindings[i].
struct LogicalSharedScan final : LogicalOperator {
  /// Scans all columns of rows of these types, bound as {table_index, i}.
  LogicalSharedScan(size_t share_in, std::string label_in, size_t table_index,
                    std::vector<LogicalType> types_in, std::vector<std::string> names_in);
  std::vector<ColumnBinding> Bindings() const override { return bindings; }
  std::vector<LogicalType> Types() const override { return types; }
  std::vector<std::string> Names() const override { return names; }
  std::string Name() const override { return "SharedScan"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override {
    for (ColumnBinding& binding : bindings) visit(binding.table_index);
  }
  std::vector<std::string> Details() const override;
  /// Retains only the output columns at these positions, which ascend.
  void Keep(const std::vector<size_t>& places);
  size_t share;
  std::string label;
  std::vector<size_t> columns;
  std::vector<ColumnBinding> bindings;
  std::vector<LogicalType> types;
  std::vector<std::string> names;
};

/// Calls `visit` with every scan of the rows materialized under `share` in the plan.
void ForEachSharedScan(LogicalOperator& plan, size_t share,
                       const std::function<void(LogicalSharedScan&)>& visit);

}  // namespace scaup
