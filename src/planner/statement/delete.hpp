// DELETE: rows that go from a table.
#pragma once

#include <string>

#include "planner/statement/write.hpp"

namespace scaup {

/// DELETE. The child's first column is the number of a row; numbers may repeat.
struct LogicalDelete final : LogicalWrite {
  LogicalDelete(size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kDelete, table_index_in, std::move(table_in), std::move(child)) {}
  std::string Name() const override { return "Delete"; }
  LogicalOperatorPtr Clone() const override;
};

}  // namespace scaup
