// A key that tells apart values that are equal but not the same.
#pragma once

#include <optional>

#include "function/scalar_function.hpp"

namespace scaup {

/// Returns whether values of the type can be equal without being the same: 0 and -0, '1 month' and '30 days'.
/// Expressions over such values can give different results.
bool HasEqualButDifferentValues(const LogicalType& type);

/// Returns a function without SQL name from a floating-point number to its bits as an integer; nullopt for
/// other types.
std::optional<ScalarFunction> BitsOfNumber(const LogicalType& type);

}  // namespace scaup
