// The common part of the operators that write rows of a table.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// A CHECK that written rows have to pass. FALSE refuses a row (23514), NULL does not.
struct RowCheck {
  std::string name;
  ExpressionPtr condition;
  /// The SQLSTATE and message of a rule that is no constraint of the table; "" for those of a constraint.
  const char* state;
  std::string refusal;
};

/// The common part of INSERT, UPDATE, DELETE and MERGE. The child's rows say what to write. `checks` and
/// `returning` are over the child's columns; the rows of RETURNING are the output, bound as {table_index, i}.
struct LogicalWrite : LogicalOperator {
  LogicalWrite(LogicalKind kind, size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  std::vector<std::string> Details() const override { return {"table: " + table->name}; }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  bool writes() const override { return true; }

  size_t table_index;
  TableEntryRef table;
  std::vector<RowCheck> checks;
  std::vector<ExpressionPtr> returning;
  std::vector<size_t> assigned;  ///< the columns that UPDATE sets, for triggers of some columns
  bool is_in_order = false;      ///< an INSERT computes its rows one after the other

 protected:
  /// Completes a copy of the node with copies of the common parts.
  LogicalOperatorPtr CloneInto(std::unique_ptr<LogicalWrite> copy) const;
};

}  // namespace scaup
