// The database in which a statement defines or changes objects.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Splits the names of the objects that a statement defines or changes, as in database.table, into database
/// and name. So who binds the statement needs to know only the names within the database. Queries and what
/// changes rows keep their names as they are written.
void SplitTargetNames(ast::Statement& statement, const DatabaseViews& databases);

/// Returns the database of the objects that a statement defines or changes; null if it is the session's.
/// Throws Error(kNotSupported, 0A000) if they are in several.
const DatabaseView* TargetDatabase(const BindSession& session, const ast::Statement& statement);

}  // namespace scaup
