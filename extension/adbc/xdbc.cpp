// The table of XDBC numbers.
#include "xdbc.hpp"

namespace scaup::adbc {

namespace {

struct TypeNumber {
  std::string_view name;
  int16_t data_type;
  int16_t datetime_sub;  ///< 0 for types that are neither dates nor times
};
constexpr TypeNumber kNumbers[] = {
    {"BOOLEAN", -7, 0},  {"TINYINT", -6, 0},   {"SMALLINT", 5, 0},
    {"INTEGER", 4, 0},   {"BIGINT", -5, 0},    {"HUGEINT", 2, 0},
    {"REAL", 7, 0},      {"DOUBLE", 8, 0},     {"DECIMAL", 3, 0},
    {"VARCHAR", 12, 0},  {"BLOB", -4, 0},      {"DATE", 91, 1},
    {"TIME", 92, 2},     {"TIMESTAMP", 93, 3}, {"TIMESTAMP WITH TIME ZONE", 93, 3},
    {"INTERVAL", 10, 0}, {"UUID", -11, 0},     {"JSON", -1, 0},
    {"JSONB", -1, 0},
};
constexpr int16_t kDateTime = 9;
constexpr int16_t kVarchar = 12;

}  // namespace

XdbcType XdbcTypeOf(std::string_view sql_type) {
  if (sql_type.ends_with("[]") || sql_type.starts_with("STRUCT")) return {};
  // Parameters stand behind the name, or within it: TIMESTAMP(3) WITH TIME ZONE.
  const bool has_zone = sql_type.ends_with("WITH TIME ZONE");
  const std::string_view name = has_zone ? sql_type.substr(0, 0) : sql_type.substr(0, sql_type.find('('));
  for (const TypeNumber& number : kNumbers) {
    if (has_zone ? number.name != "TIMESTAMP WITH TIME ZONE" : number.name != name) continue;
    if (number.datetime_sub == 0) return {number.data_type, number.data_type, {}};
    return {number.data_type, kDateTime, number.datetime_sub};
  }
  return {kVarchar, kVarchar, {}};
}

}  // namespace scaup::adbc
