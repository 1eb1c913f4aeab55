// Maps logical types to their in-memory layout.
#include "type/physical_type.hpp"

#include "common/throw.hpp"

namespace scaup {

PhysicalType PhysicalTypeOf(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kNull:
    case TypeId::kTinyInt: return PhysicalType::kInt8;
    case TypeId::kBoolean: return PhysicalType::kBool;
    case TypeId::kSmallInt:
    case TypeId::kEnum: return PhysicalType::kInt16;
    case TypeId::kInteger:
    case TypeId::kDate: return PhysicalType::kInt32;
    case TypeId::kBigInt:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimeTz: return PhysicalType::kInt64;
    case TypeId::kHugeInt:
    case TypeId::kUuid: return PhysicalType::kInt128;
    case TypeId::kReal: return PhysicalType::kFloat;
    case TypeId::kDouble: return PhysicalType::kDouble;
    case TypeId::kDecimal: return DecimalPhysicalType(type.width());
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kJson:
    case TypeId::kJsonb:
    case TypeId::kNumeric:
    case TypeId::kBit:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: return PhysicalType::kString;
    case TypeId::kInterval: return PhysicalType::kInterval;
    case TypeId::kUTinyInt: return PhysicalType::kUInt8;
    case TypeId::kUSmallInt: return PhysicalType::kUInt16;
    case TypeId::kUInteger: return PhysicalType::kUInt32;
    case TypeId::kUBigInt: return PhysicalType::kUInt64;
  }
  ThrowInternal("unknown type id");
}

size_t PhysicalSize(PhysicalType type) {
  static constexpr size_t kSizes[] = {1, 1, 2, 4, 8, 16, 4, 8, 16, 16, 1, 2, 4, 8};
  return kSizes[static_cast<size_t>(type)];
}

}  // namespace scaup
