// Table functions that list what the database has: functions, settings, tables, columns.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// scaup_functions(): every overload of every function.
TableFunction MakeFunctionListing();
/// scaup_settings(): name, value and meaning of every setting.
TableFunction MakeSettingListing();
/// scaup_tables(): the tables that the statement sees.
TableFunction MakeTableListing();
/// scaup_columns(): their columns.
TableFunction MakeColumnListing();

}  // namespace scaup
