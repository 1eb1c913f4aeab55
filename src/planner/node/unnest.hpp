// Lists turned into rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Turns lists into rows: each row of the child is repeated for each element of its longest list. The output
/// has all of the child's columns, then the elements of each list as {table_index, i}, with NULL behind the
/// end of a shorter one, and with `has_ordinality` their position as a BIGINT from 1 on. A row without
/// elements is dropped, or, if `is_outer`, returned once with NULLs.
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
