// MERGE: inserts, updates and deletions by what a row matches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/statement/write.hpp"

namespace scaup {

/// One action of MERGE on a row.
struct MergeAction {
  enum class Kind : uint8_t { kInsert, kUpdate, kDelete, kNothing } kind = Kind::kNothing;
  std::vector<size_t> columns;        ///< columns of the table that kUpdate writes
  std::vector<size_t> assigned = {};  ///< the columns that the SET list names, for triggers of some columns
  std::string text;                   ///< for EXPLAIN
};

/// MERGE. The child's first column is the number of a row, NULL for a row to insert. The second is the number
/// of the action to take, NULL for none. `row_columns[i]` is the child's column with the value of table
/// column i, if an action writes it. Checks apply to written rows, RETURNING also to deleted ones. A row that
/// is updated or deleted twice is an error (21000).
struct LogicalMerge final : LogicalWrite {
  LogicalMerge(size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kMerge, table_index_in, std::move(table_in), std::move(child)) {}
  std::string Name() const override { return "Merge"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<std::string> Details() const override;
  std::vector<MergeAction> actions;
  std::vector<std::optional<size_t>> row_columns;
};

}  // namespace scaup
