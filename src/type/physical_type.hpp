// The in-memory layout of the values of a logical type.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scaup/type.hpp"

namespace scaup {

/// The C++ type that stores a column's values. Kernels are written for these types.
enum class PhysicalType : uint8_t {
  kBool = 0,  ///< uint8_t, 0 or 1
  kInt8 = 1,
  kInt16 = 2,
  kInt32 = 3,
  kInt64 = 4,
  kInt128 = 5,
  kFloat = 6,
  kDouble = 7,
  kString = 8,    ///< StringRef
  kInterval = 9,  ///< Interval
  kUInt8 = 10,
  kUInt16 = 11,
  kUInt32 = 12,
  kUInt64 = 13,
};

/// The physical type of a logical type. kNull is stored as kInt8, and all values are NULL.
PhysicalType PhysicalTypeOf(const LogicalType& type);
/// The bytes per value.
size_t PhysicalSize(PhysicalType type);
inline size_t PhysicalSize(const LogicalType& type) { return PhysicalSize(PhysicalTypeOf(type)); }
/// The signed type whose values have the same bits as those of an unsigned type; any other type itself. For
/// what copies values or tests them for equality, and need not be compiled once more.
constexpr PhysicalType SignedTwin(PhysicalType type) {
  switch (type) {
    case PhysicalType::kUInt8: return PhysicalType::kInt8;
    case PhysicalType::kUInt16: return PhysicalType::kInt16;
    case PhysicalType::kUInt32: return PhysicalType::kInt32;
    case PhysicalType::kUInt64: return PhysicalType::kInt64;
    default: return type;
  }
}
inline bool IsStringLike(const LogicalType& type) { return PhysicalTypeOf(type) == PhysicalType::kString; }

/// The narrowest type that stores every DECIMAL of `width` digits.
constexpr PhysicalType DecimalPhysicalType(uint8_t width) {
  if (width <= 4) return PhysicalType::kInt16;
  if (width <= 9) return PhysicalType::kInt32;
  if (width <= 18) return PhysicalType::kInt64;
  return PhysicalType::kInt128;
}

}  // namespace scaup
