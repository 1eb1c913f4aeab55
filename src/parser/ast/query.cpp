// Destructors that need the whole query where only its name was known.
#include "parser/ast/query.hpp"

namespace scaup::ast {

Subquery::Subquery() : Expression(ExpressionKind::kSubquery) {}
Subquery::~Subquery() = default;

SubqueryTable::~SubqueryTable() = default;

}  // namespace scaup::ast
