// Functions that make values fit the modifier of a type: VARCHAR(10), CHAR(3), BIT(4), TIMESTAMP(0), INTERVAL
// HOUR.
#pragma once

#include <memory>

#include "function/scalar_function.hpp"

namespace scaup {

/// A function without SQL name and its data, for a call with one argument.
struct BoundFunction {
  ScalarFunction function;
  std::shared_ptr<const FunctionData> data;
};

/// Returns the function that makes a value fit the type's modifier. Too long a text is cut by an explicit
/// cast; in an assignment it is an error 22001, unless only spaces are too much. Bit strings are cut and
/// filled with zeros; an assignment refuses those of another length (22026, 22001). Times are rounded.
/// REQUIRES: the type has a modifier.
BoundFunction FittingFunction(const LogicalType& type, bool is_explicit);

/// Returns the function that makes a BIT(n) of the lowest bits of a HUGEINT, before which its sign goes on.
/// REQUIRES: the type is BIT(n).
BoundFunction CutBitsFunction(const LogicalType& type);

/// Returns the function that fills the texts of a CHAR(n) up with spaces, as clients see them. REQUIRES:
/// IsChar(type).
BoundFunction FillingFunction(const LogicalType& type);

}  // namespace scaup
