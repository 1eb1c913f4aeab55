// Dispatch from a physical type known at run time to a C++ template argument.
#pragma once

#include "common/check.hpp"
#include "scaup/type.hpp"
#include "type/physical_type.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

/// Returns visit.template operator()<T>(), where T is the C++ type of `type`; uint8_t for BOOLEAN,
/// too.
template <typename Visit>
auto VisitPhysicalType(PhysicalType type, Visit&& visit) {
  switch (type) {
    case PhysicalType::kBool: return visit.template operator()<uint8_t>();
    case PhysicalType::kInt8: return visit.template operator()<int8_t>();
    case PhysicalType::kInt16: return visit.template operator()<int16_t>();
    case PhysicalType::kInt32: return visit.template operator()<int32_t>();
    case PhysicalType::kInt64: return visit.template operator()<int64_t>();
    case PhysicalType::kInt128: return visit.template operator()<int128_t>();
    case PhysicalType::kFloat: return visit.template operator()<float>();
    case PhysicalType::kDouble: return visit.template operator()<double>();
    case PhysicalType::kString: return visit.template operator()<StringRef>();
    case PhysicalType::kInterval: return visit.template operator()<Interval>();
    case PhysicalType::kUInt8: return visit.template operator()<uint8_t>();
    case PhysicalType::kUInt16: return visit.template operator()<uint16_t>();
    case PhysicalType::kUInt32: return visit.template operator()<uint32_t>();
    case PhysicalType::kUInt64: return visit.template operator()<uint64_t>();
  }
  ThrowInternal("unknown physical type");
}

/// Like VisitPhysicalType, with the signed type of the same size for unsigned integers.
template <typename Visit>
auto VisitBits(PhysicalType type, Visit&& visit) {
  switch (type) {
    case PhysicalType::kBool: return visit.template operator()<uint8_t>();
    case PhysicalType::kInt8:
    case PhysicalType::kUInt8: return visit.template operator()<int8_t>();
    case PhysicalType::kInt16:
    case PhysicalType::kUInt16: return visit.template operator()<int16_t>();
    case PhysicalType::kInt32:
    case PhysicalType::kUInt32: return visit.template operator()<int32_t>();
    case PhysicalType::kInt64:
    case PhysicalType::kUInt64: return visit.template operator()<int64_t>();
    case PhysicalType::kInt128: return visit.template operator()<int128_t>();
    case PhysicalType::kFloat: return visit.template operator()<float>();
    case PhysicalType::kDouble: return visit.template operator()<double>();
    case PhysicalType::kString: return visit.template operator()<StringRef>();
    case PhysicalType::kInterval: return visit.template operator()<Interval>();
  }
  ThrowInternal("unknown physical type");
}

}  // namespace scaup
