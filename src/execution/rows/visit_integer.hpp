// VisitInteger: calls a template with the integer type that a key is stored as.
#pragma once

#include <cstdint>

#include "type/physical_type.hpp"

namespace scaup {

/// Calls visit.operator()<T>() with the integer type of at most 64 bits that values are stored as. Returns
/// false for all other types.
template <typename Visit>
bool VisitInteger(PhysicalType type, Visit&& visit) {
  switch (type) {
    case PhysicalType::kBool: visit.template operator()<uint8_t>(); return true;
    case PhysicalType::kInt8: visit.template operator()<int8_t>(); return true;
    case PhysicalType::kInt16: visit.template operator()<int16_t>(); return true;
    case PhysicalType::kInt32: visit.template operator()<int32_t>(); return true;
    case PhysicalType::kInt64: visit.template operator()<int64_t>(); return true;
    case PhysicalType::kUInt8: visit.template operator()<uint8_t>(); return true;
    case PhysicalType::kUInt16: visit.template operator()<uint16_t>(); return true;
    case PhysicalType::kUInt32: visit.template operator()<uint32_t>(); return true;
    case PhysicalType::kUInt64: visit.template operator()<uint64_t>(); return true;
    case PhysicalType::kInt128:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kString:
    case PhysicalType::kInterval: break;
  }
  return false;
}

}  // namespace scaup
