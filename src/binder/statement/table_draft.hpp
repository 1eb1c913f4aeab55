// A table's definition while CREATE TABLE or ALTER TABLE builds it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "catalog/catalog.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Columns, constraints and sequences of one table. Checks all names, and generates those not given as
/// PostgreSQL does. Throws Error with positions. Borrows the session.
class TableDraft {
 public:
  TableDraft(BindSession& session, std::string schema_in, std::string name_in)
      : schema(std::move(schema_in)), name(std::move(name_in)), session_(session) {}

  std::string schema;
  std::string name;
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::vector<SequenceEntryRef> sequences;  ///< to be created
  std::vector<IndexEntryRef> indexes;       ///< to be created
  CommitAction on_commit = CommitAction::kPreserveRows;
  /// CREATE OR REPLACE TABLE drops the table of this name first, so that its names are free.
  bool replaces = false;

  /// Adds a column. CheckColumn checks its generation expression later, when all columns are known.
  void AddColumn(const ast::ColumnDefinition& column);
  void CheckColumn(const ast::ColumnDefinition& column) const;
  /// Adds the columns of another table, view or collection, for LIKE. AddLikedRules adds the constraints and
  /// indexes later, when all columns are known.
  void AddLikedColumns(const ast::LikeClause& like);
  void AddLikedRules(const ast::LikeClause& like);
  void AddIdentity(ColumnDefinition& column, ast::Identity identity, const ast::SequenceOptions& options,
                   size_t position);
  /// Adds a constraint and returns its name.
  std::string AddConstraint(const ast::TableConstraint& constraint);

  /// Returns whether a unique constraint that foreign keys may refer to covers exactly these columns, in any
  /// order.
  bool HasKey(const std::vector<std::string>& key) const;
  /// Returns the position of a column. Throws 42703.
  size_t FindColumn(std::string_view column, size_t position) const;
  /// Returns an entry without storage, to bind expressions over.
  TableEntry AsEntry() const { return {schema, name, columns, nullptr, constraints}; }
  /// Binds the default of a column to check it, and discards the result. `position` is for errors.
  void CheckDefault(const ColumnDefinition& column, size_t position) const;
  /// Throws 42P01 if the default names a sequence that neither exists nor is created with the table.
  void CheckSequencesOf(const ColumnDefinition& column, size_t position) const;
  /// Claims the name of a relation in the schema. Throws 42P07.
  void ClaimRelationName(const std::string& relation, size_t position);

 private:
  /// Returns whether a relation has this name that the statement does not drop.
  bool IsTaken(const std::string& relation) const;
  std::string FreeRelationName(const std::string& base);
  std::string ConstraintName(const ast::TableConstraint& constraint, const std::vector<std::string>& columns,
                             std::string_view suffix, bool is_relation);
  std::string SequenceNameFor(const ColumnDefinition& column, const ast::SequenceOptions& options);
  void AddSequence(ColumnDefinition& column, const ast::SequenceOptions& options, size_t position);
  /// Adds the sequence of a column, and makes its values the column's default.
  void AddSequence(ColumnDefinition& column, const SequenceOptions& options,
                   const std::string& sequence_name);
  void AddLikedColumn(const ast::LikeClause& like, const TableEntry& table, const ColumnDefinition& column);
  void RefuseSecond(const std::string& column, size_t position) const;
  std::string AddCheck(const ast::TableConstraint& constraint);
  std::string AddForeignKey(const ast::TableConstraint& constraint);
  /// Throws 42P16 or 0A000 if a foreign key would outlive the rows or the table that it refers to.
  void CheckLifetimes(const TableEntry& referenced, size_t position) const;
  void CheckKey(const ast::TableConstraint& constraint, const char* what) const;

  BindSession& session_;
  std::set<std::string> claimed_;  // names of relations that the statement creates
};

/// Sets the name and the generation expression of a hidden column, from its key and condition. The name is
/// none of those of `others`.
void CompleteHidden(ColumnDefinition& hidden, const std::vector<ColumnDefinition>& others);

/// Adds the hidden columns that an index over a key needs for texts which are equal though they differ.
/// Throws 0A000 for a generated column.
void AddCollationKeys(std::vector<ColumnDefinition>& columns, const std::vector<std::string>& key,
                      size_t position);

/// Returns the complete options of a sequence. If `syntax` gives no type, it is `type`. Throws 22023 for
/// options that contradict each other.
SequenceOptions BindSequenceOptions(const ast::SequenceOptions& syntax, const SequenceOptions* old,
                                    SequenceOptions::Type type);
/// Returns the sequence type for a column's type or AS. Throws 22023 for types other than the integers.
SequenceOptions::Type SequenceTypeOf(const LogicalType& type, const char* what, size_t position);

}  // namespace scaup
