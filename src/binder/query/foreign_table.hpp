// Tables that the program offers, in FROM.
#pragma once

#include <memory>

#include "binder/scope/bind_session.hpp"
#include "function/table_function.hpp"
#include "parser/ast/query.hpp"

namespace scaup {

/// The relation of a table that the program offers under this name, for ArrowScanFunction(); null where it
/// has none. Throws Error(55000) in the definition of a view, which would outlive it.
std::shared_ptr<const BoundTableFunction> BindForeignTable(const BindSession& session,
                                                           const ast::NamedTable& table);

}  // namespace scaup
