// COLLATE: every collation there is orders texts by their bytes, so it is checked and means nothing more.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// Throws 42704 for a collation that is not there, 3F000 for its schema.
void CheckCollation(const BindSession& session, const ast::Collation& collation);
/// Throws 42804 for a type that has no collation: only texts, and lists of them, have.
void CheckCollatable(const LogicalType& type, size_t position);
/// Both, for a column of that type.
void CheckCollation(const BindSession& session, const ast::Collation& collation, const LogicalType& type);

}  // namespace scaup
