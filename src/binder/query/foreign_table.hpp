// Foreign tables in FROM: tables that the embedding program registers.
#pragma once

#include <memory>

#include "binder/scope/bind_session.hpp"
#include "function/table_function.hpp"
#include "parser/ast/query.hpp"

namespace scaup {

/// Returns the relation that the program offers under this name, for ArrowScanFunction(); null if there is
/// none. Throws Error(55000) in the definition of a view, because the view would outlive the table.
std::shared_ptr<const BoundTableFunction> BindForeignTable(const BindSession& session,
                                                           const ast::NamedTable& table);

}  // namespace scaup
