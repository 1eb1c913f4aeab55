// Bound statements that define, change and drop tables, schemas, indexes and sequences.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/bound/bound_query.hpp"
#include "binder/bound/bound_statement_kind.hpp"
#include "catalog/catalog_entry.hpp"
#include "catalog/comment_target.hpp"
#include "catalog/function_entry.hpp"

namespace scaup {

/// CREATE TABLE, CREATE COLLECTION, and CREATE TABLE AS ... WITH NO DATA. If `if_not_exists` is set and the
/// table exists, nothing is done. The catalog creates the indexes of unique constraints together with the
/// table.
struct BoundCreateTable final : BoundStatement {
  BoundCreateTable() : BoundStatement(BoundStatementKind::kCreateTable) {}
  std::string schema;
  std::string table;
  bool if_not_exists = false;
  bool or_replace = false;  ///< drops the table of this name first, if there is one
  CommitAction on_commit = CommitAction::kPreserveRows;
  Materialization materialization = Materialization::kNone;
  bool is_collection = false;  ///< its only column is the record, except in an element table
  /// The collection and path that an element table is made from; `collection` is null for any other table.
  struct ElementsOf {
    TableEntryRef collection;
    std::string path;
  } elements_of = {};
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::vector<IndexEntryRef> indexes;       ///< for LIKE ... INCLUDING INDEXES; created after the table
  std::vector<SequenceEntryRef> sequences;  ///< for SERIAL and identity columns; created with the table
};

struct BoundCreateTableAs final : BoundStatement {
  BoundCreateTableAs() : BoundStatement(BoundStatementKind::kCreateTableAs) {}
  std::string schema;
  std::string table;
  bool or_replace = false;  ///< drops the table of this name first, if there is one
  CommitAction on_commit = CommitAction::kPreserveRows;
  std::vector<ColumnDefinition> columns;
  BoundQueryPtr query;
};

/// CREATE, ALTER and COMMENT ON of a function. If `function` is null, nothing is done.
struct BoundCreateFunction final : BoundStatement {
  BoundCreateFunction() : BoundStatement(BoundStatementKind::kCreateFunction) {}
  FunctionEntryRef old;  ///< the function that is replaced; null if there is none
  FunctionEntryRef function;
  bool takes_name = false;  ///< it gets another name or schema
};

struct BoundDropFunction final : BoundStatement {
  BoundDropFunction() : BoundStatement(BoundStatementKind::kDropFunction) {}
  std::vector<FunctionEntryRef> functions;
  bool cascade = false;
};

struct BoundCreateSchema final : BoundStatement {
  BoundCreateSchema() : BoundStatement(BoundStatementKind::kCreateSchema) {}
  std::string name;
  bool if_not_exists = false;
};

/// ALTER INDEX ... RENAME of an index that serves no constraint (renaming a constraint's index is an ALTER
/// TABLE). If `from` is null, nothing is done.
struct BoundRenameIndex final : BoundStatement {
  BoundRenameIndex() : BoundStatement(BoundStatementKind::kRenameIndex) {}
  IndexEntryRef from;
  IndexEntryRef to;
};

/// ALTER SCHEMA ... RENAME TO: what is in the schema moves into a new one.
struct BoundRenameSchema final : BoundStatement {
  BoundRenameSchema() : BoundStatement(BoundStatementKind::kRenameSchema) {}
  std::string from;
  std::string to;
};

/// A view and its new version. Used when something that the view reads is renamed.
struct BoundViewChange {
  ViewEntryRef old;
  ViewEntryRef view;
};

/// CREATE SEQUENCE. If `sequence` is null, the sequence exists already and nothing is done.
struct BoundCreateSequence final : BoundStatement {
  BoundCreateSequence() : BoundStatement(BoundStatementKind::kCreateSequence) {}
  SequenceEntryRef sequence;
};

/// ALTER SEQUENCE, for ReplaceSequence. If `old` is null, IF EXISTS named a missing sequence.
struct BoundAlterSequence final : BoundStatement {
  BoundAlterSequence() : BoundStatement(BoundStatementKind::kAlterSequence) {}
  SequenceEntryRef old;
  SequenceEntryRef sequence;
  /// A table and its new version, whose defaults name the sequence as it is called now.
  struct TableChange {
    TableEntryRef old;
    TableEntryRef table;
  };
  std::vector<TableChange> tables;
  std::vector<BoundViewChange> views;
};

/// CREATE TYPE ... AS ENUM.
struct BoundCreateType final : BoundStatement {
  BoundCreateType() : BoundStatement(BoundStatementKind::kCreateType) {}
  TypeEntryRef type;
};

/// CREATE DOMAIN.
struct BoundCreateDomain final : BoundStatement {
  BoundCreateDomain() : BoundStatement(BoundStatementKind::kCreateDomain) {}
  DomainEntryRef domain;
};

/// ALTER DOMAIN, for ReplaceDomain. If `old` is null, nothing is done.
struct BoundAlterDomain final : BoundStatement {
  BoundAlterDomain() : BoundStatement(BoundStatementKind::kAlterDomain) {}
  DomainEntryRef old;
  DomainEntryRef domain;
  /// A query of the rows that break a new rule; a row of it is an error.
  struct Search {
    TableEntryRef table;
    std::string sql;
    const char* state;
    std::string message;
  };
  std::vector<Search> searches;
  bool takes_name = false;  ///< the name disappears; texts in the catalog may use it
};

/// ALTER TABLE: all actions combined into one new definition, for ReplaceTable. If `table` is null,
/// IF EXISTS named a missing table.
///
/// The query `rows` yields the table's rows as they will be: its column i is column i of the new definition.
/// If `rewrites` is false, the rows do not change and the storage is reused; otherwise they are written to a
/// new storage. The conditions listed in the members new_... are checked against `rows` before the table is
/// replaced.
struct BoundAlterTable final : BoundStatement {
  BoundAlterTable() : BoundStatement(BoundStatementKind::kAlterTable) {}
  TableEntryRef table;
  std::string schema;
  std::string name;
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::vector<std::pair<std::string, std::string>> renamed_columns;  ///< from, to
  bool cascade = false;
  std::vector<BoundViewChange> readers;             ///< views that read the table; replaced first
  std::vector<SequenceEntryRef> new_sequences;      ///< to be created
  std::vector<SequenceEntryRef> dropped_sequences;  ///< sequences of dropped identity columns
  BoundQueryPtr rows;
  bool rewrites = false;
  Materialization materialization = Materialization::kNone;  ///< afterwards
  // Conditions that `rows` has to satisfy.
  std::vector<size_t> new_not_null;           ///< columns of the new definition
  std::vector<BoundCheck> new_checks;         ///< over {rows->table_index, i}
  std::vector<std::string> new_uniques;       ///< names of unique constraints whose indexes must be built
  std::vector<std::string> new_foreign_keys;  ///< names of foreign keys
  bool adds_not_valid = false;                ///< rules that only rows to come must follow
};

/// CREATE [OR REPLACE] VIEW and ALTER VIEW. If `view` is null, nothing is done.
struct BoundCreateView final : BoundStatement {
  BoundCreateView() : BoundStatement(BoundStatementKind::kCreateView) {}
  ViewEntryRef old;  ///< the view to be replaced; null if there is none
  ViewEntryRef view;
  std::vector<BoundViewChange> readers;  ///< views that read it; replaced first
  /// The table of a materialized view, whose query `view` is, and the change that fills it, null for WITH NO
  /// DATA.
  std::unique_ptr<BoundCreateTable> table;
  std::unique_ptr<BoundAlterTable> fill;
};

/// REFRESH MATERIALIZED VIEW: the rows of `table` become those of its query.
struct BoundRefresh final : BoundStatement {
  BoundRefresh() : BoundStatement(BoundStatementKind::kRefresh) {}
  std::unique_ptr<BoundAlterTable> fill;
};

/// CREATE INDEX. If `index` is null, the index exists already and nothing is done.
struct BoundCreateIndex final : BoundStatement {
  BoundCreateIndex() : BoundStatement(BoundStatementKind::kCreateIndex) {}
  TableEntryRef table;
  IndexEntryRef index;
  /// Adds the hidden columns that the index is over; null if it needs none.
  std::unique_ptr<BoundAlterTable> alter;
};

/// ALTER TYPE, for ReplaceType. If `old` is null, nothing is done.
struct BoundAlterType final : BoundStatement {
  BoundAlterType() : BoundStatement(BoundStatementKind::kAlterType) {}
  TypeEntryRef old;
  TypeEntryRef type;
  /// Changes to the tables that use the type: rewritten rows if labels moved, and new texts for defaults that
  /// name a renamed label. Each `table` is the entry before the change.
  std::vector<std::unique_ptr<BoundAlterTable>> tables;
  bool takes_name = false;  ///< the name of the type or of a label disappears; texts in the catalog may use
                            ///< it
};

/// DROP. Every name exists: a missing one was refused or, with IF EXISTS, skipped.
struct BoundDrop final : BoundStatement {
  BoundDrop() : BoundStatement(BoundStatementKind::kDrop) {}
  bool is_schema = false;
  std::vector<std::pair<std::string, std::string>> tables;  ///< schema, name
  std::vector<TableEntryRef> table_entries;                 ///< entries of `tables`, for DropTables
  std::vector<std::string> schemas;
  std::vector<IndexEntryRef> indexes;
  /// Changes of tables whose hidden columns served the indexes alone. Each `table` is the entry before.
  std::vector<std::unique_ptr<BoundAlterTable>> alters;
  std::vector<SequenceEntryRef> sequences;
  std::vector<ViewEntryRef> views;
  std::vector<TypeEntryRef> types;
  std::vector<DomainEntryRef> domains;
  bool cascade = false;
};

/// COMMENT ON an existing object.
struct BoundComment final : BoundStatement {
  BoundComment() : BoundStatement(BoundStatementKind::kComment) {}
  CommentTarget target;
  std::string comment;  ///< "" removes the comment
};

}  // namespace scaup
