// Tables of SQLite files as table functions.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// sqlite_scan(path, table): the rows of a table or view, with types by their declarations.
TableFunction MakeSqliteScan();

}  // namespace scaup
