// A table's definition while CREATE TABLE or ALTER TABLE makes it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "catalog/catalog.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Columns, constraints and sequences that belong together. All names are checked, those that the user did
/// not give are made as PostgreSQL makes them. Throws Error with positions. Borrows the session.
class TableDraft {
 public:
  TableDraft(BindSession& session, std::string schema_in, std::string name_in)
      : schema(std::move(schema_in)), name(std::move(name_in)), session_(session) {}

  std::string schema;
  std::string name;
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::vector<SequenceEntryRef> sequences;  ///< to be created

  /// Its generation expression is checked by CheckColumn, once all columns are there.
  void AddColumn(const ast::ColumnDefinition& column);
  void CheckColumn(const ast::ColumnDefinition& column) const;
  void AddIdentity(ColumnDefinition& column, ast::Identity identity, const ast::SequenceOptions& options,
                   size_t position);
  /// Returns the constraint's name.
  std::string AddConstraint(const ast::TableConstraint& constraint);

  /// Whether a unique constraint is over just these columns, in whatever order.
  bool HasKey(const std::vector<std::string>& key) const;
  /// Throws 42703.
  size_t FindColumn(std::string_view column, size_t position) const;
  /// As an entry without storage, to bind expressions over.
  TableEntry AsEntry() const { return {schema, name, columns, nullptr, constraints}; }
  /// The default of a column: bound, and forgotten. `position` is for errors.
  void CheckDefault(const ColumnDefinition& column, size_t position) const;
  /// Claims the name of a relation of the schema. Throws 42P07.
  void ClaimRelationName(const std::string& relation, size_t position);

 private:
  std::string FreeRelationName(const std::string& base);
  std::string ConstraintName(const ast::TableConstraint& constraint, const std::vector<std::string>& columns,
                             std::string_view suffix, bool is_relation);
  void AddSequence(ColumnDefinition& column, const ast::SequenceOptions& options, size_t position);
  std::string AddCheck(const ast::TableConstraint& constraint);
  std::string AddForeignKey(const ast::TableConstraint& constraint);
  void CheckKey(const ast::TableConstraint& constraint, const char* what) const;

  BindSession& session_;
  std::set<std::string> claimed_;  // Names of relations that the statement makes.
};

/// The complete options of a sequence; `type` where the options name none. 22023 for options that do not fit
/// together.
SequenceOptions BindSequenceOptions(const ast::SequenceOptions& syntax, const SequenceOptions* old,
                                    SequenceOptions::Type type);
/// The type of a sequence over a column or AS; 22023 for other types than the integers.
SequenceOptions::Type SequenceTypeOf(const LogicalType& type, const char* what, size_t position);

}  // namespace scaup
