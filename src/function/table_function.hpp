// Table functions: relations made by code, such as read_csv and generate_series.
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

/// Arguments of a call: constants only. Named ones are written name => value or name := value.
struct TableFunctionArguments {
  std::vector<Value> positional;
  std::map<std::string, Value> named;
};

/// The relation that a call denotes. Immutable after binding, shared by threads.
struct BoundTableFunction : FunctionData {
  std::vector<std::string> column_names;
  std::vector<LogicalType> column_types;
  std::optional<uint64_t> estimated_row_count;
};

/// State that all threads of one scan share.
class TableFunctionShared {
 public:
  virtual ~TableFunctionShared() = default;
  /// Between 0 and 1, or negative if unknown. May be called from any thread.
  virtual double Progress() const { return -1; }
};
/// State of one thread.
class TableFunctionLocal {
 public:
  virtual ~TableFunctionLocal() = default;
};

struct TableFunctionCall {
  const FunctionContext& context;
  const BoundTableFunction& bound;
  /// The columns wanted, in output order (indexes into bound.column_names).
  const std::vector<size_t>& columns;
  /// Filters that are applied to its rows afterwards; for functions that take filters.
  const std::vector<ScanFilter>& filters;
};

struct TableFunction {
  std::string name;
  /// Types of the positional arguments; arguments are cast to them. kNull stands for any type.
  std::vector<LogicalType> argument_types;
  /// How many of them may be left out at the end.
  size_t optional_arguments = 0;
  std::map<std::string, LogicalType> named_arguments;
  std::string description;
  std::string example;
  /// Whether it can leave out rows early.
  bool takes_filters = false;

  std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext& context,
                                              const TableFunctionArguments& arguments) = nullptr;
  std::unique_ptr<TableFunctionShared> (*create_shared)(const TableFunctionCall& call) = nullptr;
  std::unique_ptr<TableFunctionLocal> (*create_local)(const TableFunctionCall& call,
                                                      TableFunctionShared& shared) = nullptr;
  /// Fills `output` (after Release(); columns as in call.columns) and its batch_index; zero rows mean the
  /// end. Called by several threads at once, each with its own local state.
  void (*next)(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
               DataChunk& output) = nullptr;
};

}  // namespace scaup
