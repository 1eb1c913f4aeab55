// Table functions: relations that are computed by code, such as read_csv and generate_series.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "function/function_context.hpp"
#include "type/scan_filter.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The arguments of a call, which are constants. Named ones are written name => value or name := value.
struct TableFunctionArguments {
  std::vector<Value> positional;
  std::map<std::string, Value> named;
};

/// Knowledge of a column that was not read. Estimates, never taken for facts.
struct TableFunctionColumn {
  std::optional<std::pair<Value, Value>> bounds = std::nullopt;
  double null_fraction = 0;
  double distinct = 0;  ///< 0 if unknown
};

/// The relation of a bound call. Immutable, shared by threads.
struct BoundTableFunction : FunctionData {
  std::vector<std::string> column_names;
  std::vector<LogicalType> column_types;
  std::optional<uint64_t> estimated_row_count;
  /// By column; empty if nothing is known.
  std::vector<TableFunctionColumn> columns;
};

/// Writes the indexes of the rows that pass, in ascending order, and returns their number.
using RowTest = std::function<size_t(const UnifiedView& values, size_t count, sel_t* selected)>;

/// A test of rows by the values of several columns. One thread at a time.
class RowFilter {
 public:
  virtual ~RowFilter() = default;
  /// The columns whose values it wants, as indexes into the bound columns.
  virtual const std::vector<size_t>& columns() const = 0;
  /// Writes the indexes of the rows that pass, in ascending order, and returns their number. `rows` has the
  /// wanted columns.
  virtual size_t Select(DataChunk& rows, SelectionVector& selected) = 0;
};

/// The state shared by all threads of a scan.
class TableFunctionShared {
 public:
  virtual ~TableFunctionShared() = default;
  /// Between 0 and 1, or negative if unknown. Any thread may call it.
  virtual double Progress() const { return -1; }
  /// Adds a filter that appears when the query runs: rows that fail it need not be emitted. Only for
  /// functions that take filters, before the first row is asked for.
  virtual void AddFilter(const ScanFilter& /*filter*/) {}
  /// Adds, likewise, a test of the values of a column, an index into the bound columns.
  virtual void AddRowTest(size_t /*column*/, RowTest /*test*/) {}
  /// Returns what the scan did, for EXPLAIN ANALYZE.
  virtual std::vector<std::string> RunDetails() const { return {}; }
};
/// The state of one thread.
class TableFunctionLocal {
 public:
  virtual ~TableFunctionLocal() = default;
  /// Gives it a test that the rows have to pass above the scan anyway, so that it may spare reading the other
  /// columns of rows that fail. Only for functions that take filters, before the first row is asked for.
  virtual void SetRowFilter(std::unique_ptr<RowFilter> /*filter*/) {}
};

struct TableFunctionCall {
  const FunctionContext& context;
  const BoundTableFunction& bound;
  /// The wanted columns in output order, as indexes into bound.column_names.
  const std::vector<size_t>& columns;
  /// Filters of rows, for functions that take them. They will be applied to the rows afterwards, unless the
  /// function applies them.
  const std::vector<ScanFilter>& filters;
};

struct TableFunction {
  std::string name;
  /// The types of the positional arguments, to which they are cast. kNull stands for any type.
  std::vector<LogicalType> argument_types;
  /// The number of trailing arguments that may be omitted.
  size_t optional_arguments = 0;
  std::map<std::string, LogicalType> named_arguments;
  std::string description;
  std::string example;
  /// Whether it can use the filters to skip rows early.
  bool takes_filters = false;
  /// Whether it emits no row that fails a filter, so that nobody else needs to test them.
  bool applies_filters = false;

  std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext& context,
                                              const TableFunctionArguments& arguments) = nullptr;
  std::unique_ptr<TableFunctionShared> (*create_shared)(const TableFunctionCall& call) = nullptr;
  std::unique_ptr<TableFunctionLocal> (*create_local)(const TableFunctionCall& call,
                                                      TableFunctionShared& shared) = nullptr;
  /// Fills `output` and its batch_index; zero rows mean the end. Several threads call it at the same time,
  /// each with its own local state. REQUIRES: `output` is after Release(), with columns as in call.columns.
  void (*next)(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
               DataChunk& output) = nullptr;
};

}  // namespace scaup
