// A table while ALTER TABLE changes it: the draft of its new definition, and the values of its new rows.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "binder/bound/bound_definition.hpp"
#include "binder/scope/expression_place.hpp"
#include "binder/statement/table_draft.hpp"
#include "expression/expression.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// The state of one ALTER TABLE between its actions: the draft, and for each of its columns the value in
/// terms of the old row. Remembers which constraints the rows must be checked for. Throws Error with
/// positions. Borrows the session. Used by one thread.
class TableAlteration {
 public:
  /// `position` is that of the table's name, for errors of the statement as a whole.
  TableAlteration(BindSession& session, TableEntryRef table, size_t position);

  /// The origin of a column of the draft.
  struct Origin {
    std::optional<size_t> old;  ///< nullopt: added by the statement
    ExpressionPtr value;        ///< bound over the old columns
  };

  TableDraft draft;
  std::vector<Origin> origins;  ///< by column of the draft
  std::unique_ptr<BoundAlterTable> result;

  BindSession& session() { return session_; }
  /// The table index of the old columns.
  size_t old_index() const { return old_index_; }

  /// Returns the column that an action names. Throws 42703.
  ColumnDefinition& Column(const ast::AlterAction& action);
  bool HasColumn(const std::string& name) const;
  /// Returns whether a text over the table's columns uses the given column.
  bool Uses(const std::string& text, Clause clause, size_t column) const;
  /// Removes a column with the constraints that use it, as PostgreSQL does.
  void RemoveColumn(const std::string& name);
  /// Removes hidden columns that no index needs: neither one of the dropped indexes nor one over a removed
  /// column counts. Returns whether there are any.
  bool RemoveUnusedHidden(const std::vector<std::string>& dropped_indexes);
  /// Makes the statement look for NULLs in a column.
  void RequireNotNull(const std::string& column);
  void AllowNull(const std::string& column);
  /// Adds a constraint, which the statement then checks.
  void AddConstraint(const ast::TableConstraint& constraint);
  /// Makes the statement check an old CHECK constraint or foreign key that was NOT VALID.
  void Validate(const ast::AlterAction& action);
  /// Makes the statement check an old CHECK constraint again.
  void Recheck(const std::string& check) { checks_.push_back(check); }
  /// Makes the statement check the rules of a column's domain.
  void RecheckDomain(const ColumnDefinition& column);
  /// Completes and returns the result. Call it once, after all actions.
  std::unique_ptr<BoundAlterTable> Finish();

 private:
  LogicalType TypeOfText(const std::string& text) const;
  /// Removes foreign keys of the table to itself whose referenced columns are no longer unique. Refuses this
  /// without CASCADE.
  void SettleOwnReferences();
  /// Lists the new constraints that still exist at the end of the statement.
  void ListNew(const TableEntry& entry, size_t table_index);

  BindSession& session_;
  size_t position_;
  size_t old_index_;
  // Names of the columns and constraints that must be checked.
  std::vector<std::string> not_null_, checks_, uniques_, foreign_keys_;
  std::vector<std::string> dropped_indexes_;  // dropped before the table is altered
};

/// Returns whether the name is one of the names.
bool HasName(const std::vector<std::string>& names, const std::string& name);

/// Applies an action to a column: ADD, DROP, and ALTER COLUMN except RENAME.
void AlterColumn(TableAlteration& alteration, const ast::AlterAction& action);

}  // namespace scaup
