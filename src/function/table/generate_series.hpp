// generate_series and range: rows that count from one value to another.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// generate_series(start, stop [, step]) of integers, dates or timestamps, including `stop`.
TableFunction MakeGenerateSeries();
/// range(stop) and range(start, stop [, step]), the same excluding `stop`.
TableFunction MakeRange();

}  // namespace scaup
