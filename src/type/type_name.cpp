// The names that PostgreSQL gives types in messages and in pg_typeof.
#include "type/type_name.hpp"

namespace scaup {

const char* PostgresBaseTypeName(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kNull: return "unknown";
    case TypeId::kBoolean: return "boolean";
    case TypeId::kTinyInt: return "tinyint";
    case TypeId::kSmallInt: return "smallint";
    case TypeId::kInteger: return "integer";
    case TypeId::kBigInt: return "bigint";
    case TypeId::kHugeInt: return "hugeint";
    case TypeId::kReal: return "real";
    case TypeId::kDouble: return "double precision";
    case TypeId::kDecimal: return "numeric";
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
  }
  return "unknown";
}

std::string PostgresTypeName(const LogicalType& type) {
  std::string name = PostgresBaseTypeName(type);
  if (type.id() == TypeId::kTime || type.id() == TypeId::kTimestamp) name += " without time zone";
  if (type.id() == TypeId::kDecimal && type.width() != 0) {
    name += "(" + std::to_string(type.width()) + "," + std::to_string(type.scale()) + ")";
  }
  return name;
}

}  // namespace scaup
