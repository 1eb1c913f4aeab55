// Type texts: types as SQL writes them, read without a database.
#pragma once

#include <string_view>

#include "scaup/export.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// Returns the type that a text means, such as "INTEGER", "DECIMAL(10, 2)", "VARCHAR[]" or "STRUCT(a DATE)".
/// Enums, which belong to a database, are unknown. Throws Error(kSyntax) for a text that is no type, and
/// Error(kBinder, 42704) for an unknown one. Thread-safe.
SCAUP_API LogicalType ParseType(std::string_view text);

}  // namespace scaup
