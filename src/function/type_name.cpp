// The names that PostgreSQL gives types in messages and in pg_typeof.
#include "function/type_name.hpp"

namespace scaup {

std::string PostgresTypeName(const LogicalType& type) {
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
    case TypeId::kDecimal:
      if (type.width() == 0) return "numeric";
      return "numeric(" + std::to_string(type.width()) + "," + std::to_string(type.scale()) + ")";
    case TypeId::kVarchar: return "text";
    case TypeId::kBlob: return "bytea";
    case TypeId::kDate: return "date";
    case TypeId::kTime: return "time without time zone";
    case TypeId::kTimestamp: return "timestamp without time zone";
    case TypeId::kInterval: return "interval";
  }
  return type.ToString();
}

}  // namespace scaup
