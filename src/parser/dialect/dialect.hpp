// Rewrites the few statements that PostgreSQL's grammar lacks into ones it knows.
#pragma once

#include <span>
#include <string_view>

#include "parser/text/statement_text.hpp"

namespace scaup {

/// Prepares one statement for the grammar. Works on tokens only: strings, comments and quoted names cannot be
/// mistaken for syntax. Handles DESCRIBE x, PRAGMA, queries that begin with FROM, TRY_CAST, MERGE with
/// BY SOURCE and RETURNING, CREATE and DROP COLLECTION, INSERT INTO c OBJECT {...}, ANY before a path without
/// brackets, and ? for parameters ($1, $2, ... from left to right). `tokens` are the
/// statement's, without the semicolon, not empty; their offsets point into `sql`, which the result borrows.
/// Throws Error(kSyntax) for parameters that make no sense. REQUIRES: CheckDepth passed.
StatementText ApplyDialect(std::string_view sql, std::span<const Token> tokens);

}  // namespace scaup
