// Table functions whose threads have no state of their own, but share that of the scan.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "function/table_function.hpp"

namespace scaup {

using BindTableFunction = std::unique_ptr<BoundTableFunction> (*)(const FunctionContext& context,
                                                                  const TableFunctionArguments& arguments);

/// The words about a table function, which outlive the call.
struct TableFunctionWords {
  const char* name;
  const char* description;
  const char* example;
};

/// Makes a table function with an empty local state.
inline TableFunction MakeSharedTableFunction(
    const TableFunctionWords& words, std::vector<LogicalType> argument_types, BindTableFunction bind,
    std::unique_ptr<TableFunctionShared> (*create_shared)(const TableFunctionCall& call),
    void (*next)(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
                 DataChunk& output)) {
  TableFunction function;
  function.name = words.name;
  function.argument_types = std::move(argument_types);
  function.description = words.description;
  function.example = words.example;
  function.bind = bind;
  function.create_shared = create_shared;
  function.create_local = [](const TableFunctionCall&, TableFunctionShared&) {
    return std::make_unique<TableFunctionLocal>();
  };
  function.next = next;
  return function;
}

}  // namespace scaup
