// Bound statements that change rows: INSERT, UPDATE, DELETE, MERGE, TRUNCATE.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "binder/bound/bound_statement_kind.hpp"
#include "catalog/catalog.hpp"
#include "common/sqlstate.hpp"
#include "parser/ast/modification.hpp"

namespace scaup {

// How rows are changed. A `source` query yields what is needed of each row. For UPDATE, DELETE and MERGE its
// first output column is the row number, BIGINT: {table_index, kRowNumberColumn} of a BoundBaseTable with
// has_row_number. A projection over the source computes the row to be written, including generated columns.
// CHECK conditions and RETURNING are bound over that row. So the plan of an UPDATE is
//
// source -> LogicalProject(row_index, projection) -> write (checks the rows and passes them on) -> RETURNING
//
// For MERGE, the source computes all of this. Neither `projection` nor `checks` contains a subquery.
// Subqueries in `returning` see the written rows, and those in ON CONFLICT see both the existing and the new
// row; they read the tables as they were before the statement. NOT NULL, unique indexes and foreign keys are
// not bound: the write operator takes them from the table's catalog entry.

/// Name of the row number's column in EXPLAIN. It is in no scope, so no name in a query can refer to it.
inline constexpr const char* kRowNumberName = "row number";

/// A CHECK constraint on the written row. FALSE is refused (23514), NULL is accepted.
struct BoundCheck {
  std::string name;
  ExpressionPtr condition;  ///< BOOLEAN
  /// The SQLSTATE and message of a rule that is no constraint of the table; "" for those of a constraint.
  const char* state = sqlstate::kCheckViolation;
  std::string refusal = {};
};

/// The expressions of RETURNING, computed for each row that was written or deleted.
struct BoundReturning {
  size_t table_index = 0;  ///< a new table index for the items
  std::vector<ExpressionPtr> items;
  std::vector<std::string> names;
};

/// ON CONFLICT. Expressions refer to the columns of the existing row as {existing_index, i}, and to those of
/// the row to be inserted (excluded) as {row_index, i} of the INSERT; i is a column of the table.
struct BoundOnConflict {
  /// Names of the unique indexes whose conflicts count; empty means all of them.
  std::vector<std::string> indexes;
  std::vector<size_t> key_columns;  ///< columns of these indexes; empty if all indexes count
  bool do_update = false;           ///< false means DO NOTHING
  size_t existing_index = 0;
  /// Values of DO UPDATE, one for each column of the table. A column that is not set has its old value, and
  /// so have generated columns, which are computed afterwards.
  std::vector<ExpressionPtr> values;
  /// The row that `values` make, {updated_index, i}, and the generated columns that change with it. They are
  /// computed from the row, so that a volatile value counts once.
  size_t updated_index = 0;
  std::vector<size_t> generated_columns;
  std::vector<ExpressionPtr> generated;
  std::vector<size_t> set_columns;  ///< the columns that change, generated ones included, ascending
  std::vector<size_t> assigned;     ///< as in BoundUpdate
  ExpressionPtr where;              ///< null if not given; rows that fail it are not changed
};

/// INSERT INTO table, COPY table FROM. Checks and RETURNING are bound over the written row {row_index, i}; i
/// is a column of the table. Rows that ON CONFLICT updates are written rows, too.
struct BoundInsert final : BoundStatement {
  BoundInsert() : BoundStatement(BoundStatementKind::kInsert) {}
  std::vector<std::shared_ptr<BoundCte>> ctes;  ///< WITH queries of the statement
  TableEntryRef table;
  BoundTableRefPtr source;  ///< null for DEFAULT VALUES: one row
  /// One value for each column of the table, of its type, over the source's columns.
  std::vector<ExpressionPtr> values;
  size_t row_index = 0;
  std::vector<BoundCheck> checks;
  std::unique_ptr<BoundOnConflict> on_conflict;  ///< null if not given
  std::optional<BoundReturning> returning;
};

/// UPDATE. With FROM, several source rows may match one row of the table; the first one counts.
struct BoundUpdate final : BoundStatement {
  BoundUpdate() : BoundStatement(BoundStatementKind::kUpdate) {}
  TableEntryRef table;
  BoundQueryPtr source;  ///< column 0: row number
  size_t row_index = 0;
  /// Expressions over the source: [0] is the row number, [1 + i] the new value of columns[i], of its type.
  /// Further columns follow that checks and RETURNING need. The output columns are {row_index, position}.
  std::vector<ExpressionPtr> projection;
  std::vector<size_t> columns;     ///< columns of the table to be written, ascending
  std::vector<size_t> assigned;    ///< those that the SET list names, and generated ones, for UPDATE OF
  std::vector<BoundCheck> checks;  ///< checks that mention a written column
  std::optional<BoundReturning> returning;
};

/// DELETE. With USING, several source rows may match one row of the table. RETURNING is bound over the
/// source.
struct BoundDelete final : BoundStatement {
  BoundDelete() : BoundStatement(BoundStatementKind::kDelete) {}
  TableEntryRef table;
  BoundQueryPtr source;  ///< column 0: row number; then the columns for RETURNING
  std::optional<BoundReturning> returning;
};

/// WHEN [NOT] MATCHED [BY SOURCE] THEN .... Its condition is evaluated in the source.
struct BoundMergeClause {
  ast::MergeClause::Match match = ast::MergeClause::Match::kMatched;
  ast::MergeClause::Action action = ast::MergeClause::Action::kNothing;
  /// Columns of the table that kUpdate or kInsert writes, ascending, including generated columns.
  std::vector<size_t> columns;
  std::vector<size_t> assigned = {};  ///< of kUpdate, as in BoundUpdate
};

/// MERGE. The first clause that applies to a source row decides what happens; without one, nothing does.
/// Changing a row of the table for a second time is an error (21000). Checks and RETURNING are bound over the
/// source.
struct BoundMerge final : BoundStatement {
  BoundMerge() : BoundStatement(BoundStatementKind::kMerge) {}
  TableEntryRef table;
  /// Column 0 is the row number, NULL if no row of the table matched. Column 1 is the index in `clauses` of
  /// the clause that applies, INTEGER; it is NULL if there is none, or if the clause does nothing. The
  /// columns that the new rows are computed from follow.
  BoundQueryPtr source;
  std::vector<BoundMergeClause> clauses;
  /// For each column of the table, the source's column with its value: the value that the clause computes or,
  /// for a deleted row, the old one. nullopt for columns that are neither written nor needed.
  std::vector<std::optional<size_t>> row_columns;
  std::vector<BoundCheck> checks;
  std::optional<BoundReturning> returning;
};

/// LOCK TABLE. No table may be changed by others until the commit.
struct BoundLockTable final : BoundStatement {
  BoundLockTable() : BoundStatement(BoundStatementKind::kLockTable) {}
  std::vector<TableEntryRef> tables;  ///< none if the mode lets others change them
};

/// SET CONSTRAINTS.
struct BoundSetConstraints final : BoundStatement {
  BoundSetConstraints() : BoundStatement(BoundStatementKind::kSetConstraints) {}
  struct Name {
    std::string schema;
    std::string table;
    std::string constraint;
  };
  bool all = false;
  std::vector<Name> constraints;
  bool is_deferred = false;
};

/// TRUNCATE. The tables include those that CASCADE adds.
struct BoundTruncate final : BoundStatement {
  BoundTruncate() : BoundStatement(BoundStatementKind::kTruncate) {}
  std::vector<TableEntryRef> tables;
  /// Sequences that RESTART IDENTITY resets to their start.
  std::vector<SequenceEntryRef> restarted;
};

}  // namespace scaup
