// Destructors that need the complete type SelectStatement.
#include "parser/ast/query.hpp"

namespace scaup::ast {

Subquery::Subquery() : Expression(ExpressionKind::kSubquery) {}
Subquery::~Subquery() = default;

SubqueryTable::~SubqueryTable() = default;
PivotTable::~PivotTable() = default;

}  // namespace scaup::ast
