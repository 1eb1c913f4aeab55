// CursorStep: what FETCH and MOVE do to a cursor.
#pragma once

#include "execution/stream/cursor_scan.hpp"
#include "main/statement/cursors.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// The effect of FETCH or MOVE on a cursor.
struct CursorStep {
  CursorRange rows;  ///< what FETCH returns; MOVE returns their number
  uint64_t position = 0;
};

/// Returns what a FETCH or MOVE does. Throws Error(kUsage, 55000) if it goes back in a NO SCROLL cursor.
CursorStep StepOf(const Cursor& cursor, const ast::FetchStatement& fetch);

}  // namespace scaup
