// Bound statements: what the planner turns into plans and what the database executes directly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "binder/bound_query.hpp"
#include "catalog/catalog.hpp"

namespace scaup {

enum class BoundStatementKind : uint8_t {
  kQuery,   ///< SELECT, VALUES, and SHOW and DESCRIBE, which are bound to VALUES
  kInsert,  ///< INSERT and COPY FROM
  kCreateTable,
  kCreateTableAs,
  kCreateSchema,
  kDrop,
  kCopyTo,
  kExplain,
  kSet,
  kTransaction,
  kCheckpoint,
  kVacuum,
  kExportDatabase,
  kImportDatabase,
};

/// The result of binding. Owned by the caller; independent of the syntax tree.
struct BoundStatement {
  explicit BoundStatement(BoundStatementKind kind_in) : kind(kind_in) {}
  virtual ~BoundStatement() = default;
  BoundStatementKind kind;
  /// All table indexes in the statement are below this.
  size_t next_table_index = 0;
  template <typename T>
  T& As() {
    return static_cast<T&>(*this);
  }
  template <typename T>
  const T& As() const {
    return static_cast<const T&>(*this);
  }
};
using BoundStatementPtr = std::unique_ptr<BoundStatement>;

/// True for the statements that Planner::Plan takes; the others are executed from what is bound.
bool HasPlan(const BoundStatement& statement);

struct BoundQueryStatement final : BoundStatement {
  explicit BoundQueryStatement(BoundQueryPtr query_in)
      : BoundStatement(BoundStatementKind::kQuery), query(std::move(query_in)) {}
  BoundQueryPtr query;
};

/// INSERT INTO table, COPY table FROM.
struct BoundInsert final : BoundStatement {
  BoundInsert() : BoundStatement(BoundStatementKind::kInsert) {}
  TableEntryRef table;
  BoundTableRefPtr source;  ///< null for DEFAULT VALUES: one row
  std::vector<ExpressionPtr>
      values;  ///< one for each column of the table, of its type, over the source's columns
};

/// CREATE TABLE, and CREATE TABLE AS ... WITH NO DATA. With if_not_exists the table may exist: then there is
/// nothing to do.
struct BoundCreateTable final : BoundStatement {
  BoundCreateTable() : BoundStatement(BoundStatementKind::kCreateTable) {}
  std::string schema;
  std::string table;
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
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

/// All names exist; those that do not were refused or, with IF EXISTS, left out.
struct BoundDrop final : BoundStatement {
  BoundDrop() : BoundStatement(BoundStatementKind::kDrop) {}
  bool is_schema = false;
  std::vector<std::pair<std::string, std::string>> tables;  ///< schema, name
  std::vector<std::string> schemas;
  bool cascade = false;
};

struct BoundCopyTo final : BoundStatement {
  BoundCopyTo() : BoundStatement(BoundStatementKind::kCopyTo) {}
  std::string path;
  std::vector<std::pair<std::string, std::string>>
      options;  ///< checked by ParseCsvOptions; "true" where no value is given
  BoundQueryPtr query;
};

struct BoundExplain final : BoundStatement {
  BoundExplain() : BoundStatement(BoundStatementKind::kExplain) {}
  bool analyze = false;
  BoundStatementPtr statement;  ///< one that has a plan
};

/// SET name = value; nullopt: back to the default. The setting exists.
struct BoundSet final : BoundStatement {
  BoundSet() : BoundStatement(BoundStatementKind::kSet) {}
  std::string name;
  std::optional<std::string> value;
};

struct BoundTransaction final : BoundStatement {
  BoundTransaction() : BoundStatement(BoundStatementKind::kTransaction) {}
  enum class Action : uint8_t { kBegin, kCommit, kRollback } action = Action::kBegin;
};

struct BoundCheckpoint final : BoundStatement {
  BoundCheckpoint() : BoundStatement(BoundStatementKind::kCheckpoint) {}
};

/// VACUUM and ANALYZE of all tables, or of some that exist: both look after the whole database.
struct BoundVacuum final : BoundStatement {
  BoundVacuum() : BoundStatement(BoundStatementKind::kVacuum) {}
  bool vacuum = false;  ///< false: ANALYZE alone, which has nothing to do, as statistics are always kept
};

struct BoundExportDatabase final : BoundStatement {
  BoundExportDatabase() : BoundStatement(BoundStatementKind::kExportDatabase) {}
  std::string directory;
  /// Of COPY, both to and from: complete, so that the files are read as they were written.
  std::vector<std::pair<std::string, std::string>> options;
  bool is_compressed = false;
};

struct BoundImportDatabase final : BoundStatement {
  BoundImportDatabase() : BoundStatement(BoundStatementKind::kImportDatabase) {}
  std::string directory;
};

}  // namespace scaup
