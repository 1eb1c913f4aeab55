// UPDATE: new values for rows of a table.
#pragma once

#include <string>
#include <vector>

#include "planner/statement/write.hpp"

namespace scaup {

/// UPDATE. The child's first column is the number of a row; then come the new values of `columns`, and the
/// columns that checks and RETURNING need. If several rows have one number, the first counts.
struct LogicalUpdate final : LogicalWrite {
  LogicalUpdate(size_t table_index_in, TableEntryRef table_in, std::vector<size_t> columns_in,
                LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kUpdate, table_index_in, std::move(table_in), std::move(child)),
        columns(std::move(columns_in)) {}
  std::string Name() const override { return "Update"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<size_t> columns;
};

}  // namespace scaup
