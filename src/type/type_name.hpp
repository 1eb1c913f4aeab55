// The names that PostgreSQL gives types in messages and in pg_typeof.
#pragma once

#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// "integer", "numeric(15,2)", "text", "timestamp without time zone"; "unknown" for a bare NULL.
std::string PostgresTypeName(const LogicalType& type);

/// The name that messages about values use, without parameters: "integer", "numeric", "timestamp".
const char* PostgresBaseTypeName(const LogicalType& type);

/// The name of a struct's field as it stands in STRUCT(...): in quotes unless it is a plain word.
std::string QuotedFieldName(std::string_view name);

}  // namespace scaup
