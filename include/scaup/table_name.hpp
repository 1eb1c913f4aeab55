// Table names: what SQL text calls tables, found without a database.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scaup/export.hpp"

namespace scaup {

/// The name of a table, view or collection as SQL text has it, without quotes; names that were not quoted are
/// in lower case. A value type.
struct TableName {
  std::string schema;  ///< empty if the text names none
  std::string name;
  bool operator==(const TableName&) const = default;
};

/// Returns the tables, views and collections that the statements of a text name, each once, in no particular
/// order. They need not exist. Names of common table expressions are not among them. Throws Error(kSyntax)
/// like Connection::Query. Thread-safe.
SCAUP_API std::vector<TableName> TableNames(std::string_view sql);

}  // namespace scaup
