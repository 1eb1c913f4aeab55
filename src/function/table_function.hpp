// Table functions: relations that are computed by code, such as read_csv and generate_series.
#pragma once

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

/// The relation of a bound call. Immutable, shared by threads.
struct BoundTableFunction : FunctionData {
  std::vector<std::string> column_names;
  std::vector<LogicalType> column_types;
  std::optional<uint64_t> estimated_row_count;
};

/// The state shared by all threads of a scan.
class TableFunctionShared {
 public:
  virtual ~TableFunctionShared() = default;
  /// Between 0 and 1, or negative if unknown. Any thread may call it.
  virtual double Progress() const { return -1; }
};
/// The state of one thread.
class TableFunctionLocal {
 public:
  virtual ~TableFunctionLocal() = default;
};

struct TableFunctionCall {
  const FunctionContext& context;
  const BoundTableFunction& bound;
  /// The wanted columns in output order, as indexes into bound.column_names.
  const std::vector<size_t>& columns;
  /// Filters that will be applied to the rows afterwards; for functions that take filters.
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
