// What LIMIT and OFFSET are checked by where their values come from rows.
#pragma once

#include "function/scalar_function.hpp"

namespace scaup {

/// Gives a BIGINT as it is; throws Error(kOutOfRange) where it is negative: 2201W of a LIMIT, else 2201X. It
/// has no name in SQL.
ScalarFunction CheckedRowCount(bool is_limit);

}  // namespace scaup
