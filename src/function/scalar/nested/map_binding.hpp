// The shared part of functions of maps: their types.
#pragma once

#include "function/scalar/nested/list_binding.hpp"

namespace scaup {

/// The function that MAP {k: v} calls.
inline constexpr const char* kMapPackFunction = "map_pack";

/// Stands in argument_types for a map of any type, in overloads with any_types.
inline LogicalType AnyMapType() { return LogicalType::Map(TypeId::kNull, TypeId::kNull); }

/// The common type of two types of keys, values or maps. Throws Error(42883) if there is none.
LogicalType MapPartType(const ScalarFunction& function, std::span<const BindArgument> arguments,
                        const LogicalType& a, const LogicalType& b);

}  // namespace scaup
