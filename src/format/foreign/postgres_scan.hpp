// Tables and queries of PostgreSQL servers as table functions.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// postgres_scan(connection, schema, table): the rows of a table or view.
TableFunction MakePostgresScan();
/// postgres_query(connection, query): the rows that a query gives.
TableFunction MakePostgresQuery();

}  // namespace scaup
