// The dialect step: rewrites what PostgreSQL's grammar lacks into what it knows.
#pragma once

#include <span>
#include <string_view>

#include "parser/text/statement_text.hpp"

namespace scaup {

/// Prepares one statement for the grammar, by the table of syntax extensions (extensions.hpp). `tokens` are
/// the statement's, without the semicolon, not empty; their offsets point into `sql`, which the result
/// borrows. Throws Error(kSyntax) for parameters that make no sense. REQUIRES: CheckDepth passed.
StatementText ApplyDialect(std::string_view sql, std::span<const Token> tokens);

}  // namespace scaup
