// UNION ALL.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// All rows of all children, which have the same types. Output column i is {table_index, i}.
struct LogicalUnionAll final : LogicalOperator {
  LogicalUnionAll(size_t table_index_in, std::vector<LogicalOperatorPtr> inputs,
                  std::vector<std::string> names_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return names; }
  std::string Name() const override { return "UnionAll"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  size_t table_index;
  std::vector<std::string> names;
};

}  // namespace scaup
