// EXPLAIN: the plan of a statement as text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/explain_format.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// EXPLAIN [ANALYZE]: one VARCHAR column of text, {table_index, 0}.
struct LogicalExplain final : LogicalOperator {
  LogicalExplain(size_t table_index_in, bool analyze_in, ExplainFormat format_in, LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override { return {{table_index, 0}}; }
  std::vector<LogicalType> Types() const override { return {TypeId::kVarchar}; }
  std::vector<std::string> Names() const override { return {"plan"}; }
  std::string Name() const override { return "Explain"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  size_t table_index;
  bool analyze;
  ExplainFormat format;
};

}  // namespace scaup
