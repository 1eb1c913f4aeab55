// Bound statements: what the planner turns into plans and what the database executes directly.
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

namespace scaup {

/// True for the statements that Planner::Plan takes; the others are executed from what is bound.
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
  BoundStatementPtr statement;  ///< one that has a plan
};

/// SET name = value; nullopt: back to the default. The setting exists.
struct BoundSet final : BoundStatement {
  BoundSet() : BoundStatement(BoundStatementKind::kSet) {}
  std::string name;
  std::optional<std::string> value;
  bool is_local = false;  ///< until the transaction ends
};

/// BEGIN and what ends it, savepoints, and the modes of transactions.
struct BoundTransaction final : BoundStatement {
  BoundTransaction() : BoundStatement(BoundStatementKind::kTransaction) {}
  enum class Action : uint8_t {
    kBegin,  ///< isolation, read_only
    kCommit,
    kRollback,
    kSavepoint,          ///< savepoint
    kRollbackTo,         ///< savepoint
    kRelease,            ///< savepoint
    kSetTransaction,     ///< isolation, read_only: of the transaction that runs
    kSetSessionDefault,  ///< isolation, read_only: of those that the session begins later
  } action = Action::kBegin;
  std::optional<IsolationLevel> isolation;  ///< nullopt: not said
  std::optional<bool> read_only;            ///< nullopt: not said
  std::string savepoint;
};

struct BoundCheckpoint final : BoundStatement {
  BoundCheckpoint() : BoundStatement(BoundStatementKind::kCheckpoint) {}
};

/// VACUUM and ANALYZE. VACUUM looks after the whole database, also where it is asked for some tables.
struct BoundVacuum final : BoundStatement {
  BoundVacuum() : BoundStatement(BoundStatementKind::kVacuum) {}
  bool vacuum = false;
  bool analyze = false;
  bool materialize = false;
  std::vector<TableEntryRef> tables;  ///< for ANALYZE and MATERIALIZE; none: all
};

struct BoundExportDatabase final : BoundStatement {
  BoundExportDatabase() : BoundStatement(BoundStatementKind::kExportDatabase) {}
  std::string directory;
  /// Options of COPY, both to and from: complete, so that the files are read as they were written.
  std::vector<std::pair<std::string, std::string>> options;
  bool is_compressed = false;
};

struct BoundImportDatabase final : BoundStatement {
  BoundImportDatabase() : BoundStatement(BoundStatementKind::kImportDatabase) {}
  std::string directory;
};

}  // namespace scaup
