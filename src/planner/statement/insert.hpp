// INSERT: rows for a table, with ON CONFLICT.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/statement/write.hpp"

namespace scaup {

/// ON CONFLICT of an INSERT. Expressions are over the row that is there, {existing_index, i}, and over the
/// INSERT's child, i being a column of the table.
struct InsertConflict {
  InsertConflict Clone() const;
  /// The names of the unique indexes whose conflicts count; empty: all.
  std::vector<std::string> indexes;
  bool does_update = false;  ///< false: the row is left out
  size_t existing_index = 0;
  std::vector<ExpressionPtr> values;  ///< what becomes of the row that is there, one for each column
  std::vector<size_t> set_columns;    ///< ascending; the only ones that `values` changes
  ExpressionPtr where;                ///< null if there is none; rows that do not pass stay as they are
};

/// The child's columns are the table's, in order, cast to their types; then may come what ON CONFLICT uses.
struct LogicalInsert final : LogicalWrite {
  LogicalInsert(size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kInsert, table_index_in, std::move(table_in), std::move(child)) {}
  std::string Name() const override { return "Insert"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override {
    if (on_conflict) visit(on_conflict->existing_index);
    LogicalWrite::ForEachTableIndex(visit);
  }
  std::vector<std::string> Details() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::optional<InsertConflict> on_conflict;
};

}  // namespace scaup
