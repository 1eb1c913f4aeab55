// The functions of the driver's table, by handle.
#pragma once

#include "adbc.h"

namespace scaup::adbc {

// Fill their part of the table; that of version 1.1 only if `has_1_1` is set, as the caller's structure may
// end before it.

void FillDatabaseFunctions(AdbcDriver& driver, bool has_1_1);
void FillConnectionFunctions(AdbcDriver& driver, bool has_1_1);
void FillStatementFunctions(AdbcDriver& driver, bool has_1_1);

}  // namespace scaup::adbc
