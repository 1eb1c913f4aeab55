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

/// The functions that turn values of a type into text and bytes and back, as pg_type names them. Clients know
/// by them how values are sent. Nobody can call them, as in PostgreSQL.
struct PgTypeFunctions {
  int64_t type_oid;
  const char* stem;                      ///< of their names, which end in "in", "out", "recv" and "send"
  int64_t input, output, receive, send;  ///< their numbers; 0 for none
};
std::span<const PgTypeFunctions> AllPgTypeFunctions();
/// Returns the functions of a type, null if it has none. All lists have the same, as do all enums.
const PgTypeFunctions* FindPgTypeFunctions(int64_t oid);
extern const PgTypeFunctions kPgListFunctions, kPgEnumFunctions;

/// The types of lists that PostgreSQL has as an int2vector and an oidvector: SMALLINT[] and BIGINT[] with a
/// modifier, by which the server sends them as such.
constexpr uint32_t kVectorModifier = 1;
inline LogicalType Int2VectorType() {
  return WithModifierBits(LogicalType::List(TypeId::kSmallInt), kVectorModifier);
}
inline LogicalType OidVectorType() {
  return WithModifierBits(LogicalType::List(TypeId::kBigInt), kVectorModifier);
}

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
