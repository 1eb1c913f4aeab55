// Destructors that need the whole statement where only its name was known.
#include "parser/ast/statement.hpp"

namespace scaup::ast {

Subquery::Subquery() : Expression(ExpressionKind::kSubquery) {}
Subquery::~Subquery() = default;

SubqueryTable::~SubqueryTable() = default;

}  // namespace scaup::ast
