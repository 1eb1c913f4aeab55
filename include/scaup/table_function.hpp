// Table functions: functions of the program that return rows, and may take the rows of a query.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scaup/export.hpp"
#include "scaup/function.hpp"
#include "scaup/result.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// The rows that a run of a table function gets. Given to its steps; used by their thread.
class SCAUP_API TableFunctionInput {
 public:
  TableFunctionInput(const TableFunctionInput&) = delete;
  TableFunctionInput& operator=(const TableFunctionInput&) = delete;

  /// Returns the columns of the rows; none if the call has no query.
  const std::vector<ResultColumn>& columns() const;
  /// Returns the next rows, at most `most_rows`, which are computed meanwhile; no rows at the end. They may
  /// be kept. Throws the errors of the query. REQUIRES: most_rows > 0.
  QueryResult Next(size_t most_rows = 65536);
  /// Returns all rows that are left. At the beginning, all threads compute them.
  QueryResult All();

 private:
  friend class ProgramTableRun;
  explicit TableFunctionInput(class ProgramTableInput& input) : input_(input) {}
  class ProgramTableInput& input_;
};

/// The rows that a step of a table function returns; none unless it sets their number.
class SCAUP_API TableFunctionOutput {
 public:
  TableFunctionOutput(const TableFunctionOutput&) = delete;
  TableFunctionOutput& operator=(const TableFunctionOutput&) = delete;

  /// Returns the columns of the result.
  const std::vector<ResultColumn>& columns() const;
  /// Begins the rows of this step; what was set before is dropped. Throws Error(53200) if there is no memory.
  void SetRowCount(size_t rows);
  /// Returns what sets a column of the rows. Columns that are never set are zero, or empty. REQUIRES: after
  /// SetRowCount, column < columns().size().
  FunctionOutput& Column(size_t column);

 private:
  friend class ProgramTableRun;
  explicit TableFunctionOutput(class ProgramTableRows& rows) : rows_(rows) {}
  class ProgramTableRows& rows_;
};

/// A call of a table function, as far as it is known before it runs. A value type.
struct TableCall {
  /// By argument: its value, NULL in the places of queries.
  std::vector<Value> values;
  /// The columns of the rows that the call gives; none if it gives none. Where it gives the rows of a query
  /// for several scalar arguments, they have the names of these.
  std::optional<std::vector<ResultColumn>> input;
  /// The values as one row, when a run begins; a column for each argument.
  QueryResult row;
};

/// A table function that the program offers, to be called in FROM. A value type.
///
///     TableFunctionDefinition doubled;  // SELECT * FROM doubled((SELECT x FROM t))
///     doubled.name = "doubled";
///     doubled.arguments = {TableFunctionDefinition::Rows("t", {{"x", TypeId::kDouble}})};
///     doubled.columns = {{"x", TypeId::kDouble}};
///     doubled.start = [](const TableCall&) {
///       return [](TableFunctionInput& input, TableFunctionOutput& output) {
///         const QueryResult rows = input.Next();
///         output.SetRowCount(rows.row_count());
///         const auto* in = static_cast<const double*>(rows.row_count() ? rows.Column(0).data : nullptr);
///         for (size_t row = 0; row < rows.row_count(); row++) output.Column(0).DataAs<double>()[row] = 2 *
///         in[row]; return rows.row_count() != 0;
///       };
///     };
///     connection.CreateTableFunction(doubled);
struct TableFunctionDefinition {
  struct Argument {
    std::string name;      ///< for name => value; "" if it has none
    LogicalType type;      ///< to which values are cast; not for rows
    bool is_rows = false;  ///< the argument is a query, whose rows the function gets
    std::vector<ResultColumn>
        columns;                    ///< of the rows, to which they are cast by position; none: any columns
    std::optional<Value> fallback;  ///< the value for calls without it; such arguments come last
  };
  static Argument Scalar(std::string name, LogicalType type) { return {std::move(name), std::move(type)}; }
  static Argument Rows(std::string name, std::vector<ResultColumn> columns = {}) {
    return {std::move(name), {}, true, std::move(columns)};
  }

  /// The name in SQL, where the case of its ASCII letters does not count.
  std::string name;
  /// A call gives at most one query. It may give the rows of a query for several scalar arguments, too: a
  /// column for each.
  std::vector<Argument> arguments;
  /// The columns of the result; empty if `bind` finds them.
  std::vector<ResultColumn> columns;
  /// Finds the columns of the result of a call, whose values are constants then. Called when a statement is
  /// prepared.
  std::function<std::vector<ResultColumn>(const TableCall& call)> bind;
  /// Whether each run gets a batch of up to batch_rows rows of the query, rather than all of them. Several
  /// runs then go on at once, and a query without rows has none.
  bool takes_batches = false;
  size_t batch_rows = 0;  ///< 0: 65,536

  /// Whether its queries may change rows; see CallingStatement.
  bool has_effects = false;
  /// Whether a call with a NULL among its values gives no rows, without a run. Of rows that are given for
  /// scalar arguments, those with a NULL are then left out. The rows of a table are given as they are.
  bool omits_nulls = false;

  /// A step returns some rows by its output, maybe none, and whether there may be more.
  using Step = std::function<bool(TableFunctionInput& input, TableFunctionOutput& output)>;
  /// Begins a run, whose steps are called one after the other until one returns false. A call with PARTITION
  /// BY has a run for each partition, which gets its rows, sorted by ORDER BY if there is one, and several
  /// runs go on at once. Any threads call it and the steps. The rules of FunctionDefinition::body hold: which
  /// connections may be used, and what exceptions do. A run may end before its last step, if no more rows are
  /// needed: the step is then destroyed.
  std::function<Step(const TableCall& call)> start;
};

}  // namespace scaup
