// PostgreSQL's catalog entries for the types: numbers and names that clients rely on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "scaup/type.hpp"

namespace scaup {

/// A row of pg_type. The numbers are PostgreSQL's; types that it lacks have numbers from 16384 up.
struct PgType {
  const char* display_name;  ///< the name that PostgresBaseTypeName returns
  const char* name;          ///< pg_type.typname: "int4"
  int64_t oid;
  int16_t length;    ///< in bytes; -1 if it varies
  char category;     ///< 'N' number, 'S' string, 'D' date or time, 'B' boolean, 'T' interval, 'U' other
  int64_t list_oid;  ///< the number of its list; 0 for none
};

std::span<const PgType> AllPgTypes();
/// The row of a type; that of "text" for a type that is not in the list. For a list, that of its innermost
/// element: lists of all dimensions have one number.
const PgType& PgTypeOf(const LogicalType& type);
/// The row with this number; null if there is none.
const PgType* FindPgType(int64_t oid);
/// The value of atttypmod: width and scale of a DECIMAL, otherwise -1.
int32_t PgTypeModifier(const LogicalType& type);
/// Formats a type from its number and modifier as PostgreSQL does: "numeric(15,2)", "integer"; nullopt for an
/// unknown number.
std::optional<std::string> FormatPgType(int64_t oid, std::optional<int32_t> modifier);

}  // namespace scaup
