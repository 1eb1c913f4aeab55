// The table function read_csv_rejects: what read_csv leaves out when it ignores errors.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// read_csv_rejects(path, ...): a row for each value that is not of its column's type, and for each row that
/// is none; options are those of read_csv.
TableFunction MakeReadCsvRejects();

}  // namespace scaup
