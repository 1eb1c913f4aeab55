// The check of LIMIT and OFFSET values that come from rows.
#pragma once

#include "function/scalar_function.hpp"

namespace scaup {

/// A function without SQL name that returns its BIGINT argument. Throws Error(kOutOfRange) if it is negative:
/// 2201W for LIMIT, 2201X for OFFSET.
ScalarFunction CheckedRowCount(bool is_limit);
/// A function without SQL name of a number of rows and a percentage (DOUBLE): that part of the rows, rounded
/// down. Throws Error(kOutOfRange, 2201W) unless the percentage is between 0 and 100.
ScalarFunction PercentOfRows();

}  // namespace scaup
