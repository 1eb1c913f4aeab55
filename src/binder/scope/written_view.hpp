// Views whose rows can be changed: the table below, and what the view's columns and conditions are there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "catalog/catalog_entry.hpp"

namespace scaup {

/// A view as a statement changes its rows, which are rows of one table. As in PostgreSQL, it selects from one
/// table or from one such view, without anything that makes other rows of them. Its expressions are over the
/// columns {table_index, i} of the table.
struct WrittenView {
  struct Column {
    std::string name;
    std::optional<size_t> column;  ///< of the table; none if the value is computed, so that it cannot be set
    ExpressionPtr value;
  };
  /// A condition that a written row has to satisfy, of a view WITH CHECK OPTION.
  struct Check {
    std::string view;
    ExpressionPtr condition;  ///< BOOLEAN, never NULL
  };
  std::string schema;
  std::string name;
  TableEntryRef table;
  std::vector<Column> columns;
  std::vector<ExpressionPtr> conditions;  ///< a row is in the view if all of them are TRUE
  std::vector<Check> checks;

  /// Returns the columns of the table that these columns of the view are. Throws 42703 for a name that is
  /// none, 0A000 for a column that cannot be set; `verb` says what the statement does to it. `positions` may
  /// be shorter than `names`.
  std::vector<std::string> TableColumns(const std::vector<std::string>& names,
                                        const std::vector<size_t>& positions, size_t statement_position,
                                        const char* verb) const;
  /// Returns the columns of the table that an INSERT without a list of columns gives values to: those of the
  /// view, up to the first that cannot be set.
  std::vector<std::string> LeadingColumns() const;
  /// Makes a scope of the columns, under the alias or name that the statement has for the view.
  Scope ScopeFor(const ast::NamedTable& named) const;
  /// Makes a scope of the columns.
  Scope MakeScope(std::string scope_schema, std::string alias) const;
};

/// Returns whether the name is that of a view.
bool NamesView(BindSession& session, const ast::NamedTable& name);
/// Binds the view of this name for a statement that changes its rows. Returns nullopt if it is no view.
/// Throws 55000 if its rows cannot be changed.
std::optional<WrittenView> FindWrittenView(BindSession& session, const ast::NamedTable& name,
                                           size_t table_index);
/// Does the same for a view of the session's present database, which may not be in the catalog yet.
WrittenView BindWrittenView(BindSession& session, const ViewEntryRef& view, size_t position,
                            size_t table_index);
/// Returns for each column of a view whether it can be set; nothing if no row of the view can be changed.
std::vector<bool> UpdatableColumns(const BinderContext& context, const ViewEntryRef& view);

/// Parses the query of a view, in the names that it had when the view was made.
std::vector<ast::StatementPtr> ParseViewQuery(BindSession& session, const ViewEntry& view);

}  // namespace scaup
