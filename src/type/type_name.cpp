// PostgreSQL's names of types, for messages and pg_typeof.
#include "type/type_name.hpp"

#include <algorithm>

#include "type/type_modifier.hpp"

namespace scaup {

const char* PostgresBaseTypeName(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kNull: return "unknown";
    case TypeId::kBoolean: return "boolean";
    case TypeId::kTinyInt: return "tinyint";
    case TypeId::kSmallInt: return "smallint";
    case TypeId::kInteger: return "integer";
    case TypeId::kBigInt:
      return ObjectNumberOf(type) == ObjectNumber::kNone ? "bigint" : ObjectNumberName(ObjectNumberOf(type));
    case TypeId::kHugeInt: return "hugeint";
    case TypeId::kReal: return "real";
    case TypeId::kDouble: return "double precision";
    case TypeId::kDecimal:
    case TypeId::kNumeric: return "numeric";
    case TypeId::kVarchar: return "text";
    case TypeId::kBlob: return "bytea";
    case TypeId::kDate: return "date";
    case TypeId::kTime: return "time";
    case TypeId::kTimestamp: return "timestamp";
    case TypeId::kInterval: return "interval";
    case TypeId::kUuid: return "uuid";
    case TypeId::kTimestampTz: return "timestamp with time zone";
    case TypeId::kJson: return "json";
    case TypeId::kJsonb: return "jsonb";
    case TypeId::kUTinyInt: return "utinyint";
    case TypeId::kUSmallInt: return "usmallint";
    case TypeId::kUInteger: return "uinteger";
    case TypeId::kUBigInt: return "ubigint";
    case TypeId::kBit: return IsVaryingBit(type) ? "bit varying" : "bit";
    case TypeId::kTimeTz: return "time with time zone";
    case TypeId::kEnum: return type.enum_name().c_str();
    case TypeId::kList: return IsMap(type) ? "map" : "array";
    case TypeId::kStruct: return IsUnion(type) ? "union" : "record";
    case TypeId::kRange:
    case TypeId::kMultirange: return RangeTypeName(type);
  }
  return "unknown";
}

std::string PostgresTypeName(const LogicalType& type) {
  if (IsMap(type)) return type.ToString();
  if (type.id() == TypeId::kList) return PostgresTypeName(type.element()) + "[]";
  if (type.id() == TypeId::kStruct) return type.ToString();
  std::string name = PostgresBaseTypeName(type);
  if (type.id() == TypeId::kTime || type.id() == TypeId::kTimestamp) name += " without time zone";
  if (type.id() == TypeId::kDecimal && type.width() != 0) {
    name += "(" + std::to_string(type.width()) + "," + std::to_string(type.scale()) + ")";
  }
  return name;
}

/// The names of the ranges and multiranges between bounds of a type.
struct RangeNames {
  TypeId bound;
  const char* range;
  const char* multirange;
};
constexpr RangeNames kRangeNames[] = {
    {TypeId::kInteger, "int4range", "int4multirange"},     {TypeId::kBigInt, "int8range", "int8multirange"},
    {TypeId::kNumeric, "numrange", "nummultirange"},       {TypeId::kTimestamp, "tsrange", "tsmultirange"},
    {TypeId::kTimestampTz, "tstzrange", "tstzmultirange"}, {TypeId::kDate, "daterange", "datemultirange"},
    {TypeId::kNull, "anyrange", "anymultirange"}};

const char* RangeTypeName(const LogicalType& type) {
  const TypeId bound = RangeBoundType(type).id();
  for (const RangeNames& names : kRangeNames) {
    if (names.bound == bound) return type.id() == TypeId::kRange ? names.range : names.multirange;
  }
  return "range";
}

std::optional<LogicalType> RangeTypeFromName(std::string_view name) {
  for (const RangeNames& names : kRangeNames) {
    if (names.bound == TypeId::kNull) continue;
    if (name == names.range) return RangeType(names.bound);
    if (name == names.multirange) return MultirangeType(names.bound);
  }
  return std::nullopt;
}

std::string QuotedFieldName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  quoted += '"';
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  const bool needs_quotes =
      name.empty() || (name[0] >= '0' && name[0] <= '9') || !std::all_of(name.begin(), name.end(), is_plain);
  return needs_quotes ? quoted : std::string(name);
}

}  // namespace scaup
