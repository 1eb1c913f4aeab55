// PostgreSQL's catalog entries for the types.
#include "type/pg_type.hpp"

#include <string_view>

#include "type/type_modifier.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

constexpr PgType kTypes[] = {
    {"boolean", "bool", 16, 1, 'B', 1000},
    {"bytea", "bytea", 17, -1, 'U', 1001},
    {"\"char\"", "char", 18, 1, 'Z', 1002},
    {"name", "name", 19, 64, 'S', 1003},
    {"bigint", "int8", 20, 8, 'N', 1016},
    {"smallint", "int2", 21, 2, 'N', 1005},
    {"integer", "int4", 23, 4, 'N', 1007},
    {"regproc", "regproc", 24, 4, 'N', 1008},
    {"text", "text", 25, -1, 'S', 1009},
    {"oid", "oid", 26, 4, 'N', 1028},
    {"json", "json", 114, -1, 'U', 199},
    {"real", "float4", 700, 4, 'N', 1021},
    {"double precision", "float8", 701, 8, 'N', 1022},
    {"unknown", "unknown", 705, -2, 'X', 0},
    {"character", "bpchar", 1042, -1, 'S', 1014},
    {"character varying", "varchar", 1043, -1, 'S', 1015},
    {"date", "date", 1082, 4, 'D', 1182},
    {"time", "time", 1083, 8, 'D', 1183},
    {"timestamp", "timestamp", 1114, 8, 'D', 1115},
    {"timestamp with time zone", "timestamptz", 1184, 8, 'D', 1185},
    {"interval", "interval", 1186, 16, 'T', 1187},
    {"time with time zone", "timetz", 1266, 12, 'D', 1270},
    {"bit", "bit", 1560, -1, 'V', 1561},
    {"bit varying", "varbit", 1562, -1, 'V', 1563},
    {"numeric", "numeric", 1700, -1, 'N', 1231},
    {"regclass", "regclass", 2205, 4, 'N', 2210},
    {"regtype", "regtype", 2206, 4, 'N', 2211},
    {"record", "record", 2249, -1, 'P', 2287},
    {"cstring", "cstring", 2275, -2, 'P', 1263},
    {"any", "any", 2276, 4, 'P', 0},
    {"anyarray", "anyarray", 2277, -1, 'P', 0},
    {"void", "void", 2278, 4, 'P', 0},
    {"trigger", "trigger", 2279, 4, 'P', 0},
    {"internal", "internal", 2281, 8, 'P', 0},
    {"anyelement", "anyelement", 2283, 4, 'P', 0},
    {"uuid", "uuid", 2950, 16, 'U', 2951},
    {"jsonb", "jsonb", 3802, -1, 'U', 3807},
    {"int4range", "int4range", 3904, -1, 'R', 3905},
    {"numrange", "numrange", 3906, -1, 'R', 3907},
    {"tsrange", "tsrange", 3908, -1, 'R', 3909},
    {"tstzrange", "tstzrange", 3910, -1, 'R', 3911},
    {"daterange", "daterange", 3912, -1, 'R', 3913},
    {"int8range", "int8range", 3926, -1, 'R', 3927},
    {"regnamespace", "regnamespace", 4089, 4, 'N', 4090},
    {"regrole", "regrole", 4096, 4, 'N', 4097},
    {"event_trigger", "event_trigger", 3838, 4, 'P', 0},
    {"int4multirange", "int4multirange", 4451, -1, 'R', 6150},
    {"nummultirange", "nummultirange", 4532, -1, 'R', 6151},
    {"tsmultirange", "tsmultirange", 4533, -1, 'R', 6152},
    {"tstzmultirange", "tstzmultirange", 4534, -1, 'R', 6153},
    {"datemultirange", "datemultirange", 4535, -1, 'R', 6155},
    {"int8multirange", "int8multirange", 4536, -1, 'R', 6157},
    {"tinyint", "tinyint", 16384, 1, 'N', 16386},
    {"hugeint", "hugeint", 16385, 16, 'N', 16387},
    {"utinyint", "utinyint", 16388, 1, 'N', 16392},
    {"usmallint", "usmallint", 16389, 2, 'N', 16393},
    {"uinteger", "uinteger", 16390, 4, 'N', 16394},
    {"ubigint", "ubigint", 16391, 8, 'N', 16395},
};

constexpr PgTypeFunctions kTypeFunctions[] = {
    {16, "bool", 1242, 1243, 2436, 2437},
    {17, "bytea", 1244, 31, 2412, 2413},
    {18, "char", 1245, 33, 2434, 2435},
    {19, "name", 34, 35, 2422, 2423},
    {20, "int8", 460, 461, 2408, 2409},
    {21, "int2", 38, 39, 2404, 2405},
    {23, "int4", 42, 43, 2406, 2407},
    {24, "regproc", 44, 45, 2444, 2445},
    {25, "text", 46, 47, 2414, 2415},
    {26, "oid", 1798, 1799, 2418, 2419},
    {114, "json_", 321, 322, 323, 324},
    {700, "float4", 200, 201, 2424, 2425},
    {701, "float8", 214, 215, 2426, 2427},
    {705, "unknown", 109, 110, 2416, 2417},
    {1042, "bpchar", 1044, 1045, 2430, 2431},
    {1043, "varchar", 1046, 1047, 2432, 2433},
    {1082, "date_", 1084, 1085, 2468, 2469},
    {1083, "time_", 1143, 1144, 2470, 2471},
    {1114, "timestamp_", 1312, 1313, 2474, 2475},
    {1184, "timestamptz_", 1150, 1151, 2476, 2477},
    {1186, "interval_", 1160, 1161, 2478, 2479},
    {1266, "timetz_", 1350, 1351, 2472, 2473},
    {1560, "bit_", 1564, 1565, 2456, 2457},
    {1562, "varbit_", 1579, 1580, 2458, 2459},
    {1700, "numeric_", 1701, 1702, 2460, 2461},
    {2205, "regclass", 2218, 2219, 2452, 2453},
    {2206, "regtype", 2220, 2221, 2454, 2455},
    {2249, "record_", 2290, 2291, 2402, 2403},
    {2275, "cstring_", 2292, 2293, 2500, 2501},
    {2276, "any_", 2294, 2295, 0, 0},
    {2277, "anyarray_", 2296, 2297, 2502, 2503},
    {2278, "void_", 2298, 2299, 3120, 3121},
    {2279, "trigger_", 2300, 2301, 0, 0},
    {2281, "internal_", 2304, 2305, 0, 0},
    {2283, "anyelement_", 2312, 2313, 0, 0},
    {2950, "uuid_", 2952, 2953, 2961, 2962},
    {3802, "jsonb_", 3806, 3804, 3805, 3803},
    {3838, "event_trigger_", 3594, 3595, 0, 0},
    {4089, "regnamespace", 4084, 4085, 4087, 4088},
    {4096, "regrole", 4098, 4092, 4094, 4095},
    {3904, "range_", 3834, 3835, 3836, 3837},
    {3906, "range_", 3834, 3835, 3836, 3837},
    {3908, "range_", 3834, 3835, 3836, 3837},
    {3910, "range_", 3834, 3835, 3836, 3837},
    {3912, "range_", 3834, 3835, 3836, 3837},
    {3926, "range_", 3834, 3835, 3836, 3837},
    {4451, "multirange_", 4231, 4232, 4233, 4234},
    {4532, "multirange_", 4231, 4232, 4233, 4234},
    {4533, "multirange_", 4231, 4232, 4233, 4234},
    {4534, "multirange_", 4231, 4232, 4233, 4234},
    {4535, "multirange_", 4231, 4232, 4233, 4234},
    {4536, "multirange_", 4231, 4232, 4233, 4234},
};

constexpr uint32_t kNoIntervalPrecision = 0xffff;
constexpr int32_t kModifierOffset = 4;  ///< PostgreSQL's: the size of the length word before a value

}  // namespace

constexpr PgTypeFunctions kPgListFunctions = {0, "array_", 750, 751, 2400, 2401};
constexpr PgTypeFunctions kPgEnumFunctions = {0, "enum_", 3506, 3507, 3532, 3533};

std::span<const PgTypeFunctions> AllPgTypeFunctions() { return kTypeFunctions; }

const PgTypeFunctions* FindPgTypeFunctions(int64_t oid) {
  for (const PgTypeFunctions& functions : kTypeFunctions) {
    if (functions.type_oid == oid) return &functions;
  }
  return nullptr;
}

std::span<const PgType> AllPgTypes() { return kTypes; }

/// Returns the row of a type's name; null if there is none.
static constexpr const PgType* FindNamed(std::string_view name) {
  for (const PgType& candidate : kTypes) {
    if (name == candidate.display_name) return &candidate;
  }
  return nullptr;
}

/// Returns the row of a name that is known to have one. Servers ask for each column of each result, so names
/// are looked up when this is compiled.
static consteval const PgType* Named(std::string_view name) {
  const PgType* const found = FindNamed(name);
  if (found == nullptr) throw "no type has this name";
  return found;
}

const PgType& PgTypeOf(const LogicalType& type) {
  static constexpr const PgType* kText = Named("text");
  switch (type.id()) {
    case TypeId::kNull: return *Named("unknown");
    case TypeId::kBoolean: return *Named("boolean");
    case TypeId::kTinyInt: return *Named("tinyint");
    case TypeId::kSmallInt: return *Named("smallint");
    case TypeId::kInteger: return *Named("integer");
    case TypeId::kBigInt: {
      if (ObjectNumberOf(type) == ObjectNumber::kNone) return *Named("bigint");
      const PgType* const found = FindNamed(ObjectNumberName(ObjectNumberOf(type)));
      return found != nullptr ? *found : *kText;
    }
    case TypeId::kHugeInt: return *Named("hugeint");
    case TypeId::kUTinyInt: return *Named("utinyint");
    case TypeId::kUSmallInt: return *Named("usmallint");
    case TypeId::kUInteger: return *Named("uinteger");
    case TypeId::kUBigInt: return *Named("ubigint");
    case TypeId::kReal: return *Named("real");
    case TypeId::kDouble: return *Named("double precision");
    case TypeId::kDecimal:
    case TypeId::kNumeric: return *Named("numeric");
    case TypeId::kVarchar:
      if (!TextLengthOf(type)) return *kText;
      return IsChar(type) ? *Named("character") : *Named("character varying");
    case TypeId::kBlob: return *Named("bytea");
    case TypeId::kDate: return *Named("date");
    case TypeId::kTime: return *Named("time");
    case TypeId::kTimestamp: return *Named("timestamp");
    case TypeId::kInterval: return *Named("interval");
    case TypeId::kUuid: return *Named("uuid");
    case TypeId::kTimestampTz: return *Named("timestamp with time zone");
    case TypeId::kTimeTz: return *Named("time with time zone");
    case TypeId::kBit: return IsVaryingBit(type) ? *Named("bit varying") : *Named("bit");
    case TypeId::kJson: return *Named("json");
    case TypeId::kJsonb: return *Named("jsonb");
    case TypeId::kList: return IsMap(type) ? *kText : PgTypeOf(type.element());  // clients see maps as texts
    case TypeId::kStruct: return IsUnion(type) ? *kText : *Named("record");      // and unions
    case TypeId::kEnum: return *kText;
    case TypeId::kRange:
    case TypeId::kMultirange: {
      const PgType* const found = FindNamed(RangeTypeName(type));
      return found != nullptr ? *found : *kText;
    }
  }
  return *kText;
}

const PgType* FindPgType(int64_t oid) {
  for (const PgType& type : kTypes) {
    if (type.oid == oid) return &type;
  }
  return nullptr;
}

int32_t PgTypeModifier(const LogicalType& type) {
  if (const auto length = TextLengthOf(type)) return static_cast<int32_t>(*length) + kModifierOffset;
  if (const auto length = BitLengthOf(type)) return static_cast<int32_t>(*length);
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
  if (type == nullptr) {
    for (const PgType& element : kTypes) {
      if (element.list_oid != oid || oid == 0) continue;
      return FormatPgType(element.oid, modifier).value() + "[]";
    }
    return std::nullopt;
  }
  std::string name = type->display_name;
  const bool has_modifier = modifier && *modifier >= 0;
  if (name.starts_with("bit") && modifier && *modifier > 0) name += "(" + std::to_string(*modifier) + ")";
  if (name.starts_with("time") && has_modifier)
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
