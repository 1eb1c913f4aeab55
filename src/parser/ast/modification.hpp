// Syntax trees of statements that change data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parser/ast/query.hpp"

namespace scaup::ast {

/// DEFAULT in VALUES and SET is represented by a Column with this single name, which cannot be written in
/// SQL.
inline constexpr const char* kDefaultMarker =
    "\x01"
    "default";

/// WITH in front of INSERT, UPDATE, DELETE or MERGE.
struct WithClause {
  std::vector<CommonTableExpression> queries;
  bool recursive = false;
};

/// A step below the column that is set: .key or [index].
struct AssignmentStep {
  std::string key;
  ExpressionPtr index;  ///< null for .key
};

/// column = value in a SET list. (a, b) = (1, 2) becomes two assignments.
struct Assignment {
  std::string column;
  std::vector<AssignmentStep> steps;
  size_t position = 0;
  ExpressionPtr value;  ///< may be the DEFAULT marker
};

/// OVERRIDING SYSTEM VALUE, OVERRIDING USER VALUE
enum class Overriding : uint8_t { kNone, kSystem, kUser };

struct OnConflict {
  size_t position = 0;
  std::vector<std::string> columns;  ///< ON CONFLICT (a, b); empty if not given
  std::vector<size_t> column_positions;
  std::vector<ExpressionPtr> expressions;  ///< ON CONFLICT ((expression)): those beside the columns
  ExpressionPtr condition;  ///< ON CONFLICT (...) WHERE, for partial indexes; null if not given
  std::string constraint;   ///< ON CONSTRAINT name; "" if not given
  bool do_update = false;   ///< false means DO NOTHING
  /// INSERT OR REPLACE: the only key of the table decides, and the given columns are updated.
  bool replaces = false;
  std::vector<Assignment> assignments;
  ExpressionPtr where;
};

/// INSERT. `table` may have an alias.
struct InsertStatement final : Statement {
  InsertStatement() : Statement(StatementKind::kInsert) {}
  WithClause with;
  NamedTable table;
  std::vector<std::string> columns;
  std::vector<size_t> column_positions;
  Overriding overriding = Overriding::kNone;
  /// OBJECT {...}, ...: each row of `query` is a JSON constant. A missing collection is created.
  bool is_object = false;
  bool by_name = false;  ///< BY NAME: the columns of the query go to those of the same names
  /// Null for DEFAULT VALUES.
  std::unique_ptr<SelectStatement> query;
  std::unique_ptr<OnConflict> on_conflict;  ///< null if not given
  std::vector<SelectItem> returning;
};

struct UpdateStatement final : Statement {
  UpdateStatement() : Statement(StatementKind::kUpdate) {}
  WithClause with;
  NamedTable table;
  std::vector<Assignment> assignments;
  std::vector<TableRefPtr> from;
  ExpressionPtr where;
  std::vector<SelectItem> returning;
};

struct DeleteStatement final : Statement {
  DeleteStatement() : Statement(StatementKind::kDelete) {}
  WithClause with;
  NamedTable table;
  std::vector<TableRefPtr> from;  ///< USING
  ExpressionPtr where;
  std::vector<SelectItem> returning;
};

/// WHEN [NOT] MATCHED [BY SOURCE] [AND condition] THEN ...
struct MergeClause {
  enum class Match : uint8_t { kMatched, kNotMatchedByTarget, kNotMatchedBySource } match = Match::kMatched;
  enum class Action : uint8_t { kUpdate, kDelete, kInsert, kNothing } action = Action::kNothing;
  size_t position = 0;
  ExpressionPtr condition;
  std::vector<Assignment> assignments;  ///< of UPDATE
  // For INSERT only.
  std::vector<std::string> columns;
  std::vector<size_t> column_positions;
  std::vector<ExpressionPtr> values;  ///< empty means DEFAULT VALUES
  Overriding overriding = Overriding::kNone;
};

struct MergeStatement final : Statement {
  MergeStatement() : Statement(StatementKind::kMerge) {}
  WithClause with;
  NamedTable table;
  TableRefPtr source;
  ExpressionPtr condition;
  std::vector<MergeClause> clauses;
  std::vector<SelectItem> returning;
};

/// LOCK TABLE t, ... IN ... MODE
struct LockTableStatement final : Statement {
  LockTableStatement() : Statement(StatementKind::kLockTable) {}
  std::vector<NamedTable> tables;
  bool keeps_rows = false;  ///< a mode in which nobody else may change the table: SHARE and those above it
};

/// SET CONSTRAINTS ALL | name, ... DEFERRED | IMMEDIATE
struct SetConstraintsStatement final : Statement {
  SetConstraintsStatement() : Statement(StatementKind::kSetConstraints) {}
  std::vector<NamedTable> constraints;  ///< the names of constraints; none for ALL
  bool is_deferred = false;
};

struct TruncateStatement final : Statement {
  TruncateStatement() : Statement(StatementKind::kTruncate) {}
  std::vector<NamedTable> tables;
  bool restart_identity = false;
  bool cascade = false;
};

}  // namespace scaup::ast
