// Functions that clients ask of a PostgreSQL server.
#pragma once

#include "function/scalar/scalar_functions.hpp"

namespace scaup {

ScalarFunctionList ServerFunctions();  ///< pg_postmaster_start_time, pg_column_size and others

}  // namespace scaup
