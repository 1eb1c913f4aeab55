// SQL's names of types.
#include "scaup/type.hpp"

namespace scaup {

std::string LogicalType::ToString() const {
  switch (id_) {
    case TypeId::kNull: return "NULL";
    case TypeId::kBoolean: return "BOOLEAN";
    case TypeId::kTinyInt: return "TINYINT";
    case TypeId::kSmallInt: return "SMALLINT";
    case TypeId::kInteger: return "INTEGER";
    case TypeId::kBigInt: return "BIGINT";
    case TypeId::kHugeInt: return "HUGEINT";
    case TypeId::kReal: return "REAL";
    case TypeId::kDouble: return "DOUBLE";
    case TypeId::kDecimal: return "DECIMAL(" + std::to_string(width_) + "," + std::to_string(scale_) + ")";
    case TypeId::kVarchar: return "VARCHAR";
    case TypeId::kBlob: return "BLOB";
    case TypeId::kDate: return "DATE";
    case TypeId::kTime: return "TIME";
    case TypeId::kTimestamp: return "TIMESTAMP";
    case TypeId::kInterval: return "INTERVAL";
    case TypeId::kUuid: return "UUID";
    case TypeId::kTimestampTz: return "TIMESTAMP WITH TIME ZONE";
    case TypeId::kJson: return "JSON";
    case TypeId::kJsonb: return "JSONB";
  }
  return "UNKNOWN";
}

}  // namespace scaup
