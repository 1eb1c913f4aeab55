// The expressions that indexes of a table are over, bound, for plans that read the table.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "expression/indexed_expression.hpp"

namespace scaup {

/// Binds what the hidden columns of a table hold. Returns null if there are none.
IndexedExpressionsRef IndexedExpressionsOf(const BinderContext& context, const TableEntry& table);

}  // namespace scaup
