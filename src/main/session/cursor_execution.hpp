// DECLARE, FETCH, MOVE and CLOSE.
#pragma once

#include "main/session/ready_statement.hpp"
#include "main/statement/cursors.hpp"

namespace scaup {

bool IsAboutCursors(const ast::Statement& statement);

/// Returns the columns that FETCH returns; none for other statements, or if there is no such cursor yet.
std::vector<ResultColumn> CursorColumns(Cursors& cursors, const ast::Statement& statement);

/// Runs DECLARE, MOVE or CLOSE to its end, or starts FETCH, in the execution of `ready` and with its
/// parameters. Throws Error(kTransaction, 25P01) if a cursor without HOLD is declared outside of a block, and
/// what Cursors throw. REQUIRES: IsAboutCursors(statement), and the execution has begun.
void BeginAboutCursors(Cursors& cursors, const ast::Statement& statement, bool is_in_block,
                       ReadyStatement& ready);

}  // namespace scaup
