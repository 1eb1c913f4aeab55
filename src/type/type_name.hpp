// PostgreSQL's names of types, for messages and pg_typeof.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// The full name: "integer", "numeric(15,2)", "text", "timestamp without time zone"; "unknown" for a bare
/// NULL.
std::string PostgresTypeName(const LogicalType& type);

/// The name without parameters, for messages about values: "integer", "numeric", "timestamp".
const char* PostgresBaseTypeName(const LogicalType& type);

/// The name of a range or multirange, "int4range"; "anyrange" for bounds of type NULL.
const char* RangeTypeName(const LogicalType& type);
/// The range or multirange with this name, in lower case; nullopt if there is none.
std::optional<LogicalType> RangeTypeFromName(std::string_view name);

/// The name of a struct's field as written in STRUCT(...): quoted unless it is a plain word.
std::string QuotedFieldName(std::string_view name);

}  // namespace scaup
