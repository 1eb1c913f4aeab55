// System listings: table functions that list functions, settings, tables and columns.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// scaup_functions(): every overload of every function.
TableFunction MakeFunctionListing();
TableFunction MakeDuckdbFunctionListing();
/// scaup_settings(): the name, value and meaning of every setting.
TableFunction MakeSettingListing();
/// scaup_tables(): the tables and views that the statement sees.
TableFunction MakeTableListing();
/// scaup_columns(): the columns of these tables and views.
TableFunction MakeColumnListing();

}  // namespace scaup
