// Lists turned into rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Lists turned into rows: for every row of the child one for each element of its longest list, with all of
/// the child's columns, then the elements of each list (NULL behind the end of a shorter one) as
/// {table_index, i}, then with `has_ordinality` their position, BIGINT, from 1 on. A row without elements is
/// left out, unless `is_outer`: then it comes out once, with NULLs.
struct LogicalUnnest final : LogicalOperator {
  LogicalUnnest(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> lists_in,
                bool has_ordinality_in, bool is_outer_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Unnest"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> lists;
  bool has_ordinality;
  bool is_outer;
};

}  // namespace scaup
