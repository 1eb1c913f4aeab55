// The types as PostgreSQL's catalog has them: numbers and names that clients know by heart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "scaup/type.hpp"

namespace scaup {

/// A row of pg_type. The numbers are PostgreSQL's; types of ours that it lacks have numbers from 16384 up.
struct PgType {
  const char* display_name;  ///< as PostgresBaseTypeName gives it
  const char* name;          ///< of pg_type: "int4"
  int64_t oid;
  int16_t length;  ///< in bytes; -1: varies
  char category;   ///< 'N' number, 'S' string, 'D' date or time, 'B' boolean, 'T' span of time, 'U' other
};

std::span<const PgType> AllPgTypes();
/// That of a type, "text" for one that PostgreSQL and this list know nothing of.
const PgType& PgTypeOf(const LogicalType& type);
/// Null if there is none.
const PgType* FindPgType(int64_t oid);
/// The value of atttypmod: of DECIMAL width and scale, else -1.
int32_t PgTypeModifier(const LogicalType& type);
/// A type from its number and modifier as PostgreSQL writes it: "numeric(15,2)", "integer"; nullopt if there
/// is none.
std::optional<std::string> FormatPgType(int64_t oid, std::optional<int32_t> modifier);

}  // namespace scaup
