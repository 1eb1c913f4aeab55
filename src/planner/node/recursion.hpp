// WITH RECURSIVE.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// WITH RECURSIVE: the rows of children[0], then in rounds the rows of children[1] over those of the round
/// before, until a round has none. LogicalSharedScans of `share` in children[1] read the rows of the last
/// round. Output column i is {table_index, i}; both children have all columns in order.
struct LogicalRecursion final : LogicalOperator {
  LogicalRecursion(size_t table_index_in, size_t share_in, std::string label_in, bool is_distinct_in,
                   LogicalOperatorPtr first, LogicalOperatorPtr next, std::vector<std::string> names_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return names; }
  std::string Name() const override { return "Recursion"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  size_t share;
  std::string label;
  bool is_distinct;  ///< UNION: rows that have come before are dropped
  std::vector<std::string> names;
};

}  // namespace scaup
