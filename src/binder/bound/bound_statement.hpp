// Bound statements: the planner turns some into plans, and the database executes the others directly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "binder/bound/bound_definition.hpp"
#include "binder/bound/bound_modification.hpp"
#include "binder/bound/bound_query.hpp"
#include "binder/bound/bound_statement_kind.hpp"
#include "catalog/catalog.hpp"
#include "common/explain_format.hpp"
#include "common/isolation_level.hpp"
#include "format/copy_target.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Returns true for statements that Planner::Plan accepts; the others are executed directly.
bool HasPlan(const BoundStatement& statement);

struct BoundQueryStatement final : BoundStatement {
  explicit BoundQueryStatement(BoundQueryPtr query_in)
      : BoundStatement(BoundStatementKind::kQuery), query(std::move(query_in)) {}
  BoundQueryPtr query;
};

struct BoundCopyTo final : BoundStatement {
  BoundCopyTo() : BoundStatement(BoundStatementKind::kCopyTo) {}
  CopyTarget target;
  BoundQueryPtr query;
};

struct BoundExplain final : BoundStatement {
  BoundExplain() : BoundStatement(BoundStatementKind::kExplain) {}
  bool analyze = false;
  ExplainFormat format = ExplainFormat::kText;
  BoundStatementPtr statement;  ///< has a plan
};

/// SET VARIABLE and RESET VARIABLE.
struct BoundSetVariable final : BoundStatement {
  BoundSetVariable() : BoundStatement(BoundStatementKind::kSetVariable) {}
  std::string name;
  std::optional<Value> value;  ///< none for RESET
};

struct BoundDiscard final : BoundStatement {
  using Target = ast::DiscardStatement::Target;
  explicit BoundDiscard(Target target_in) : BoundStatement(BoundStatementKind::kDiscard), target(target_in) {}
  Target target;
};

/// SET name = value, of an existing setting. nullopt resets it to the default.
struct BoundSet final : BoundStatement {
  BoundSet() : BoundStatement(BoundStatementKind::kSet) {}
  std::string name;
  std::optional<std::string> value;
  bool is_local = false;  ///< reset when the transaction ends
};

/// BEGIN, COMMIT, ROLLBACK, savepoints, and SET TRANSACTION.
struct BoundTransaction final : BoundStatement {
  BoundTransaction() : BoundStatement(BoundStatementKind::kTransaction) {}
  enum class Action : uint8_t {
    kBegin,  ///< isolation, read_only
    kCommit,
    kRollback,
    kSavepoint,          ///< savepoint
    kRollbackTo,         ///< savepoint
    kRelease,            ///< savepoint
    kSetTransaction,     ///< isolation, read_only: for the current transaction
    kSetSessionDefault,  ///< isolation, read_only: for later transactions of the session
  } action = Action::kBegin;
  std::optional<IsolationLevel> isolation;  ///< nullopt: not given
  std::optional<bool> read_only;            ///< nullopt: not given
  std::string savepoint;
};

struct BoundCheckpoint final : BoundStatement {
  BoundCheckpoint() : BoundStatement(BoundStatementKind::kCheckpoint) {}
};

/// VACUUM and ANALYZE. VACUUM processes the whole database, even if the statement names tables.
struct BoundVacuum final : BoundStatement {
  BoundVacuum() : BoundStatement(BoundStatementKind::kVacuum) {}
  bool vacuum = false;
  bool analyze = false;
  bool materialize = false;
  std::vector<TableEntryRef> tables;  ///< for ANALYZE and MATERIALIZE; empty means all tables
};

struct BoundExportDatabase final : BoundStatement {
  BoundExportDatabase() : BoundStatement(BoundStatementKind::kExportDatabase) {}
  std::string directory;
  CopyFormat format = CopyFormat::kCsv;  ///< of the rows; documents are JSON beside CSV
  std::string extension;                 ///< of the files with rows
  /// Options for COPY TO, and for COPY FROM. Those of text files are written out, so that the files are read
  /// as they were written; the other files say themselves what they are.
  std::vector<std::pair<std::string, std::string>> options, load_options;
  bool is_compressed = false;  ///< text files are gzipped
};

struct BoundImportDatabase final : BoundStatement {
  BoundImportDatabase() : BoundStatement(BoundStatementKind::kImportDatabase) {}
  std::string directory;
};

struct BoundAttach final : BoundStatement {
  BoundAttach() : BoundStatement(BoundStatementKind::kAttach) {}
  std::string path;  ///< ":memory:" for a database in memory
  std::string name;
  bool if_not_exists = false;
  bool read_only = false;
};

struct BoundDetach final : BoundStatement {
  BoundDetach() : BoundStatement(BoundStatementKind::kDetach) {}
  std::string name;  ///< "" if IF EXISTS names a missing one
};

/// USE: the database that names without one mean.
struct BoundUse final : BoundStatement {
  BoundUse() : BoundStatement(BoundStatementKind::kUse) {}
  std::string name;
  std::string schema;  ///< that names without one will mean; "" if only a database was named
};

/// COPY FROM DATABASE: names of two databases.
struct BoundCopyDatabase final : BoundStatement {
  BoundCopyDatabase() : BoundStatement(BoundStatementKind::kCopyDatabase) {}
  std::string source;
  std::string target;
};

}  // namespace scaup
