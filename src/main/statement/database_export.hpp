// EXPORT DATABASE and IMPORT DATABASE: a database as a directory of SQL and CSV files.
#pragma once

#include <functional>

#include "binder/bound/bound_statement.hpp"
#include "execution/run/query_context.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Runs a statement to its end inside of the transaction of the one that calls it.
using RunStatement = std::function<void(const ast::Statement& statement)>;

/// Writes all that the transaction sees into a new or empty directory: a file of rows for each table,
/// load.sql with their COPY statements, and schema.sql, which comes last: a directory without it is no
/// export. On an error the files are removed again. Throws Error(kIo), with 58P02 for a directory that is not
/// empty or no directory.
void ExportDatabase(QueryContext& context, const BoundExportDatabase& statement, const RunStatement& run);

/// Runs schema.sql and load.sql of a directory. Files that they name are looked for in the directory unless
/// their paths are absolute. Errors name the file and line; nothing stays if the transaction is rolled back.
void ImportDatabase(QueryContext& context, const BoundImportDatabase& statement, const RunStatement& run);

}  // namespace scaup
