// INSERT: rows for a table, with ON CONFLICT.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/statement/write.hpp"

namespace scaup {

/// ON CONFLICT of an INSERT. Expressions are over the existing row, {existing_index, i}, where i is a column
/// of the table, and over the INSERT's child.
struct InsertConflict {
  InsertConflict Clone() const;
  /// The names of the unique indexes whose conflicts count; all if it is empty.
  std::vector<std::string> indexes;
  bool does_update = false;  ///< false: the row is skipped
  size_t existing_index = 0;
  std::vector<ExpressionPtr> values;  ///< new values of the existing row, one for each column
  /// The row that `values` make, and generated columns that are computed from it, {updated_index, i}.
  size_t updated_index = 0;
  std::vector<size_t> generated_columns;
  std::vector<ExpressionPtr> generated;
  std::vector<size_t> set_columns;  ///< ascending; the only ones that change
  ExpressionPtr where;              ///< null if there is none; rows that do not pass are not updated
};

/// INSERT. The child's columns are the table's, in order and cast to their types, then those that ON CONFLICT
/// uses.
struct LogicalInsert final : LogicalWrite {
  LogicalInsert(size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kInsert, table_index_in, std::move(table_in), std::move(child)) {}
  std::string Name() const override { return "Insert"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override {
    if (on_conflict) {
      visit(on_conflict->existing_index);
      visit(on_conflict->updated_index);
    }
    LogicalWrite::ForEachTableIndex(visit);
  }
  std::vector<std::string> Details() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::optional<InsertConflict> on_conflict;
};

}  // namespace scaup
