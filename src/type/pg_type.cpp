// PostgreSQL's catalog entries for the types.
#include "type/pg_type.hpp"

#include <string_view>

#include "type/type_modifier.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

constexpr PgType kTypes[] = {
    {"boolean", "bool", 16, 1, 'B'},
    {"bytea", "bytea", 17, -1, 'U'},
    {"name", "name", 19, 64, 'S'},
    {"bigint", "int8", 20, 8, 'N'},
    {"smallint", "int2", 21, 2, 'N'},
    {"integer", "int4", 23, 4, 'N'},
    {"text", "text", 25, -1, 'S'},
    {"json", "json", 114, -1, 'U'},
    {"real", "float4", 700, 4, 'N'},
    {"double precision", "float8", 701, 8, 'N'},
    {"unknown", "unknown", 705, -2, 'X'},
    {"character", "bpchar", 1042, -1, 'S'},
    {"character varying", "varchar", 1043, -1, 'S'},
    {"date", "date", 1082, 4, 'D'},
    {"time", "time", 1083, 8, 'D'},
    {"timestamp", "timestamp", 1114, 8, 'D'},
    {"timestamp with time zone", "timestamptz", 1184, 8, 'D'},
    {"interval", "interval", 1186, 16, 'T'},
    {"numeric", "numeric", 1700, -1, 'N'},
    {"uuid", "uuid", 2950, 16, 'U'},
    {"tinyint", "tinyint", 16384, 1, 'N'},
    {"hugeint", "hugeint", 16385, 16, 'N'},
};

constexpr uint32_t kNoIntervalPrecision = 0xffff;
constexpr int32_t kModifierOffset = 4;  ///< PostgreSQL's: the size of the length word before a value

}  // namespace

std::span<const PgType> AllPgTypes() { return kTypes; }

const PgType& PgTypeOf(const LogicalType& type) {
  std::string_view name = PostgresBaseTypeName(type);
  if (TextLengthOf(type)) name = IsChar(type) ? "character" : "character varying";
  const PgType* text = nullptr;
  for (const PgType& candidate : kTypes) {
    if (name == candidate.display_name) return candidate;
    if (std::string_view(candidate.name) == "text") text = &candidate;
  }
  return *text;
}

const PgType* FindPgType(int64_t oid) {
  for (const PgType& type : kTypes) {
    if (type.oid == oid) return &type;
  }
  return nullptr;
}

int32_t PgTypeModifier(const LogicalType& type) {
  if (const auto length = TextLengthOf(type)) return static_cast<int32_t>(*length) + kModifierOffset;
  if (type.id() == TypeId::kInterval && ModifierBits(type) != 0) {
    const uint32_t precision = PrecisionOf(type).value_or(kNoIntervalPrecision);
    return static_cast<int32_t>(IntervalFieldsOf(type) << 16 | precision);
  }
  if (const auto precision = PrecisionOf(type)) return static_cast<int32_t>(*precision);
  if (type.id() != TypeId::kDecimal || type.width() == 0) return -1;
  return (int32_t{type.width()} << 16 | type.scale()) + kModifierOffset;
}

std::optional<std::string> FormatPgType(int64_t oid, std::optional<int32_t> modifier) {
  const PgType* type = FindPgType(oid);
  if (type == nullptr) return std::nullopt;
  std::string name = type->display_name;
  const bool has_modifier = modifier && *modifier >= 0;
  if ((name == "time" || name == "timestamp" || name == "timestamp with time zone") && has_modifier)
    name.insert(name.find(' ') == std::string::npos ? name.size() : name.find(' '),
                "(" + std::to_string(*modifier) + ")");
  if (name.starts_with("time") && !name.ends_with("zone")) name += " without time zone";
  if (name.starts_with("character") && modifier && *modifier > kModifierOffset)
    name += "(" + std::to_string(*modifier - kModifierOffset) + ")";
  if (name == "interval" && has_modifier) {
    const uint32_t bits = static_cast<uint32_t>(*modifier);
    const std::string fields = IntervalFieldsText(bits >> 16 & kAllIntervalFields);
    if (!fields.empty()) name += " " + fields;
    if ((bits & 0xffff) <= kMaxPrecision) name += "(" + std::to_string(bits & 0xffff) + ")";
  }
  if (name == "numeric" && modifier && *modifier >= kModifierOffset) {
    const int32_t packed = *modifier - kModifierOffset;
    name += "(" + std::to_string(packed >> 16) + "," + std::to_string(packed & 0xffff) + ")";
  }
  return name;
}

}  // namespace scaup
