// EXPORT DATABASE and IMPORT DATABASE: a database as a directory of SQL and CSV files.
#pragma once

#include <functional>

#include "binder/bound/bound_statement.hpp"
#include "execution/run/query_context.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Runs a statement to its end within the transaction of the calling statement.
using RunStatement = std::function<void(const ast::Statement& statement)>;

/// Writes everything that the transaction sees into a new or empty directory: a file of rows for each table,
/// load.sql with their COPY statements, and schema.sql. schema.sql comes last, as a directory without it is
/// no export. After an error the files are removed. Throws Error(kIo), with 58P02 for a path that is no
/// directory or not empty.
void ExportDatabase(QueryContext& context, const BoundExportDatabase& statement, const RunStatement& run);

/// Runs schema.sql and load.sql of a directory. Relative paths in them refer to the directory. Errors name
/// file and line. The transaction is to be rolled back if it throws.
void ImportDatabase(QueryContext& context, const BoundImportDatabase& statement, const RunStatement& run);

}  // namespace scaup
