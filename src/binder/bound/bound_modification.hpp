// Bound statements that change rows: INSERT, UPDATE, DELETE, MERGE, TRUNCATE.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "binder/bound/bound_statement_kind.hpp"
#include "catalog/catalog.hpp"
#include "parser/ast/modification.hpp"

namespace scaup {

// How rows are changed. A `source` query yields what is needed of each row; for UPDATE, DELETE and MERGE its
// first output column is the number of the row, BIGINT: {table_index, kRowNumberColumn} of a BoundBaseTable
// with has_row_number. A projection over the source makes the row as it is to be written, with generated
// columns; conditions of CHECK and RETURNING are over that. So the plan of an UPDATE is
//
//   source -> LogicalProject(row_index, projection) -> write, which checks and passes the rows on ->
//   RETURNING
//
// MERGE has all of it in its source. Neither `projection` nor `checks` has a subquery. Those of `returning`
// are over the rows that are written as they are, and those of ON CONFLICT over both rows; they see the
// tables as they were before the statement.
// NOT NULL, unique indexes and foreign keys are not bound: what writes finds them in the table's entry.

/// The name of the row number's column, as EXPLAIN shows it. It is in no scope: no user's text can mean it.
inline constexpr const char* kRowNumberName = "row number";

/// A CHECK that the written row has to pass: FALSE refuses it (23514), NULL does not.
struct BoundCheck {
  std::string name;
  ExpressionPtr condition;  ///< BOOLEAN
};

/// The expressions that RETURNING computes of each row that was written or deleted.
struct BoundReturning {
  size_t table_index = 0;  ///< of the items: a free one
  std::vector<ExpressionPtr> items;
  std::vector<std::string> names;
};

/// ON CONFLICT. Expressions are over the columns of the row that is there, {existing_index, i}, and of the
/// one that was to be inserted (excluded), {row_index, i} of the INSERT; i is a column of the table.
struct BoundOnConflict {
  /// The names of the unique indexes whose conflicts count; empty: all.
  std::vector<std::string> indexes;
  std::vector<size_t> key_columns;  ///< the columns of these indexes; empty: of all
  bool do_update = false;           ///< false: DO NOTHING
  size_t existing_index = 0;
  /// Values of DO UPDATE, one for each column of the table. A column that is not set has its old value.
  std::vector<ExpressionPtr> values;
  std::vector<size_t> set_columns;  ///< ascending; the only ones that `values` changes
  ExpressionPtr where;              ///< null if there is none; rows that do not pass stay as they are
};

/// INSERT INTO table, COPY table FROM. Checks and RETURNING are over the written row {row_index, i}, i a
/// column of the table; rows that ON CONFLICT updates are written rows, too.
struct BoundInsert final : BoundStatement {
  BoundInsert() : BoundStatement(BoundStatementKind::kInsert) {}
  std::vector<std::shared_ptr<BoundCte>> ctes;  ///< WITH in front
  TableEntryRef table;
  BoundTableRefPtr source;  ///< null for DEFAULT VALUES: one row
  /// One for each column of the table, of its type, over the source's columns.
  std::vector<ExpressionPtr> values;
  size_t row_index = 0;
  std::vector<BoundCheck> checks;
  std::unique_ptr<BoundOnConflict> on_conflict;  ///< null if not given
  std::optional<BoundReturning> returning;
};

/// UPDATE. With FROM a row of the table may come several times: the first counts.
struct BoundUpdate final : BoundStatement {
  BoundUpdate() : BoundStatement(BoundStatementKind::kUpdate) {}
  TableEntryRef table;
  BoundQueryPtr source;  ///< column 0: row number
  size_t row_index = 0;
  /// Over the source. [0] row number; [1 + i] the new value of columns[i], of its type; then what checks and
  /// RETURNING need besides. Its columns are {row_index, position}.
  std::vector<ExpressionPtr> projection;
  std::vector<size_t> columns;     ///< of the table, ascending: those to be written
  std::vector<BoundCheck> checks;  ///< those that a written column occurs in
  std::optional<BoundReturning> returning;
};

/// DELETE. With USING a row of the table may come several times. RETURNING is over the source.
struct BoundDelete final : BoundStatement {
  BoundDelete() : BoundStatement(BoundStatementKind::kDelete) {}
  TableEntryRef table;
  BoundQueryPtr source;  ///< column 0: row number; then what RETURNING needs
  std::optional<BoundReturning> returning;
};

/// WHEN [NOT] MATCHED [BY SOURCE] THEN ..., without its condition, which the source has.
struct BoundMergeClause {
  ast::MergeClause::Match match = ast::MergeClause::Match::kMatched;
  ast::MergeClause::Action action = ast::MergeClause::Action::kNothing;
  /// Columns of the table that kUpdate or kInsert writes, ascending, generated ones included.
  std::vector<size_t> columns;
};

/// MERGE. For each row of the source the first clause that fits decides; none: nothing happens. A row of the
/// table that a second row would change is an error (21000). Checks and RETURNING are over the source.
struct BoundMerge final : BoundStatement {
  BoundMerge() : BoundStatement(BoundStatementKind::kMerge) {}
  TableEntryRef table;
  /// Column 0: row number, NULL where nothing of the table matched; column 1: which of `clauses` fits,
  /// INTEGER, NULL for none and where nothing is to be done. Then what the rows are made of.
  BoundQueryPtr source;
  std::vector<BoundMergeClause> clauses;
  /// By column of the table: the source's column with what the clause makes of it, or with what a row had
  /// that is deleted. Nothing for columns that are neither written nor asked for.
  std::vector<std::optional<size_t>> row_columns;
  std::vector<BoundCheck> checks;
  std::optional<BoundReturning> returning;
};

/// TRUNCATE. The tables that CASCADE adds are among them.
struct BoundTruncate final : BoundStatement {
  BoundTruncate() : BoundStatement(BoundStatementKind::kTruncate) {}
  std::vector<TableEntryRef> tables;
  /// RESTART IDENTITY: those that begin again with their start.
  std::vector<SequenceEntryRef> restarted;
};

}  // namespace scaup
