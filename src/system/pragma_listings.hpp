// Pragma listings: the table functions behind PRAGMA, which show the inside of the database and its tables.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// pragma_database_size(): one row with the sizes of the file, the log and the memory.
TableFunction MakeDatabaseSizePragma();
/// pragma_memory(): who holds memory: grants of operators, then kinds of memory.
TableFunction MakeMemoryPragma();
/// pragma_storage_info(table): every column of every row group, as it is stored.
TableFunction MakeStorageInfoPragma();
/// pragma_collection_info(table): the attributes of a collection's documents, with counts and statistics.
TableFunction MakeCollectionInfoPragma();
/// pragma_integrity_check(): "ok", or one row for each problem.
TableFunction MakeIntegrityCheckPragma();
/// pragma_table_info(table): the columns of a table.
TableFunction MakeTableInfoPragma();
/// pragma_show_tables(): the names of all tables.
TableFunction MakeShowTablesPragma();
/// pragma_collations(): the names of all collations.
TableFunction MakeCollationsPragma();

}  // namespace scaup
