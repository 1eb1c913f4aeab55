// The mapping of types to arithmetic and comparison kernels.
#pragma once

#include <optional>
#include <type_traits>

#include "type/physical_type.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// The index of a type in the kernel tables; nullopt for types without kernels. BOOLEAN, 0 or 1, compares as
/// int8_t.
constexpr std::optional<KernelType> KernelTypeOf(PhysicalType type) {
  switch (type) {
    case PhysicalType::kBool:
    case PhysicalType::kInt8: return KernelType::kInt8;
    case PhysicalType::kInt16: return KernelType::kInt16;
    case PhysicalType::kInt32: return KernelType::kInt32;
    case PhysicalType::kInt64: return KernelType::kInt64;
    case PhysicalType::kFloat: return KernelType::kFloat;
    case PhysicalType::kDouble: return KernelType::kDouble;
    case PhysicalType::kInt128:
    case PhysicalType::kString:
    case PhysicalType::kInterval:
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64: return std::nullopt;
  }
  return std::nullopt;
}

/// The kernel type of a C++ type.
template <typename T>
constexpr std::optional<KernelType> KernelTypeOf() {
  if constexpr (std::is_same_v<T, int8_t>) return KernelType::kInt8;
  if constexpr (std::is_same_v<T, int16_t>) return KernelType::kInt16;
  if constexpr (std::is_same_v<T, int32_t>) return KernelType::kInt32;
  if constexpr (std::is_same_v<T, int64_t>) return KernelType::kInt64;
  if constexpr (std::is_same_v<T, float>) return KernelType::kFloat;
  if constexpr (std::is_same_v<T, double>) return KernelType::kDouble;
  return std::nullopt;
}

}  // namespace scaup
