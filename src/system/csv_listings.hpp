// sniff_csv: what read_csv finds out about a file by itself.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// sniff_csv(path, ...): one row with the dialect, the columns, and the call of read_csv that says all that.
TableFunction MakeSniffCsv();

}  // namespace scaup
