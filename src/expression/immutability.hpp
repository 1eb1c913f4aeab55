// Tells whether the value of an expression depends on its row alone, as stored values must.
#pragma once

#include "expression/expression.hpp"

namespace scaup {

/// Returns whether the expression has the same value for the same row at all times and in all sessions. As in
/// PostgreSQL, what reads or shows TIMESTAMP WITH TIME ZONE in the session's time zone has not.
bool IsImmutable(const Expression& expression);

}  // namespace scaup
