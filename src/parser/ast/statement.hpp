// Syntax trees of statements other than queries, changes of data, and definitions.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/isolation_level.hpp"
#include "parser/ast/definition.hpp"
#include "parser/ast/modification.hpp"
#include "parser/ast/query.hpp"

namespace scaup::ast {

/// An option as written, with its name in lower case: FORMAT csv, HEADER true, DELIMITER '|', NULL '', ...
struct CopyOption {
  std::string name;
  std::string value;  ///< "" if the option has no value
  bool has_value = false;
  std::vector<std::string> values;  ///< values of a list: FORCE_QUOTE (a, b)
  size_t position = 0;
};

struct CopyStatement final : Statement {
  CopyStatement() : Statement(StatementKind::kCopy) {}
  bool is_from = false;
  NamedTable table;  ///< unless query is set
  std::vector<std::string> columns;
  std::unique_ptr<SelectStatement> query;  ///< COPY (SELECT ...) TO
  std::string path;
  bool is_stream = false;  ///< FROM STDIN, TO STDOUT; it has no path
  std::string query_text;  ///< SQL text of query
  size_t query_position = 0;
  std::vector<CopyOption> options;
};

struct ExplainStatement final : Statement {
  ExplainStatement() : Statement(StatementKind::kExplain) {}
  bool analyze = false;
  std::string format = "text";
  StatementPtr statement;
};

/// SET name = value, RESET name, RESET ALL (name "all")
struct SetStatement final : Statement {
  SetStatement() : Statement(StatementKind::kSet) {}
  std::string name;
  std::optional<std::string> value;  ///< nullopt for RESET and DEFAULT
  bool is_local = false;             ///< SET LOCAL: until the transaction ends
};

/// SET VARIABLE and RESET VARIABLE.
struct SetVariableStatement final : Statement {
  SetVariableStatement() : Statement(StatementKind::kSetVariable) {}
  std::string name;
  std::unique_ptr<SelectStatement> query;  ///< gives the value; null for RESET
};

/// SHOW name, SHOW TABLES, SHOW ALL
struct ShowStatement final : Statement {
  ShowStatement() : Statement(StatementKind::kShow) {}
  std::string name;
};

/// DESCRIBE t, DESCRIBE SELECT .... SUMMARIZE becomes a PragmaStatement.
struct DescribeStatement final : Statement {
  DescribeStatement() : Statement(StatementKind::kDescribe) {}
  std::unique_ptr<SelectStatement> query;  ///< DESCRIBE t is DESCRIBE SELECT * FROM t
};

/// BEGIN, COMMIT, ROLLBACK, savepoints, SET TRANSACTION, SET SESSION CHARACTERISTICS AS TRANSACTION.
struct TransactionStatement final : Statement {
  TransactionStatement() : Statement(StatementKind::kTransaction) {}
  enum class Action : uint8_t {
    kBegin,
    kCommit,
    kRollback,
    kSavepoint,
    kRollbackTo,
    kRelease,
    kSetTransaction,     ///< modes of the current transaction
    kSetSessionDefault,  ///< modes of later transactions
  } action = Action::kBegin;
  std::optional<IsolationLevel> isolation;  ///< nullopt: not given
  std::optional<bool> read_only;
  std::string savepoint;
};

/// PREPARE name [(types)] AS statement. Parameters belong to the inner statement.
struct PrepareStatement final : Statement {
  PrepareStatement() : Statement(StatementKind::kPrepare) {}
  std::string name;
  std::vector<TypeName> types;
  StatementPtr statement;
  std::string text;  ///< the whole text of PREPARE
};

/// EXECUTE name [(arguments)]
struct ExecuteStatement final : Statement {
  ExecuteStatement() : Statement(StatementKind::kExecute) {}
  std::string name;
  size_t name_position = 0;
  std::vector<ExpressionPtr> arguments;
};

/// DEALLOCATE [PREPARE] name | ALL
struct DeallocateStatement final : Statement {
  DeallocateStatement() : Statement(StatementKind::kDeallocate) {}
  std::string name;  ///< "": all
  size_t name_position = 0;
};

/// DECLARE name CURSOR FOR query. BINARY, INSENSITIVE and ASENSITIVE change nothing.
struct DeclareCursorStatement final : Statement {
  DeclareCursorStatement() : Statement(StatementKind::kDeclareCursor) {}
  std::string name;
  size_t name_position = 0;
  bool no_scroll = false;
  bool with_hold = false;
  bool is_binary = false;
  std::unique_ptr<SelectStatement> query;
  std::string text;  ///< the whole text of DECLARE
};

/// FETCH and MOVE, with the direction and the name of a cursor.
struct FetchStatement final : Statement {
  /// NEXT is forward by one, FIRST is absolute 1, LAST absolute -1.
  enum class Direction { kForward, kBackward, kAbsolute, kRelative };
  /// The count of ALL.
  static constexpr int64_t kAll = INT64_MAX;
  FetchStatement() : Statement(StatementKind::kFetch) {}
  bool is_move = false;
  Direction direction = Direction::kForward;
  int64_t count = 1;
  std::string name;
  size_t name_position = 0;
};

/// CLOSE name | ALL
struct CloseCursorStatement final : Statement {
  CloseCursorStatement() : Statement(StatementKind::kCloseCursor) {}
  std::string name;  ///< "": all
  size_t name_position = 0;
};

/// DISCARD, and UNLISTEN, which has nothing to end.
struct DiscardStatement final : Statement {
  enum class Target : uint8_t { kAll, kPlans, kSequences, kTemporary, kListening };
  DiscardStatement() : Statement(StatementKind::kDiscard) {}
  Target target = Target::kAll;
};

/// PRAGMA name, PRAGMA name = value, PRAGMA name('argument')
struct PragmaStatement final : Statement {
  PragmaStatement() : Statement(StatementKind::kPragma) {}
  std::string name;
  std::vector<std::string> arguments;
};

struct CheckpointStatement final : Statement {
  CheckpointStatement() : Statement(StatementKind::kCheckpoint) {}
};

/// A table of VACUUM or ANALYZE, and the columns given for ANALYZE.
struct VacuumTarget {
  NamedTable table;
  std::vector<std::string> columns;
};

/// VACUUM, ANALYZE and MATERIALIZE; the last may also be written VACUUM (MATERIALIZE). VERBOSE is accepted
/// and has no effect.
struct VacuumStatement final : Statement {
  VacuumStatement() : Statement(StatementKind::kVacuum) {}
  bool vacuum = false;
  bool analyze = false;
  bool full = false;
  bool materialize = false;
  std::vector<VacuumTarget> targets;  ///< empty: all tables
};

/// EXPORT DATABASE 'directory' (options)
struct ExportDatabaseStatement final : Statement {
  ExportDatabaseStatement() : Statement(StatementKind::kExportDatabase) {}
  std::string directory;
  std::vector<CopyOption> options;
};

/// IMPORT DATABASE 'directory'
struct ImportDatabaseStatement final : Statement {
  ImportDatabaseStatement() : Statement(StatementKind::kImportDatabase) {}
  std::string directory;
};

/// ATTACH [DATABASE] [IF NOT EXISTS] 'path' [AS name] [(options)]
struct AttachStatement final : Statement {
  AttachStatement() : Statement(StatementKind::kAttach) {}
  std::string path;
  std::string name;  ///< "" if not given
  bool if_not_exists = false;
  std::vector<CopyOption> options;
};

/// DETACH [DATABASE] [IF EXISTS] name
struct DetachStatement final : Statement {
  DetachStatement() : Statement(StatementKind::kDetach) {}
  std::string name;
  bool if_exists = false;
};

/// USE name, USE database.schema
struct UseStatement final : Statement {
  UseStatement() : Statement(StatementKind::kUse) {}
  NamedTable name;  ///< with the database as its schema, if both are given
};

/// COPY FROM DATABASE source TO target
struct CopyDatabaseStatement final : Statement {
  CopyDatabaseStatement() : Statement(StatementKind::kCopyDatabase) {}
  NamedTable source;
  NamedTable target;
};

}  // namespace scaup::ast
