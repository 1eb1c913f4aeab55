// Finds built-in table functions by name: those of files, of series, and the listings of the database.
#pragma once

#include <string_view>
#include <vector>

#include "function/table_function.hpp"

namespace scaup {

/// An immutable set of table functions, each made in a file of its own. Thread-safe. Names are lower case.
class TableFunctionRegistry {
 public:
  /// All built-in table functions; made on first use, never changed.
  static const TableFunctionRegistry& Builtin();

  /// Null if there is none of that name. Valid as long as the registry.
  const TableFunction* Find(std::string_view name) const;
  /// All of them, sorted by name, for listings and suggestions.
  const std::vector<TableFunction>& All() const { return functions_; }

 private:
  TableFunctionRegistry();

  std::vector<TableFunction> functions_;  // Sorted by name.
};

}  // namespace scaup
