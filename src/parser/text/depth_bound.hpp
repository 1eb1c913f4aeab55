// Limits the depth of statements before any recursion over their trees begins.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "parser/text/token.hpp"

namespace scaup {

/// Returns an upper bound of the depth of the statement's tree. Throws Error(kSyntax, 54001) with the
/// position at which it exceeds `max_depth`. Whether such a tree fits on the stack is checked elsewhere.
/// Reads the tokens once, so it is fast and safe for any text. Long lists (commas, AND, OR, branches of CASE)
/// do not count; chains of operators, joins, set operations, brackets and subqueries do. `sql` is the text
/// that the tokens' `origin` refers to.
size_t CheckDepth(std::string_view sql, std::span<const Token> tokens, size_t max_depth);

}  // namespace scaup
