// The dialect step: rewrites Scaup's syntax extensions into statements of PostgreSQL's grammar.
#pragma once

#include <span>
#include <string_view>

#include "parser/text/statement_text.hpp"

namespace scaup {

/// Prepares one statement for the grammar, by the table of syntax extensions (extensions.hpp). `tokens` are
/// those of the statement, without the semicolon. The result borrows `sql`. Throws Error(kSyntax) for an
/// extension that is used wrongly, and for parameters that are mixed, too many or $0. REQUIRES: `tokens` is
/// not empty, its offsets point into `sql`, and CheckDepth passed.
StatementText ApplyDialect(std::string_view sql, std::span<const Token> tokens);

}  // namespace scaup
