// generate_series and range: rows counted up from one value to another.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// generate_series(start, stop [, step]): whole numbers, dates or timestamps, `stop` included.
TableFunction MakeGenerateSeries();
/// range(stop), range(start, stop [, step]): the same, `stop` left out.
TableFunction MakeRange();

}  // namespace scaup
