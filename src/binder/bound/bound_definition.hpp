// Bound statements that define, change and drop tables, schemas, indexes and sequences.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/bound/bound_query.hpp"
#include "binder/bound/bound_statement_kind.hpp"
#include "catalog/catalog.hpp"

namespace scaup {

/// CREATE TABLE, CREATE COLLECTION, and CREATE TABLE AS ... WITH NO DATA. With if_not_exists the table may
/// exist: then there is nothing to do. The catalog makes the indexes of unique constraints with the table.
struct BoundCreateTable final : BoundStatement {
  BoundCreateTable() : BoundStatement(BoundStatementKind::kCreateTable) {}
  std::string schema;
  std::string table;
  bool if_not_exists = false;
  bool is_collection = false;  ///< then the one column is that of the records, but for an element table
  /// The source of an element table; null for any other table.
  struct ElementsOf {
    TableEntryRef collection;
    std::string path;
  } elements_of = {};
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::vector<SequenceEntryRef> sequences;  ///< of SERIAL and identity columns: to be created with it
};

struct BoundCreateTableAs final : BoundStatement {
  BoundCreateTableAs() : BoundStatement(BoundStatementKind::kCreateTableAs) {}
  std::string schema;
  std::string table;
  std::vector<ColumnDefinition> columns;
  BoundQueryPtr query;
};

struct BoundCreateSchema final : BoundStatement {
  BoundCreateSchema() : BoundStatement(BoundStatementKind::kCreateSchema) {}
  std::string name;
  bool if_not_exists = false;
};

/// CREATE INDEX. A null entry: it exists already, there is nothing to do.
struct BoundCreateIndex final : BoundStatement {
  BoundCreateIndex() : BoundStatement(BoundStatementKind::kCreateIndex) {}
  TableEntryRef table;
  IndexEntryRef index;
};

/// ALTER INDEX ... RENAME of one that serves no constraint (else it is an ALTER TABLE). Null: nothing to do.
struct BoundRenameIndex final : BoundStatement {
  BoundRenameIndex() : BoundStatement(BoundStatementKind::kRenameIndex) {}
  IndexEntryRef from;
  IndexEntryRef to;
};

/// A view that is to be replaced, and by what: one that reads something that is renamed.
struct BoundViewChange {
  ViewEntryRef old;
  ViewEntryRef view;
};

/// CREATE [OR REPLACE] VIEW, ALTER VIEW. A null entry: there is nothing to do.
struct BoundCreateView final : BoundStatement {
  BoundCreateView() : BoundStatement(BoundStatementKind::kCreateView) {}
  ViewEntryRef old;  ///< that is replaced; null if there is none
  ViewEntryRef view;
  std::vector<BoundViewChange> readers;  ///< to be replaced before
};

/// CREATE SEQUENCE. A null entry: it exists already, there is nothing to do.
struct BoundCreateSequence final : BoundStatement {
  BoundCreateSequence() : BoundStatement(BoundStatementKind::kCreateSequence) {}
  SequenceEntryRef sequence;
};

/// ALTER SEQUENCE, for Catalog::ReplaceSequence. Null: IF EXISTS of one that is not there.
struct BoundAlterSequence final : BoundStatement {
  BoundAlterSequence() : BoundStatement(BoundStatementKind::kAlterSequence) {}
  SequenceEntryRef old;
  SequenceEntryRef sequence;
};

/// CREATE TYPE ... AS ENUM.
struct BoundCreateType final : BoundStatement {
  BoundCreateType() : BoundStatement(BoundStatementKind::kCreateType) {}
  TypeEntryRef type;
};

/// ALTER TABLE: all actions folded into one new definition, for Catalog::ReplaceTable. A null table: IF
/// EXISTS of one that is not there.
///
/// `rows` yields the rows of the table as they will be: column i is column i of the new definition. If
/// rewrites is false they are what they were, and the storage stays; else a new one takes them. What is
/// listed as new has to hold for them (checked before the table is replaced).
struct BoundAlterTable final : BoundStatement {
  BoundAlterTable() : BoundStatement(BoundStatementKind::kAlterTable) {}
  TableEntryRef table;
  std::string schema;
  std::string name;
  std::vector<ColumnDefinition> columns;
  TableConstraints constraints;
  std::vector<std::pair<std::string, std::string>> renamed_columns;  ///< from, to
  bool cascade = false;
  std::vector<BoundViewChange> readers;             ///< to be replaced before
  std::vector<SequenceEntryRef> new_sequences;      ///< to be created
  std::vector<SequenceEntryRef> dropped_sequences;  ///< of identities that are dropped
  BoundQueryPtr rows;
  bool rewrites = false;
  // What has to hold for `rows`.
  std::vector<size_t> new_not_null;           ///< columns of the new definition
  std::vector<BoundCheck> new_checks;         ///< over {rows->table_index, i}
  std::vector<std::string> new_uniques;       ///< names of unique constraints whose indexes are to be built
  std::vector<std::string> new_foreign_keys;  ///< names of foreign keys
};

/// ALTER TYPE, for Catalog::ReplaceType. Null: there is nothing to do.
struct BoundAlterType final : BoundStatement {
  BoundAlterType() : BoundStatement(BoundStatementKind::kAlterType) {}
  TypeEntryRef old;
  TypeEntryRef type;
  /// Changes of tables that use the type: new rows where labels moved, defaults that name another label. Each
  /// `table` is what it was before.
  std::vector<std::unique_ptr<BoundAlterTable>> tables;
  bool takes_name = false;  ///< a name is gone, of the type or a label, which texts of the catalog may use
};

/// All names exist; those that do not were refused or, with IF EXISTS, left out.
struct BoundDrop final : BoundStatement {
  BoundDrop() : BoundStatement(BoundStatementKind::kDrop) {}
  bool is_schema = false;
  std::vector<std::pair<std::string, std::string>> tables;  ///< schema, name
  std::vector<TableEntryRef> table_entries;                 ///< the same, for Catalog::DropTables
  std::vector<std::string> schemas;
  std::vector<IndexEntryRef> indexes;
  std::vector<SequenceEntryRef> sequences;
  std::vector<ViewEntryRef> views;
  std::vector<TypeEntryRef> types;
  bool cascade = false;
};

/// COMMENT ON of something that exists.
struct BoundComment final : BoundStatement {
  BoundComment() : BoundStatement(BoundStatementKind::kComment) {}
  CommentTarget target;
  std::string comment;  ///< "": none any more
};

}  // namespace scaup
