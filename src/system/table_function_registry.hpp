// Table function registry: finds the built-in table functions by name (file readers, series, listings).
#pragma once

#include <string_view>
#include <vector>

#include "function/table_function.hpp"

namespace scaup {

/// An immutable set of table functions, each defined in a file of its own. Thread-safe. Names are in lower
/// case.
class TableFunctionRegistry {
 public:
  /// Returns all built-in table functions; made on first use, never changed.
  static const TableFunctionRegistry& Builtin();

  /// Returns null if there is no function of that name. Valid as long as the registry.
  const TableFunction* Find(std::string_view name) const;
  /// Returns all table functions, sorted by name, for listings and suggestions.
  const std::vector<TableFunction>& All() const { return functions_; }

 private:
  TableFunctionRegistry();

  std::vector<TableFunction> functions_;  // Sorted by name.
};

}  // namespace scaup
