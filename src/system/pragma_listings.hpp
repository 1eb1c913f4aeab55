// Table functions behind PRAGMA: what the database and its tables look like from inside.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// pragma_database_size(): one row of sizes of file, log and memory.
TableFunction MakeDatabaseSizePragma();
/// pragma_storage_info(table): every column of every row group, as it is kept.
TableFunction MakeStorageInfoPragma();
TableFunction MakeCollectionInfoPragma();
/// pragma_integrity_check(): "ok", or a row for each thing that is wrong.
TableFunction MakeIntegrityCheckPragma();
/// pragma_table_info(table): the columns of a table.
TableFunction MakeTableInfoPragma();
/// pragma_show_tables(): the names of all tables.
TableFunction MakeShowTablesPragma();

}  // namespace scaup
