// ORDER BY with LIMIT.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

class TableIndex;

/// An index whose order replaces the sort of a TopN: rows are read in its order until there are enough.
struct TopNByIndex {
  std::shared_ptr<TableIndex> index;
  bool descending = false;
  /// The first column of the index that no filter fixes, as a column of the table; none if filters fix all.
  std::optional<size_t> first_column;
  /// The number of index entries after which the operator gives up and sorts all rows; none if every row
  /// counts.
  std::optional<uint64_t> most_entries;
};

/// Sort and limit in one, made by the optimizer.
struct LogicalTopN final : LogicalOperator {
  LogicalTopN(LogicalOperatorPtr child, std::vector<SortKey> keys_in, uint64_t limit_in, uint64_t offset_in);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "TopN"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<std::string> Details() const override;
  std::vector<SortKey> keys;
  uint64_t limit;
  uint64_t offset;
  std::optional<TopNByIndex> by_index;  ///< if set, the child is a Get, or a Filter over one
};

}  // namespace scaup
