// Functions that SQL defines: other names of functions, and expressions over their arguments.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace scaup {

/// Another name for a function, with the same arguments.
struct FunctionAlias {
  std::string name;
  std::string function;
};

/// A function that is an expression over its arguments $1, $2, ...: a row of the table in
/// builtin/defined_functions.cpp. The binder puts the arguments in their places. A function without an
/// expression is one that the binder knows itself.
struct DefinedFunction {
  std::string_view name;
  size_t argument_count;
  std::string_view arguments;  ///< their types, for lists of functions
  std::string_view return_type;
  std::string_view expression;
  std::string_view description;
  std::string_view example;
  bool is_aggregate = false;
};

std::span<const FunctionAlias> AllFunctionAliases();
/// Returns the function that a name stands for; null if it is no alias. The result lives for ever.
const std::string* FindFunctionAlias(std::string_view name);
std::span<const DefinedFunction> AllDefinedFunctions();
/// Returns the defined function of that name and number of arguments; null if there is none.
const DefinedFunction* FindDefinedFunction(std::string_view name, size_t argument_count);

}  // namespace scaup
