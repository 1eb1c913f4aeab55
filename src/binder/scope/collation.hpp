// COLLATE: all supported collations order texts by their bytes, so the name is checked and has no effect.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// Throws 42704 for an unknown collation, 3F000 for an unknown schema.
void CheckCollation(const BindSession& session, const ast::Collation& collation);
/// Throws 42804 for a type without collations; only texts and lists of texts have them.
void CheckCollatable(const LogicalType& type, size_t position);
/// Makes both checks, for a column of that type.
void CheckCollation(const BindSession& session, const ast::Collation& collation, const LogicalType& type);

}  // namespace scaup
