// Binds literals and type names to values and types.
#pragma once

#include <string>

#include "binder/scope/bind_session.hpp"
#include "expression/expression.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// Makes a constant of a number: INTEGER, BIGINT or HUGEINT without a point, DECIMAL with one, DOUBLE with an
/// exponent or more than 38 digits. REQUIRES: IsNumberText(text).
ExpressionPtr MakeNumber(const std::string& text);
/// Binds a literal. Quoted literals and NULL remain untyped (coercion.hpp).
ExpressionPtr BindLiteral(const ast::Literal& literal);
/// Binds a literal with its sign changed, so that -9223372036854775808 is a BIGINT. Returns null if it is not
/// a number.
ExpressionPtr BindNegatedLiteral(const ast::Literal& literal);
ExpressionPtr BindIntervalLiteral(const ast::IntervalLiteral& literal);

/// Resolves a type name. Throws Error(kBinder, 42704) for an unknown name. The length of varchar(n) and
/// char(n) is accepted and has no effect: both are VARCHAR. With a `session`, types of the catalog are found,
/// too; if it is null, only built-in types.
LogicalType BindTypeName(const BindSession* session, const ast::TypeName& type);

}  // namespace scaup
