// The parser's statements.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "parser/ast/expression.hpp"

namespace scaup::ast {

enum class StatementKind : uint8_t {
  kSelect,
  kInsert,
  kCreateTable,
  kCreateSchema,
  kDrop,
  kCopy,
  kExplain,
  kSet,
  kShow,
  kDescribe,
  kTransaction,
  kPragma,
  kCheckpoint,
  kVacuum,
  kExportDatabase,
  kImportDatabase
};

struct Statement {
  explicit Statement(StatementKind kind_in) : kind(kind_in) {}
  virtual ~Statement() = default;
  StatementKind kind;
  /// Where the statement's text begins in the whole, and how long it is.
  size_t position = 0;
  size_t length = 0;
  size_t parameter_count = 0;
  template <typename T>
  const T& As() const {
    return static_cast<const T&>(*this);
  }
};
using StatementPtr = std::unique_ptr<Statement>;

// --- FROM
// ----------------------------------------------------------------------------------------------------------

enum class TableRefKind : uint8_t { kTable, kJoin, kSubquery, kFunction };

struct TableRef {
  explicit TableRef(TableRefKind kind_in) : kind(kind_in) {}
  virtual ~TableRef() = default;
  TableRefKind kind;
  size_t position = 0;
  std::string alias;  ///< "" if none
  std::vector<std::string> column_aliases;
  template <typename T>
  const T& As() const {
    return static_cast<const T&>(*this);
  }
};
using TableRefPtr = std::unique_ptr<TableRef>;

struct NamedTable final : TableRef {
  NamedTable() : TableRef(TableRefKind::kTable) {}
  std::string schema;  ///< "" if not given
  std::string name;    ///< as written when quoted, else lower case
};

enum class JoinType : uint8_t { kInner, kLeft, kRight, kFull, kCross };

struct Join final : TableRef {
  Join() : TableRef(TableRefKind::kJoin) {}
  JoinType join = JoinType::kInner;
  bool natural = false;
  TableRefPtr left;
  TableRefPtr right;
  ExpressionPtr condition;                 ///< ON
  std::vector<std::string> using_columns;  ///< USING
};

struct SubqueryTable final : TableRef {
  SubqueryTable() : TableRef(TableRefKind::kSubquery) {}
  ~SubqueryTable() override;
  std::unique_ptr<SelectStatement> query;
  bool lateral = false;
};

struct FunctionTable final : TableRef {
  FunctionTable() : TableRef(TableRefKind::kFunction) {}
  std::unique_ptr<FunctionCall> call;
  bool lateral = false;
  bool with_ordinality = false;
};

// --- SELECT
// --------------------------------------------------------------------------------------------------------

struct SelectItem {
  ExpressionPtr expression;
  std::string alias;  ///< "" if none
};

enum class SetOperation : uint8_t { kNone, kUnion, kIntersect, kExcept };

struct CommonTableExpression {
  std::string name;
  std::vector<std::string> column_aliases;
  std::unique_ptr<SelectStatement> query;
  std::optional<bool> materialized;
  size_t position = 0;
};

/// SELECT ..., VALUES ..., or a set operation of two. Chains of set operations are flattened into `operands`
/// where they associate (UNION ALL of UNION ALL), so that long ones are not deep.
struct SelectStatement final : Statement {
  SelectStatement() : Statement(StatementKind::kSelect) {}
  std::vector<CommonTableExpression> with;
  bool with_recursive = false;

  // Plain SELECT.
  bool distinct = false;
  std::vector<ExpressionPtr> distinct_on;
  std::vector<SelectItem> items;
  std::vector<TableRefPtr> from;  ///< comma list
  ExpressionPtr where;
  std::vector<ExpressionPtr> group_by;
  ExpressionPtr having;
  // VALUES.
  std::vector<std::vector<ExpressionPtr>> values;
  // Set operation.
  SetOperation set_operation = SetOperation::kNone;
  bool set_all = false;
  std::vector<std::unique_ptr<SelectStatement>> operands;

  // All forms.
  std::vector<OrderByItem> order_by;
  ExpressionPtr limit;
  ExpressionPtr offset;
};

// --- Others
// --------------------------------------------------------------------------------------------------------

struct InsertStatement final : Statement {
  InsertStatement() : Statement(StatementKind::kInsert) {}
  NamedTable table;
  std::vector<std::string> columns;
  std::vector<size_t> column_positions;
  /// Null for DEFAULT VALUES.
  std::unique_ptr<SelectStatement> query;
};

/// DEFAULT inside VALUES stands as a Column with this single name, which no user can write.
inline constexpr const char* kDefaultMarker =
    "\x01"
    "default";

struct ColumnDefinition {
  std::string name;
  TypeName type;
  bool not_null = false;
  ExpressionPtr default_value;
  std::string default_text;  ///< SQL text of default_value
  size_t position = 0;
};

struct CreateTableStatement final : Statement {
  CreateTableStatement() : Statement(StatementKind::kCreateTable) {}
  NamedTable table;
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
  /// CREATE TABLE ... AS; column names only, types from the query.
  std::unique_ptr<SelectStatement> query;
  std::vector<std::string> column_names;
  bool with_no_data = false;
};

struct CreateSchemaStatement final : Statement {
  CreateSchemaStatement() : Statement(StatementKind::kCreateSchema) {}
  std::string name;
  bool if_not_exists = false;
};

struct DropStatement final : Statement {
  DropStatement() : Statement(StatementKind::kDrop) {}
  enum class Object : uint8_t { kTable, kSchema, kView } object = Object::kTable;
  std::vector<NamedTable> names;  ///< for schemas only `name` is set
  bool if_exists = false;
  bool cascade = false;
};

/// Options as written, in lower case: FORMAT csv, HEADER true, DELIMITER '|', NULL '', ...
struct CopyOption {
  std::string name;
  std::string value;  ///< "" where the option stands alone
  bool has_value = false;
  std::vector<std::string> values;  ///< of a list: FORCE_QUOTE (a, b)
  size_t position = 0;
};

struct CopyStatement final : Statement {
  CopyStatement() : Statement(StatementKind::kCopy) {}
  bool is_from = false;
  NamedTable table;  ///< unless query is set
  std::vector<std::string> columns;
  std::unique_ptr<SelectStatement> query;  ///< COPY (SELECT ...) TO
  std::string path;
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
  std::optional<std::string> value;  ///< nullopt: RESET or DEFAULT
};

/// SHOW name, SHOW TABLES, SHOW ALL
struct ShowStatement final : Statement {
  ShowStatement() : Statement(StatementKind::kShow) {}
  std::string name;
};

/// DESCRIBE t, DESCRIBE SELECT ..., SUMMARIZE is left to a later step.
struct DescribeStatement final : Statement {
  DescribeStatement() : Statement(StatementKind::kDescribe) {}
  std::unique_ptr<SelectStatement> query;  ///< DESCRIBE t is DESCRIBE SELECT * FROM t
};

struct TransactionStatement final : Statement {
  TransactionStatement() : Statement(StatementKind::kTransaction) {}
  enum class Action : uint8_t { kBegin, kCommit, kRollback } action = Action::kBegin;
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

/// A table of VACUUM or ANALYZE, with the columns that ANALYZE is asked for.
struct VacuumTarget {
  NamedTable table;
  std::vector<std::string> columns;
};

/// VACUUM and ANALYZE. VERBOSE is read and has nothing to say.
struct VacuumStatement final : Statement {
  VacuumStatement() : Statement(StatementKind::kVacuum) {}
  bool vacuum = false;
  bool analyze = false;
  bool full = false;
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

}  // namespace scaup::ast
