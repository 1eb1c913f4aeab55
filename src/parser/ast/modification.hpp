// The parser's statements that change data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parser/ast/query.hpp"

namespace scaup::ast {

/// DEFAULT inside VALUES and after SET stands as a Column with this single name, which no user can write.
inline constexpr const char* kDefaultMarker =
    "\x01"
    "default";

/// WITH in front of a statement.
struct WithClause {
  std::vector<CommonTableExpression> queries;
  bool recursive = false;
};

/// column = value of a SET list. (a, b) = (1, 2) is two of them.
/// What follows a column that is set: .key, or [index].
struct AssignmentStep {
  std::string key;
  ExpressionPtr index;  ///< null: `key`
};

struct Assignment {
  std::string column;
  std::vector<AssignmentStep> steps;
  size_t position = 0;
  ExpressionPtr value;  ///< maybe the DEFAULT marker
};

/// OVERRIDING SYSTEM VALUE, OVERRIDING USER VALUE
enum class Overriding : uint8_t { kNone, kSystem, kUser };

struct OnConflict {
  size_t position = 0;
  std::vector<std::string> columns;  ///< ON CONFLICT (a, b); empty if not given
  std::vector<size_t> column_positions;
  std::string constraint;  ///< ON CONSTRAINT name; "" if not given
  bool do_update = false;  ///< false: DO NOTHING
  std::vector<Assignment> assignments;
  ExpressionPtr where;
};

/// `table` may have an alias.
struct InsertStatement final : Statement {
  InsertStatement() : Statement(StatementKind::kInsert) {}
  WithClause with;
  NamedTable table;
  std::vector<std::string> columns;
  std::vector<size_t> column_positions;
  Overriding overriding = Overriding::kNone;
  /// OBJECT {...}, ...: `query` has rows of one JSON constant each. The collection is made if need be.
  bool is_object = false;
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
  // Of INSERT.
  std::vector<std::string> columns;
  std::vector<size_t> column_positions;
  std::vector<ExpressionPtr> values;  ///< empty: DEFAULT VALUES
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

struct TruncateStatement final : Statement {
  TruncateStatement() : Statement(StatementKind::kTruncate) {}
  std::vector<NamedTable> tables;
  bool restart_identity = false;
  bool cascade = false;
};

}  // namespace scaup::ast
