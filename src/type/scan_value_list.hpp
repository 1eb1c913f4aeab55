// What an IN says to a scan: a column and the values that it may have.
#pragma once

#include <cstddef>
#include <vector>

#include "scaup/value.hpp"

namespace scaup {

/// The scan may leave out rows where the column has none of the values; it need not. A value; beside the
/// ScanFilters.
struct ScanValueList {
  size_t column = 0;          ///< index into the table's columns
  std::vector<Value> values;  ///< of the column's type, not NULL
};

}  // namespace scaup
