// Prints syntax trees as short text, so that tests can say in one line what they expect.
#pragma once

#include <string>

#include "parser/ast/statement.hpp"
#include "parser/parser.hpp"

namespace scaup {

/// (+ a 1), f(a, b => 1), 'text', cast(a as int4), ...
std::string AstText(const ast::Expression& expression);
std::string AstText(const ast::SelectStatement& query);
std::string AstText(const ast::TableRef& table);
std::string AstText(const ast::TypeName& type);

/// The only statement of a text.
ast::StatementPtr ParseOne(const std::string& sql, size_t max_depth = 1000);
/// The query, or the query's only item, as text.
std::string QueryText(const std::string& sql);
std::string ExpressionText(const std::string& expression);
/// "kind sqlstate position: message" of the error that the text causes; "no error" if it causes none.
std::string ErrorText(const std::string& sql, size_t max_depth = 1000);
std::string Repeat(const std::string& text, size_t times);

}  // namespace scaup
