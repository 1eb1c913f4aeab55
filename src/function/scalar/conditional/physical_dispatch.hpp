// Calls code that is generic over the C++ type of a column's values.
#pragma once

#include "common/throw.hpp"
#include "type/physical_type.hpp"
#include "type/string_ref.hpp"

namespace scaup {

/// Returns generic.template operator()<T>() for the C++ type T behind `type`.
template <typename Generic>
auto DispatchPhysical(PhysicalType type, Generic&& generic) {
  switch (type) {
    case PhysicalType::kBool: return generic.template operator()<uint8_t>();
    case PhysicalType::kInt8: return generic.template operator()<int8_t>();
    case PhysicalType::kInt16: return generic.template operator()<int16_t>();
    case PhysicalType::kInt32: return generic.template operator()<int32_t>();
    case PhysicalType::kInt64: return generic.template operator()<int64_t>();
    case PhysicalType::kInt128: return generic.template operator()<int128_t>();
    case PhysicalType::kFloat: return generic.template operator()<float>();
    case PhysicalType::kDouble: return generic.template operator()<double>();
    case PhysicalType::kString: return generic.template operator()<StringRef>();
    case PhysicalType::kInterval: return generic.template operator()<Interval>();
  }
  ThrowInternal("unknown physical type");
}

}  // namespace scaup
