// COPY TO: rows for a file.
#pragma once

#include <string>
#include <vector>

#include "format/copy_target.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Writes the child's rows to a file; no output columns.
struct LogicalCopyTo final : LogicalOperator {
  LogicalCopyTo(CopyTarget target_in, LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override { return {}; }
  std::vector<LogicalType> Types() const override { return {}; }
  std::vector<std::string> Names() const override { return {}; }
  std::string Name() const override { return "CopyTo"; }
  LogicalOperatorPtr Clone() const override;
  bool writes() const override { return true; }
  std::vector<std::string> Details() const override { return {"file: " + target.path}; }
  CopyTarget target;
  std::vector<std::string> column_names;
};

}  // namespace scaup
