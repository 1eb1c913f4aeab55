// Literals and type names: from the syntax tree to values and types.
#pragma once

#include <string>

#include "binder/scope/bind_session.hpp"
#include "expression/expression.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// A number by its digits: INTEGER, BIGINT or HUGEINT without a point, DECIMAL with one, DOUBLE with an
/// exponent or when it has more than 38 digits. REQUIRES: IsNumberText(text).
ExpressionPtr MakeNumber(const std::string& text);
/// Quoted literals and NULL come back untyped (see coercion.hpp).
ExpressionPtr BindLiteral(const ast::Literal& literal);
/// The literal with its sign changed, so that -9223372036854775808 is a BIGINT; null if it is not a number.
ExpressionPtr BindNegatedLiteral(const ast::Literal& literal);
ExpressionPtr BindIntervalLiteral(const ast::IntervalLiteral& literal);

/// Throws Error(kBinder, 42704) for unknown names. The length of varchar(n) and char(n) is accepted and has
/// no effect: both are VARCHAR.
/// `session`: to look in the catalog, too; null: built-in types alone.
LogicalType BindTypeName(const BindSession* session, const ast::TypeName& type);

}  // namespace scaup
