// Syntax trees of queries, and the base class of statements.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/downcast.hpp"
#include "common/tree_deletion.hpp"
#include "parser/ast/expression.hpp"

namespace scaup::ast {

enum class StatementKind : uint8_t {
  kSelect,
  kInsert,
  kUpdate,
  kDelete,
  kMerge,
  kTruncate,
  kLockTable,
  kSetConstraints,
  kCreateTable,
  kCreateSchema,
  kCreateIndex,
  kCreateSequence,
  kCreateView,
  kRefresh,
  kCreateType,
  kCreateDomain,
  kCreateFunction,
  kAlterTable,
  kAlterType,
  kAlterDomain,
  kAlterSequence,
  kRename,
  kDrop,
  kDropFunction,
  kAlterFunction,
  kTrigger,
  kComment,
  kCopy,
  kExplain,
  kSet,
  kSetVariable,
  kShow,
  kDescribe,
  kTransaction,
  kPrepare,
  kExecute,
  kDeallocate,
  kDeclareCursor,
  kFetch,
  kCloseCursor,
  kDiscard,
  kPragma,
  kCheckpoint,
  kVacuum,
  kExportDatabase,
  kImportDatabase,
  kAttach,
  kDetach,
  kUse,
  kCopyDatabase
};

struct Statement : TreeDeletion<Statement> {
  explicit Statement(StatementKind kind_in) : kind(kind_in) {}
  virtual ~Statement() = default;
  StatementKind kind;
  /// Byte offset of the statement in the whole SQL text, and its length.
  size_t position = 0;
  size_t length = 0;
  size_t parameter_count = 0;
  template <typename T>
  T& As() {
    return Downcast<T>(*this);
  }
  template <typename T>
  const T& As() const {
    return Downcast<const T>(*this);
  }
};
using StatementPtr = std::unique_ptr<Statement>;

// --- FROM
// ----------------------------------------------------------------------------------------------------------

enum class TableRefKind : uint8_t { kTable, kJoin, kSubquery, kFunction, kPivot };

struct TableRef : TreeDeletion<TableRef> {
  explicit TableRef(TableRefKind kind_in) : kind(kind_in) {}
  virtual ~TableRef() = default;
  TableRefKind kind;
  size_t position = 0;
  std::string alias;  ///< "" if none
  std::vector<std::string> column_aliases;
  bool locks_rows = false;  ///< FOR UPDATE or FOR SHARE applies to it
  template <typename T>
  const T& As() const {
    return Downcast<const T>(*this);
  }
};
using TableRefPtr = std::unique_ptr<TableRef>;

/// TABLESAMPLE method (arguments) [REPEATABLE (seed)]
struct TableSample {
  std::string method;
  std::vector<ExpressionPtr> arguments;
  ExpressionPtr seed;  ///< null if not given
  size_t position = 0;
};

struct NamedTable final : TableRef {
  NamedTable() : TableRef(TableRefKind::kTable) {}
  std::string database = {};  ///< "" if not given
  /// "" if not given. The first of two names may also be a database's: DatabaseViews knows which.
  std::string schema;
  std::string name;                           ///< as written if quoted, otherwise lower case
  std::shared_ptr<const TableSample> sample;  ///< null if not given
};

enum class JoinType : uint8_t {
  kInner,
  kLeft,
  kRight,
  kFull,
  kCross,
  kSemi,
  kAnti,
  kPositional,
  kAsof,
  kAsofLeft
};

struct Join final : TableRef {
  Join() : TableRef(TableRefKind::kJoin) {}
  JoinType join = JoinType::kInner;
  bool natural = false;
  TableRefPtr left;
  TableRefPtr right;
  ExpressionPtr condition;                 ///< ON
  std::vector<std::string> using_columns;  ///< USING
  std::string using_alias;                 ///< USING (...) AS alias: qualifies only these columns; "" if none
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
  std::vector<std::unique_ptr<FunctionCall>> further_calls;  ///< ROWS FROM (call, ...): the calls after the
                                                             ///< first
  bool lateral = false;
  bool with_ordinality = false;
  /// f() AS t(a INTEGER, b VARCHAR): the columns of the records that the function returns, as a STRUCT.
  std::optional<TypeName> record;
};

/// A value of a PIVOT's axis: one expression, or several for an axis such as (a, b).
struct PivotValue {
  std::vector<ExpressionPtr> parts;
  std::string name;  ///< "" if it is named by its text
};

/// An axis of a PIVOT, FOR a IN (...) or ON a: its values become columns.
struct PivotAxis {
  size_t width = 0;  ///< the number of expressions
  std::vector<PivotValue> values;
  std::unique_ptr<SelectStatement> found;  ///< the query for the values; null if they are listed
  size_t position = 0;
};

/// t PIVOT (...)
struct PivotTable final : TableRef {
  PivotTable() : TableRef(TableRefKind::kPivot) {}
  ~PivotTable() override;
  /// SELECT groups, axes, aggregates FROM t GROUP BY ALL
  std::unique_ptr<SelectStatement> grouped;
  std::vector<PivotAxis> axes;
  std::vector<std::string> aggregate_names;  ///< aliases of the aggregates; "" if none
};

// --- SELECT
// --------------------------------------------------------------------------------------------------------

struct SelectItem {
  ExpressionPtr expression;
  std::string alias;  ///< "" if none
};

/// An element of GROUP BY: expressions, or ROLLUP, CUBE or GROUPING SETS of elements.
struct GroupingElement {
  enum class Kind : uint8_t {
    kExpressions,  ///< a; (a, b), which is one group; or ()
    kRollup,
    kCube,
    kSets,
  } kind = Kind::kExpressions;
  std::vector<ExpressionPtr> expressions;
  std::vector<GroupingElement> elements;  ///< for other kinds; those of kRollup and kCube are kExpressions
  size_t position = 0;
};

enum class SetOperation : uint8_t { kNone, kUnion, kIntersect, kExcept };

struct CommonTableExpression {
  std::string name;
  std::vector<std::string> column_aliases;
  std::unique_ptr<SelectStatement> query;  ///< null if `change` is set
  StatementPtr change;                     ///< INSERT, UPDATE, DELETE or MERGE
  std::optional<bool> materialized;
  size_t position = 0;
};

/// FOR UPDATE and the like, for messages.
struct RowLock {
  const char* words;
  size_t position = 0;
};

/// SELECT ..., VALUES ..., or a set operation. Chains of an associative set operation (UNION ALL of UNION
/// ALL) are flattened into `operands`, so that long chains do not make deep trees.
struct SelectStatement final : Statement {
  SelectStatement() : Statement(StatementKind::kSelect) {}
  std::vector<CommonTableExpression> with;
  bool with_recursive = false;

  // For plain SELECT only.
  bool distinct = false;
  std::vector<ExpressionPtr> distinct_on;
  std::vector<SelectItem> items;
  std::vector<TableRefPtr> from;  ///< comma-separated items
  ExpressionPtr where;
  std::vector<GroupingElement> group_by;
  bool group_distinct = false;  ///< GROUP BY DISTINCT: removes duplicate grouping sets
  bool group_by_all = false;    ///< GROUP BY ALL: by every item without an aggregate; group_by is empty
  ExpressionPtr having;
  std::vector<WindowSpecification> windows;  ///< WINDOW name AS (...)
  ExpressionPtr qualify;                     ///< QUALIFY: filters the rows that the windows have seen
  /// f((query) PARTITION BY a ORDER BY b): the clauses, at most one of them; this is SELECT * FROM (query).
  std::vector<WindowSpecification> partition;
  // For VALUES only.
  std::vector<std::vector<ExpressionPtr>> values;
  // For set operations only.
  SetOperation set_operation = SetOperation::kNone;
  bool set_all = false;
  bool by_name = false;  ///< UNION BY NAME: columns correspond by name, not by position
  std::vector<std::unique_ptr<SelectStatement>> operands;

  // For all forms.
  std::optional<RowLock> row_lock;  ///< the first of its clauses; TableRef::locks_rows tells of which tables
  std::vector<OrderByItem> order_by;
  ExpressionPtr limit;
  ExpressionPtr offset;
  bool limit_is_percent = false;  ///< LIMIT n%
  bool with_ties = false;         ///< FETCH FIRST ... WITH TIES
};

}  // namespace scaup::ast
